import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../../../components/ui/button';
import type { Action } from '../state/use-call';
import * as styles from './form.module.css';
import { Failure } from './message';

/** The text of each field by its name. */
export type Values = Readonly<Record<string, string>>;

interface FormProps {
  /** Label of the button. */
  action: string;
  look?: 'primary' | 'danger';
  /** Called with the fields. */
  on: Action<[Values]>;
  /** Beside the button. */
  others?: ReactNode;
  children: ReactNode;
}

/** A form that sends its fields once at a time and says what failed. */
export function Form({ action, look = 'primary', on, others, children }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    void on.run(Object.fromEntries(entries) as Values);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      <Failure error={on.error} />
      <div className={styles.actions}>
        <Button type="submit" look={look} aria-busy={on.isBusy || undefined}>
          {action}
        </Button>
        {others}
      </div>
    </form>
  );
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  name: string;
  label: string;
  hint?: string | undefined;
}

export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.input}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** An email address. */
export const EmailField = (field: Omit<FieldProps, 'name'>) => (
  <Field name="email" type="email" required maxLength={254} {...field} />
);

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'children'> {
  name: string;
  label: string;
  options: readonly { readonly value: string; readonly label: string }[];
}

export function Choice({ label, options, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.input} {...select}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ChecksProps {
  label: string;
  name: string;
  options: readonly { readonly value: string; readonly label: string }[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}

/** Several of a few options. */
export const Checks = ({ label, name, options, chosen, onChange }: ChecksProps) => (
  <fieldset className={styles.field}>
    <legend>{label}</legend>
    {options.map(({ value, label: text }) => (
      <label key={value} className={styles.check}>
        <input
          type="checkbox"
          name={name}
          value={value}
          checked={chosen.includes(value)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(
              options
                .map((one) => one.value)
                .filter((one) => (one === value ? checked : chosen.includes(one))),
            )
          }
        />
        {text}
      </label>
    ))}
  </fieldset>
);
