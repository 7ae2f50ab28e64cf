/** Asks before a change of the plan, with what it costs, what it changes and from when. Nothing is requested before. */
import type { AccountWithTerms } from '@presenza/contract/console/types.d.ts';
import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Time } from '../../parts/time';
import { groups } from '../../state/account-data';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { monthName, monthOf } from '../../state/months';
import { type Plan, usePlanName, usePlans } from '../../state/plans';
import { usePrompts } from '../../state/prompts';
import { usePrices } from './price';

interface PlanChangeProps {
  account: AccountWithTerms;
  plan: Plan;
  onDone(): void;
  onClose(): void;
}

export function PlanChange({ account, plan, onDone, onClose }: PlanChangeProps) {
  const { texts, api } = useAccount();
  const { change } = texts.billing;
  const { notify } = usePrompts();
  const name = usePlanName();
  const { amountOf, priceOf } = usePrices();
  const starts = useStarts(account, plan);
  const path = { account: account.accountId };
  const values = { plan: plan.displayName, from: name(account.plan) };
  const prices = { to: priceOf(plan.tier), from: priceOf(account.plan) };
  const thisMonth = {
    to: amountOf(plan.tier),
    from: amountOf(account.plan),
    plan: values.from,
    month: monthName(monthOf(Date.now())),
  };
  const withdraw = async () => {
    await dataOf(api.DELETE('/accounts/{account}/plan', { params: { path } }));
    onDone();
  };
  const confirm = async () => {
    const body = { plan: plan.tier };
    const result = await dataOf(api.POST('/accounts/{account}/plan', { params: { path }, body }));
    if ('checkoutUrl' in result) return window.location.assign(result.checkoutUrl);
    onDone();
    if ('requested' in result) notify(fill(change.requested, values), withdraw);
    else if (result.takesEffect === 'now') notify(fill(change.done, values));
    else notify(fill(change.planned, values), withdraw);
  };
  return (
    <Confirm
      title={fill(change.title, values)}
      text={change.nothingYet}
      variant="primary"
      action={fill(change.actions[starts], values)}
      cancel={fill(change.stay, values)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Facts
        facts={[
          [change.price, fill(change.fromTo, prices)],
          ...groups.map((group) => [texts.usage.groups[group], includedIn(plan, group, change)] as const),
          [change.from, starts === 'later' ? <NextMonth key="from" /> : change.starts[starts]],
          [change.thisMonth, fill(starts === 'later' ? change.lower : change.higher, thisMonth)],
        ]}
      />
    </Confirm>
  );
}

type Starts = 'immediate' | 'paid' | 'approved' | 'later';

/** When the change takes effect: at once, after a payment, after the operator's approval, or next month. */
function useStarts({ plan: from, paysByStripe }: AccountWithTerms, { tier }: Plan): Starts {
  const { settings } = useAccount();
  const order = usePlans().map((plan) => plan.tier);
  if (order.indexOf(tier) < order.indexOf(from)) return 'later';
  // A running subscription changes with the plan.
  if (settings.selfServicePlans || paysByStripe) return 'immediate';
  return settings.payments ? 'paid' : 'approved';
}

function includedIn(
  { quota, pricing: { overage, currency } }: Plan,
  group: (typeof groups)[number],
  texts: { readonly included: string; readonly limited: string },
): string {
  const units = quota.productGroups[group];
  if (!overage) return fill(texts.limited, { units });
  return fill(texts.included, { units, rate: formatMoney(overage[group], currency) });
}

function NextMonth() {
  const now = new Date();
  return <Time day at={new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()} />;
}
