import { useState } from 'react';
import { formatCount } from '../../../../components/pricing/money';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Field, Form, type Values } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { useAction, useData } from '../../use-call';
import * as styles from './operator.module.css';
import { type PartProps, type PlanTerms, pathOf } from './operator-data';
import { type OverrideField, overrideFields, overridesOf, valuesOf } from './overrides';

/** The quotas, limits and prices of an account, which the operator may set in place of the plan's. */
export function Terms(props: PartProps) {
  const { terms: text } = useConsole().words.operator;
  const plans = useData<readonly PlanTerms[]>('/operator/plans');
  const { account } = props;
  return (
    <Block title={text.title}>
      <p className={styles.note}>{text.lead}</p>
      <Loaded of={plans}>
        {(all) => {
          const plan = all.find((one) => one.plan === account.plan);
          // New values start the form anew.
          const key = JSON.stringify([account.plan, account.overrides]);
          return plan && <TermsForm key={key} plan={plan} {...props} />;
        }}
      </Loaded>
    </Block>
  );
}

const prices: readonly OverrideField[] = ['livenessOverage', 'imageOverage'];
/** Of these, none may be 0. */
const atLeastOne: readonly OverrideField[] = ['burst', 'window', 'concurrency', 'sessionBytes'];

function TermsForm({ account, onChanged, plan }: PartProps & { plan: PlanTerms }) {
  const { words, api } = useConsole();
  const { terms: text } = words.operator;
  const [outcome, setOutcome] = useState<'saved' | 'both'>();
  const save = async (overrides: ReturnType<typeof overridesOf>) => {
    setOutcome(undefined);
    if (overrides === 'both') return setOutcome('both');
    await api.call('PATCH', pathOf(account.accountId), { overrides });
    setOutcome('saved');
    onChanged();
  };
  const submit = useAction((values: Values) => save(overridesOf(values)));
  const clear = useAction(() => save(null));
  const own = valuesOf(account.overrides ?? {});
  const ofPlan = valuesOf({ ...plan, overage: plan.overage ?? {} });
  const shown = overrideFields.filter((name) => plan.overage !== null || !prices.includes(name));
  return (
    <>
      <Form
        action={text.save}
        on={submit}
        others={
          account.overrides && (
            <Button look="secondary" onClick={() => void clear.run()}>
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
              defaultValue={own[name]}
              hint={fill(text.ofPlan, { value: formatted(name, ofPlan[name]) })}
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
