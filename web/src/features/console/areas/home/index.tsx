import type { Checklist } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import { StepList } from './checklist';
import { Links } from './links';
import { Overview } from './overview';
import { Pending } from './pending';

const pollMs = 3_000;

const isComplete = (steps: Checklist | undefined) =>
  steps !== undefined && Object.values(steps).every(Boolean);

/** The state of the account. New accounts see the first steps above it, until they have taken the last one. */
export default function HomePage() {
  const { texts, account, may } = useAccount();
  const { title, lead } = texts.home;
  // The steps need an API key. Members who may not create one see only the rest.
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
        <Pending />
        <Overview />
      </Page>
    );
  }
  return (
    <Page title={title} lead={isDone ? undefined : lead}>
      <Pending />
      <Loaded query={steps}>
        {(data) => (
          <>
            {(!isDone || apiKey !== undefined) && (
              <StepList steps={data} apiKey={apiKey} onMade={setApiKey} />
            )}
            {/* Before the first call, there is nothing to see. */}
            {data.call ? <Overview /> : <Links />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
