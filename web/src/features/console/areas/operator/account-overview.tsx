import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Facts } from '../../parts/facts';
import { Choice, Form, type Values } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { groups } from '../../state/account-data';
import { useConsole } from '../../state/context';
import { lastDayOf } from '../../state/months';
import { useAction, useData } from '../../state/use-call';
import { nameOfDay } from '../usage/day-chart';
import { QuotaMeter } from '../usage/quota-meter';
import type { Usage } from '../usage/usage-data';
import { AccountStatus } from './account-status';
import * as styles from './operator.module.css';
import { type PartProps, pathOf } from './operator-data';
import { useNameOfPlan, usePlanOptions } from './plan-names';
import { Terms } from './terms';

export function AccountOverview({ account, onChanged }: PartProps) {
  const { account: text } = useConsole().words.operator;
  return (
    <>
      <Facts
        facts={[
          [text.id, <code key="id">{account.accountId}</code>],
          [text.state, <AccountStatus key="state" isSuspended={account.suspended} />],
          [text.created, <Time key="created" at={account.createdAt} />],
          [text.apiVersion, account.apiVersion],
          account.auditImages && [text.auditImages, fill(text.days, { days: account.auditImages.days })],
        ]}
      />
      <Plan account={account} onChanged={onChanged} />
      <Terms account={account} onChanged={onChanged} />
      <UsageOf accountId={account.accountId} />
    </>
  );
}

function Plan({ account, onChanged }: PartProps) {
  const { words, api } = useConsole();
  const { plan: text } = words.operator;
  const options = usePlanOptions();
  const nameOf = useNameOfPlan();
  const [changed, setChanged] = useState<string>();
  const change = useAction(async ({ plan }: Values) => {
    setChanged(undefined);
    await api.call('PATCH', pathOf(account.accountId), { plan });
    setChanged(plan);
    onChanged();
  });
  const { plan, requestedPlan, plannedPlan } = account;
  return (
    <Block title={text.title}>
      {requestedPlan !== undefined && (
        <div className={styles.requested}>
          <p>{fill(text.requested, { plan: nameOf(requestedPlan) })}</p>
          <Button
            onClick={() => void change.run({ plan: requestedPlan })}
            aria-busy={change.isBusy || undefined}
          >
            {fill(text.grant, { plan: nameOf(requestedPlan) })}
          </Button>
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
        <Form action={text.save} on={change}>
          <Choice key={plan} name="plan" label={text.choice} defaultValue={plan} options={options} />
        </Form>
      </div>
      <p className={styles.note}>{text.note}</p>
      <p role="status">{changed !== undefined && fill(text.changed, { plan: nameOf(changed) })}</p>
    </Block>
  );
}

/** The month so far, at a glance. */
function UsageOf({ accountId }: { accountId: string }) {
  const { usage: text } = useConsole().words.operator;
  const usage = useData<Usage>(`${pathOf(accountId)}/usage?mode=live`);
  return (
    <Block title={text.title}>
      <Loaded of={usage}>
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
