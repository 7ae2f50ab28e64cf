import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { useConsole } from '../state/context';
import { useAction } from '../state/queries';
import * as styles from './form.module.css';
import { Failure } from './message';

/** The text of each field by its name. */
export type Values = Readonly<Record<string, string>>;

/** The values of a form: texts only, because a field of a form holds nothing else. Parse them in `onSubmit`. */
type Texts<V> = { readonly [Name in keyof V]: string };

interface FormProps<V extends Texts<V>> {
  /** Label of the button. */
  action: string;
  variant?: 'primary' | 'danger';
  /** Whether the fields are emptied after a success. */
  clears?: boolean;
  /** @param values of the fields, by their names. @throws CallError, which the form shows */
  onSubmit(values: V): Promise<unknown>;
  /** Beside the button. */
  others?: ReactNode;
  children: ReactNode;
}

/** A form that sends its fields once at a time and says what failed. */
export function Form<V extends Texts<V> = Values>({
  action,
  variant = 'primary',
  clears = false,
  onSubmit,
  others,
  children,
}: FormProps<V>) {
  const form = useRef<HTMLFormElement>(null);
  const { run, isPending, error, variables } = useAction(async (values: V) => {
    await onSubmit(values);
    if (clears) form.current?.reset();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    run(Object.fromEntries(entries) as V);
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      {children}
      <Failure error={error} onConfirm={() => variables && run(variables)} />
      <div className={styles.actions}>
        <Button type="submit" variant={variant} aria-busy={isPending || undefined}>
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

export function Field({ label, hint, ...others }: FieldProps) {
  const id = useId();
  const input = {
    id,
    className: styles.input,
    ...(hint && { 'aria-describedby': `${id}-hint` }),
    ...others,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
      </label>
      {others.type === 'password' ? <PasswordInput {...input} id={id} /> : <input {...input} />}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A field with a button that shows what is typed. Its label is the description of the button. */
function PasswordInput({ id, ...input }: ComponentProps<'input'> & { id: string }) {
  const { show, hide } = useConsole().texts.people.showPassword;
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.password}>
      <input
        id={id}
        {...input}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
      />
      <button
        type="button"
        className={styles.show}
        aria-describedby={`${id}-label`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? hide : show}
      </button>
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

interface ChecksProps<T extends string> {
  label: string;
  name: string;
  options: readonly { readonly value: T; readonly label: string }[];
  chosen: readonly NoInfer<T>[];
  onChange(chosen: NoInfer<T>[]): void;
}

/** Several of a few options. */
export const Checks = <T extends string>({ label, name, options, chosen, onChange }: ChecksProps<T>) => (
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
                .map((option) => option.value)
                .filter((option) => (option === value ? checked : chosen.includes(option))),
            )
          }
        />
        {text}
      </label>
    ))}
  </fieldset>
);
