import type { AccountWithTerms, ProductGroup } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { formatCount, formatMoney } from '../../../../components/pricing/money';
import { SignUpButton } from '../../../../components/sign-up/sign-up-button';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Block } from '../../parts/page';
import { Table } from '../../parts/table';
import { groups } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { type Plan, usePlans } from '../../state/plans';
import { PlanChange } from './plan-change';
import { usePrices } from './price';

interface PlanTableProps {
  account: AccountWithTerms;
  onChange(): void;
}

/** All plans, and a button for each that the account may change to. */
export function PlanTable({ account, onChange }: PlanTableProps) {
  const { texts } = useAccount();
  const { plans: text } = texts.billing;
  const { priceOf } = usePrices();
  const labels = texts.usage.groups;
  const plans = usePlans();
  const [chosen, setChosen] = useState(() => planInAddress(plans, account));
  const isCustom = plans.some(({ tier, pricing }) => tier === account.plan && pricing.isCustom);
  return (
    <Block title={text.title}>
      <p>{isCustom ? text.agreed : text.lead}</p>
      <Table
        label={text.title}
        columns={[text.plan, text.price, ...groups.map((group) => labels[group]), text.change]}
      >
        {plans.map((plan) => {
          const { tier, displayName } = plan;
          return (
            <tr key={tier}>
              <th scope="row">{displayName}</th>
              <td>{priceOf(tier)}</td>
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
        <PlanChange
          account={account}
          plan={chosen}
          onDone={onChange}
          onClose={() => {
            setChosen(undefined);
            window.history.replaceState(window.history.state, '', window.location.pathname);
          }}
        />
      )}
    </Block>
  );
}

/** The plan that a link to this page names, if the account may change to it. */
function planInAddress(plans: readonly Plan[], { plan, requestedPlan, plannedPlan }: AccountWithTerms) {
  const wanted = new URLSearchParams(window.location.search).get('plan');
  const isCustom = plans.some(({ tier, pricing }) => tier === plan && pricing.isCustom);
  if (isCustom || [plan, requestedPlan, plannedPlan?.plan].includes(wanted as Plan['tier'])) return undefined;
  return plans.find(({ tier, pricing }) => tier === wanted && !pricing.isCustom);
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
