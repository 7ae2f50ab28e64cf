import { useId } from 'react';
import * as styles from './choice-row.module.css';

interface ChoiceRowProps<T extends string> {
  label: string;
  options: readonly { readonly value: T; readonly label: string }[];
  chosen: NoInfer<T>;
  onChange(chosen: NoInfer<T>): void;
}

/** One of a few options, all visible. */
export function ChoiceRow<T extends string>({ label, options, chosen, onChange }: ChoiceRowProps<T>) {
  const group = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div>
        {options.map(({ value, label: text }) => (
          <label key={value}>
            <input type="radio" name={group} checked={value === chosen} onChange={() => onChange(value)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
