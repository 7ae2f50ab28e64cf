import type { PlanTerms } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { formatCount } from '../../../../components/pricing/money';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Field, Form, type Values } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useAction, useData, useReload } from '../../state/queries';
import * as styles from './operator.module.css';
import { type OverrideField, overrideFields, overridesOf, valuesOf } from './overrides';
import type { PartProps } from './part-props';

/** The quotas, limits and prices of an account, which the operator may set in place of the plan's. */
export function Terms(props: PartProps) {
  const { terms: text } = useConsole().texts.operator;
  const plans = useData('/operator/plans', {});
  const { account } = props;
  return (
    <Block title={text.title}>
      <p className={styles.note}>{text.lead}</p>
      <Loaded query={plans}>
        {(all) => {
          const plan = all.find((terms) => terms.plan === account.plan);
          // New values start the form anew.
          const key = JSON.stringify([account.plan, account.overrides]);
          return plan && <TermsForm key={key} plan={plan} {...props} />;
        }}
      </Loaded>
    </Block>
  );
}

const prices: readonly OverrideField[] = ['livenessOverage', 'imageOverage'];
/** Fields that may not be 0. */
const atLeastOne: readonly OverrideField[] = ['burst', 'window', 'concurrency', 'sessionBytes'];

function TermsForm({ account, plan }: PartProps & { plan: PlanTerms }) {
  const { texts, api } = useConsole();
  const { terms: text } = texts.operator;
  const [outcome, setOutcome] = useState<'saved' | 'both'>();
  const reload = useReload();
  const save = async (overrides: ReturnType<typeof overridesOf>) => {
    setOutcome(undefined);
    if (overrides === 'both') return setOutcome('both');
    const params = { path: { account: account.accountId } };
    await dataOf(api.PATCH('/operator/accounts/{account}', { params, body: { overrides } }));
    setOutcome('saved');
    // The plan and the terms set the quota.
    reload('/operator/accounts/{account}', '/operator/accounts/{account}/usage');
  };
  const clear = useAction(() => save(null));
  const current = valuesOf(account.overrides ?? {});
  const planValues = valuesOf({ ...plan, overage: plan.overage ?? {} });
  const shown = overrideFields.filter((name) => plan.overage !== null || !prices.includes(name));
  return (
    <>
      <Form
        action={text.save}
        onSubmit={(values: Values) => save(overridesOf(values))}
        others={
          account.overrides && (
            <Button variant="secondary" onClick={() => clear.run()}>
              {text.clear}
            </Button>
          )
        }
      >
        <div className={styles.fields}>
          {shown.map((name) => (
            <Field
              key={name}
              name={name}
              type="number"
              label={text[name]}
              min={atLeastOne.includes(name) ? 1 : 0}
              max={1e12}
              step={prices.includes(name) ? 'any' : 1}
              defaultValue={current[name]}
              hint={fill(text.ofPlan, { value: formatted(name, planValues[name]) })}
            />
          ))}
        </div>
      </Form>
      {plan.overage === null && <p className={styles.note}>{text.hardLimit}</p>}
      <p role="status">{outcome && text[outcome]}</p>
    </>
  );
}

const formatted = (name: OverrideField, value = 0) =>
  prices.includes(name) ? String(value) : formatCount(value);
