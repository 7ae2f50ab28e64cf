import type { AccountWithTerms } from '@presenza/contract/console/types.d.ts';
import { formatCount, formatMoney } from '../../../../components/pricing/money';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Facts } from '../../parts/facts';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { groups } from '../../state/account-data';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePlanName, usePlans } from '../../state/plans';
import { usePrompts } from '../../state/prompts';
import { useAction } from '../../state/queries';
import * as styles from './billing.module.css';
import { usePrices } from './price';

interface CurrentPlanProps {
  account: AccountWithTerms;
  onChange(): void;
}

/** The plan of the account with its terms, and the change that is planned or requested. */
export function CurrentPlan({ account, onChange }: CurrentPlanProps) {
  const { current, groups: labels } = useTexts();
  const { plan, terms } = account;
  const name = usePlanName();
  const { priceOf } = usePrices();
  const pricing = usePlans().find(({ tier }) => tier === plan)?.pricing;
  const { quota, overage, burst, concurrency } = terms;
  const currency = pricing?.currency ?? 'USD';
  return (
    <Block title={current.title}>
      <Facts
        facts={[
          [current.plan, name(plan)],
          [current.price, priceOf(plan)],
          ...groups.map(
            (group) =>
              [
                labels[group],
                fill(overage ? current.included : current.limited, {
                  units: quota[group],
                  rate: formatMoney(overage?.[group] ?? 0, currency),
                }),
              ] as const,
          ),
          [current.burst, fill(current.burstValue, { limit: burst.limit, seconds: burst.windowSeconds })],
          [current.concurrency, formatCount(concurrency)],
        ]}
      />
      <Pending account={account} onChange={onChange} />
    </Block>
  );
}

/** A change that has not taken effect, and how to withdraw it. */
function Pending({ account: { accountId, plan, plannedPlan, requestedPlan }, onChange }: CurrentPlanProps) {
  const { api } = useAccount();
  const { pending, change } = useTexts();
  const { notify } = usePrompts();
  const name = usePlanName();
  const { priceOf } = usePrices();
  const withdraw = useAction(async () => {
    await dataOf(api.DELETE('/accounts/{account}/plan', { params: { path: { account: accountId } } }));
    notify(fill(change.withdrawn, { plan: name(plan) }));
    onChange();
  });
  if (!plannedPlan && requestedPlan === undefined) return null;
  return (
    <div className={styles.pending}>
      {plannedPlan ? (
        <p>
          {fill(pending.planned, { plan: name(plannedPlan.plan), price: priceOf(plannedPlan.plan) })}{' '}
          <Time day at={plannedPlan.takesEffect} />.
        </p>
      ) : (
        <p>
          {fill(pending.requested, {
            plan: name(requestedPlan ?? ''),
            price: priceOf(requestedPlan ?? ''),
            now: priceOf(plan),
          })}
        </p>
      )}
      <Failure error={withdraw.error} />
      <Button variant="secondary" aria-busy={withdraw.isPending || undefined} onClick={() => withdraw.run()}>
        {fill(pending.withdraw, { plan: name(plan) })}
      </Button>
    </div>
  );
}

function useTexts() {
  const { billing, usage } = useAccount().texts;
  return { ...billing, groups: usage.groups };
}
