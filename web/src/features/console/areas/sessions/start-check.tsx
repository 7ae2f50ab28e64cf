/** Creates a session in test mode and offers the link to its hosted page. */
import type { CreatedLivenessSession } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Failure } from '../../parts/message';
import { dataOf } from '../../state/api';
import { useCommandedTask } from '../../state/commanded-task';
import { useAccount } from '../../state/context';
import { useAction, useReload } from '../../state/queries';
import * as styles from './sessions.module.css';

export function useStartCheck() {
  const { texts, api, account, may } = useAccount();
  const { start } = texts.sessions;
  const reload = useReload();
  const [created, setCreated] = useState<CreatedLivenessSession>();
  const action = useAction(async () => {
    const params = { path: { account: account.accountId, mode: 'test' } } as const;
    const call = api.POST('/accounts/{account}/playground/{mode}/liveness', { params, body: {} });
    setCreated(await dataOf(call));
    reload('/accounts/{account}/sessions');
  });
  useCommandedTask(() => may('playgroundLiveness') && action.run());
  return {
    start: () => action.run(),
    button: (
      <Button onClick={() => action.run()} aria-busy={action.isPending || undefined}>
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
