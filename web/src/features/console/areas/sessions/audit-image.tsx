import type { LivenessAuditImage } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Facts } from '../../parts/facts';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { CallError, dataOf } from '../../state/api';
import { useAction } from '../../state/queries';
import { useSessions } from './session-data';
import * as styles from './sessions.module.css';

/** The image that the session keeps for review. It loads only on request, because the audit log records it. */
export function AuditImage({ session }: { session: string }) {
  const { text, api, account } = useSessions();
  const { image: texts } = text;
  const [image, setImage] = useState<LivenessAuditImage | 'none'>();
  const show = useAction(async () => {
    const params = { path: { account, session } };
    try {
      setImage(await dataOf(api.GET('/accounts/{account}/sessions/{session}/audit-image', { params })));
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'NOT_FOUND') throw error;
      setImage('none');
    }
  });
  return (
    <Block title={texts.title}>
      <p className={styles.reason}>{texts.text}</p>
      {image === undefined && (
        <div>
          <Button variant="secondary" onClick={() => show.run()} aria-busy={show.isPending || undefined}>
            {texts.action}
          </Button>
        </div>
      )}
      <Failure error={show.error} />
      <div role="status">
        {image === 'none' && <p>{texts.none}</p>}
        {image && image !== 'none' && (
          <>
            <img className={styles.image} src={image.image} alt={texts.alt} />
            <Facts
              facts={[
                [texts.taken, <Time key="taken" at={image.takenAt} />],
                [texts.until, <Time key="until" at={image.expiresAt} />],
              ]}
            />
          </>
        )}
      </div>
    </Block>
  );
}
