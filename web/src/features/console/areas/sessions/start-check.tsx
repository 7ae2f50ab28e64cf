/** Creates a session in test mode and offers the link to its hosted page. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Failure } from '../../parts/message';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/use-call';
import * as styles from './sessions.module.css';

interface Created {
  readonly verificationUrl: string;
}

/** @param onCreated after the list of sessions has become out of date */
export function useStartCheck(onCreated: () => void) {
  const { words, api, account } = useAccount();
  const { start } = words.sessions;
  const [created, setCreated] = useState<Created>();
  const action = useAction(async () => {
    const path = `/accounts/${account.accountId}/playground/test/liveness`;
    setCreated(await api.call<Created>('POST', path, {}));
    onCreated();
  });
  return {
    button: (
      <Button onClick={() => void action.run()} aria-busy={action.isBusy || undefined}>
        {start.action}
      </Button>
    ),
    link: (
      <>
        <Failure error={action.error} />
        <div role="status">
          {created && (
            <div className={styles.ready}>
              <p>{start.ready}</p>
              <p>
                <a href={created.verificationUrl} target="_blank" rel="noreferrer">
                  {start.open}
                </a>
              </p>
              <p>{start.phone}</p>
            </div>
          )}
        </div>
      </>
    ),
  };
}
