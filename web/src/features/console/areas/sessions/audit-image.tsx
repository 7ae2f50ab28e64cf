import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { CallError } from '../../api';
import { Facts } from '../../parts/facts';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { useAction } from '../../use-call';
import { useSessions } from './session-data';
import * as styles from './sessions.module.css';

interface ImageOfSession {
  readonly image: string;
  readonly takenAt: string;
  readonly expiresAt: string;
}

/** The image that the session keeps for review. It loads only when an owner asks, because the audit log records it. */
export function AuditImage({ path }: { path: string }) {
  const { text, api } = useSessions();
  const { image: words } = text;
  const [found, setFound] = useState<ImageOfSession | 'none'>();
  const look = useAction(async () => {
    try {
      setFound(await api.call<ImageOfSession>('GET', `${path}/audit-image`));
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'NOT_FOUND') throw error;
      setFound('none');
    }
  });
  return (
    <Block title={words.title}>
      <p className={styles.reason}>{words.text}</p>
      {found === undefined && (
        <div>
          <Button look="secondary" onClick={() => void look.run()} aria-busy={look.isBusy || undefined}>
            {words.action}
          </Button>
        </div>
      )}
      <Failure error={look.error} />
      <div role="status">
        {found === 'none' && <p>{words.none}</p>}
        {found && found !== 'none' && (
          <>
            <img className={styles.image} src={found.image} alt={words.alt} />
            <Facts
              facts={[
                [words.taken, <Time key="taken" at={found.takenAt} />],
                [words.until, <Time key="until" at={found.expiresAt} />],
              ]}
            />
          </>
        )}
      </div>
    </Block>
  );
}
