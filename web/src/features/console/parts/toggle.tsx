import * as styles from './toggle.module.css';

interface ToggleProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [value: NoInfer<T>, label: string])[];
  onChoose(value: NoInfer<T>): void;
}

/** A choice among a few short options, side by side. */
export const Toggle = <T extends string>({ label, value, options, onChoose }: ToggleProps<T>) => (
  <fieldset className={styles.toggle}>
    <legend className="visually-hidden">{label}</legend>
    {options.map(([option, text]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChoose(option)}>
        {text}
      </button>
    ))}
  </fieldset>
);
