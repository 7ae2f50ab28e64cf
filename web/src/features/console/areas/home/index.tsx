import type { Checklist } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import { StepList } from './checklist';
import { Overview } from './overview';

const pollMs = 3_000;

const isComplete = (steps: Checklist | undefined) =>
  steps !== undefined && Object.values(steps).every(Boolean);

/** Guides new accounts through the first steps. After the last one it shows the month. */
export default function HomePage() {
  const { texts, account, may } = useAccount();
  const { title, lead } = texts.home;
  // The steps need an API key. Members who may not create one read the month instead.
  const isMaker = may('keysCreate');
  // Until the last step is done, the page reads the steps every few seconds, and when the person comes back.
  const steps = useData(
    '/accounts/{account}/checklist',
    { path: { account: account.accountId } },
    {
      enabled: isMaker,
      refetchInterval: ({ state }) => !isComplete(state.data) && pollMs,
      refetchOnWindowFocus: ({ state }) => !isComplete(state.data),
    },
  );
  const isDone = !isMaker || isComplete(steps.data);
  // Outside the list, because a poll that fails removes the list. Nobody can show the key again.
  const [apiKey, setApiKey] = useState<string>();
  if (!isMaker) {
    return (
      <Page title={title}>
        <Overview />
      </Page>
    );
  }
  return (
    <Page title={title} lead={isDone ? undefined : lead}>
      <Loaded query={steps}>
        {(data) => (
          <>
            {(!isDone || apiKey !== undefined) && (
              <StepList steps={data} apiKey={apiKey} onMade={setApiKey} />
            )}
            {isDone && <Overview />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
