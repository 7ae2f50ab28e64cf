import type { Plan as PlanTier } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Facts } from '../../parts/facts';
import { Choice, Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { groups } from '../../state/account-data';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { lastDayOf } from '../../state/months';
import { usePlanName } from '../../state/plans';
import { useAction, useData, useReload } from '../../state/queries';
import { nameOfDay } from '../usage/day-chart';
import { QuotaMeter } from '../usage/quota-meter';
import { AccountStatus } from './account-status';
import * as styles from './operator.module.css';
import type { PartProps } from './part-props';
import { usePlanOptions } from './plan-options';
import { Terms } from './terms';

export function AccountOverview({ account }: PartProps) {
  const { account: text } = useConsole().texts.operator;
  return (
    <>
      <Facts
        facts={[
          [text.id, <CopiedId key="id" id={account.accountId} />],
          [text.state, <AccountStatus key="state" isSuspended={account.suspended} />],
          [text.created, <Time key="created" at={account.createdAt} />],
          [text.apiVersion, account.apiVersion],
          account.auditImages && [text.auditImages, fill(text.days, { days: account.auditImages.days })],
        ]}
      />
      <Plan account={account} />
      <Terms account={account} />
      <AccountUsage accountId={account.accountId} />
    </>
  );
}

function Plan({ account }: PartProps) {
  const { texts, api } = useConsole();
  const { plan: text } = texts.operator;
  const options = usePlanOptions();
  const nameOf = usePlanName();
  const [changed, setChanged] = useState<string>();
  const reload = useReload();
  const change = async (body: { plan: PlanTier }) => {
    setChanged(undefined);
    const params = { path: { account: account.accountId } };
    await dataOf(api.PATCH('/operator/accounts/{account}', { params, body }));
    setChanged(body.plan);
    // The plan and the terms set the quota.
    reload('/operator/accounts/{account}', '/operator/accounts/{account}/usage');
  };
  const grant = useAction(change);
  const { plan, requestedPlan, plannedPlan } = account;
  return (
    <Block title={text.title}>
      {requestedPlan !== undefined && (
        <div className={styles.requested}>
          <p>{fill(text.requested, { plan: nameOf(requestedPlan) })}</p>
          <Button onClick={() => grant.run({ plan: requestedPlan })} aria-busy={grant.isPending || undefined}>
            {fill(text.grant, { plan: nameOf(requestedPlan) })}
          </Button>
          <Failure error={grant.error} />
        </div>
      )}
      {plannedPlan && (
        <p>
          {fill(text.planned, {
            plan: nameOf(plannedPlan.plan),
            date: plannedPlan.takesEffect.slice(0, 10),
          })}
        </p>
      )}
      <div className={styles.form}>
        <Form action={text.save} onSubmit={change}>
          <Choice key={plan} name="plan" label={text.choice} defaultValue={plan} options={options} />
        </Form>
      </div>
      <p className={styles.note}>{text.note}</p>
      <p role="status">{changed !== undefined && fill(text.changed, { plan: nameOf(changed) })}</p>
    </Block>
  );
}

/** The month so far, at a glance. */
function AccountUsage({ accountId }: { accountId: string }) {
  const { usage: text } = useConsole().texts.operator;
  const usage = useData('/operator/accounts/{account}/usage', {
    path: { account: accountId },
    query: { mode: 'live' },
  });
  return (
    <Block title={text.title}>
      <Loaded query={usage}>
        {({ productGroups, forecast, currency, period }) => (
          <>
            {groups.map((group) => (
              <QuotaMeter
                key={group}
                group={group}
                usage={productGroups[group]}
                forecast={forecast?.[group]}
                currency={currency}
                end={nameOfDay(lastDayOf(period.end).slice(0, 10))}
              />
            ))}
          </>
        )}
      </Loaded>
    </Block>
  );
}
