import type { AccountWithTerms, ProductGroup } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { formatCount, formatMoney } from '../../../../components/pricing/money';
import { SignUpButton } from '../../../../components/sign-up/sign-up-button';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { Table } from '../../parts/table';
import { groups } from '../../state/account-data';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { type Plan, usePlanName, usePlans } from '../../state/plans';
import * as styles from './billing.module.css';

interface PlanTableProps {
  account: AccountWithTerms;
  /** The sentence about the last change. */
  outcome: string;
  onChange(outcome: string): void;
}

/** All plans, and a button for each that the account may change to. */
export function PlanTable({ account, outcome, onChange }: PlanTableProps) {
  const { texts } = useAccount();
  const { plans: text, prices } = texts.billing;
  const labels = texts.usage.groups;
  const plans = usePlans();
  const [chosen, setChosen] = useState<Plan>();
  const isCustom = plans.some(({ tier, pricing }) => tier === account.plan && pricing.isCustom);
  return (
    <Block title={text.title}>
      <p>{isCustom ? text.agreed : text.lead}</p>
      <p role="status" className={styles.outcome}>
        {outcome}
      </p>
      <Table
        label={text.title}
        columns={[text.plan, text.price, ...groups.map((group) => labels[group]), text.change]}
      >
        {plans.map((plan) => {
          const { tier, displayName, pricing } = plan;
          return (
            <tr key={tier}>
              <th scope="row">{displayName}</th>
              <td>
                {pricing.isCustom
                  ? prices.custom
                  : fill(prices.month, { price: formatMoney(pricing.basePrice, pricing.currency) })}
              </td>
              {groups.map((group) => (
                <td key={group}>
                  <Included plan={plan} group={group} />
                </td>
              ))}
              <td>
                <Action plan={plan} account={account} isCustom={isCustom} onChoose={() => setChosen(plan)} />
              </td>
            </tr>
          );
        })}
      </Table>
      {chosen && (
        <Change account={account} plan={chosen} onDone={onChange} onClose={() => setChosen(undefined)} />
      )}
    </Block>
  );
}

function Included({ plan: { quota, pricing }, group }: { plan: Plan; group: ProductGroup }) {
  const { plans: text } = useAccount().texts.billing;
  const units = quota.productGroups[group];
  const { overage, currency, isCustom } = pricing;
  if (!overage || isCustom) return formatCount(units);
  return fill(text.withOverage, { units, rate: formatMoney(overage[group], currency) });
}

interface ActionProps {
  plan: Plan;
  account: AccountWithTerms;
  /** Whether the terms of the account's plan were agreed by mail, so that it is changed by mail. */
  isCustom: boolean;
  onChoose(): void;
}

function Action({ plan: { tier, displayName, pricing }, account, isCustom, onChoose }: ActionProps) {
  const { plans: text } = useAccount().texts.billing;
  const { plan, plannedPlan, requestedPlan } = account;
  if (tier === plan) return text.current;
  if (pricing.isCustom) {
    return (
      <SignUpButton plan={tier} variant="secondary">
        {text.contact}
      </SignUpButton>
    );
  }
  if (isCustom) return null;
  if (tier === plannedPlan?.plan) return text.planned;
  if (tier === requestedPlan) return text.requested;
  return (
    <Button variant="secondary" onClick={onChoose}>
      {fill(text.choose, { plan: displayName })}
    </Button>
  );
}

interface ChangeProps {
  account: AccountWithTerms;
  plan: Plan;
  /** @param sentence about what happened */
  onDone(sentence: string): void;
  onClose(): void;
}

/** Asks before a change of the plan, with what happens when. */
function Change({
  account: { accountId, plan: from },
  plan: { tier, displayName },
  onDone,
  onClose,
}: ChangeProps) {
  const { texts, api } = useAccount();
  const { change } = texts.billing;
  const name = usePlanName();
  const order = usePlans().map((plan) => plan.tier);
  const isHigher = order.indexOf(tier) > order.indexOf(from);
  const values = { plan: displayName, from: name(from) };
  const confirm = async () => {
    const params = { path: { account: accountId } };
    const result = await dataOf(api.POST('/accounts/{account}/plan', { params, body: { plan: tier } }));
    if ('checkoutUrl' in result) window.location.assign(result.checkoutUrl);
    else if ('requested' in result) onDone(fill(change.requested, values));
    else onDone(fill(result.takesEffect === 'now' ? change.done : change.planned, values));
  };
  return (
    <Confirm
      title={fill(change.title, values)}
      variant="primary"
      text={fill(isHigher ? change.higher : change.lower, values)}
      action={fill(change.action, values)}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
