import { useState } from 'react';
import { useAccount } from '../../context';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { useData } from '../../use-call';
import { StepList, type Steps } from './checklist';
import { Overview } from './overview';
import { useRepeated } from './use-repeated';

/** Guides new accounts through the first steps. After the last one it shows the month. */
export default function HomePage() {
  const { words, account } = useAccount();
  const { title, lead } = words.home;
  const isMaker = account.role === 'owner' || account.role === 'developer';
  const steps = useData<Steps>(isMaker ? `/accounts/${account.accountId}/checklist` : undefined);
  const isDone = !isMaker || (steps.data !== undefined && Object.values(steps.data).every(Boolean));
  useRepeated(steps.reload, !isDone);
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
      <Loaded of={steps}>
        {(data) => (
          <>
            {(!isDone || apiKey !== undefined) && (
              <StepList steps={data} apiKey={apiKey} onMade={setApiKey} onChange={steps.reload} />
            )}
            {isDone && <Overview />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
