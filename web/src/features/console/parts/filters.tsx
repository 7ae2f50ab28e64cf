import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import * as styles from './filters.module.css';
import { Choice, Field, Form, type Values } from './form';

/** The choices above a list, side by side where there is room. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className={styles.filters}>{children}</div>
);

/** The labels of options by their values, in the form that a filter takes. */
export const entriesOf = <T extends string>(labels: Readonly<Record<T, string>>) =>
  Object.entries(labels) as [T, string][];

interface FilterProps<T extends string> {
  name: string;
  label: string;
  value: T;
  options: readonly (readonly [value: NoInfer<T>, label: string])[];
  onChoose(value: NoInfer<T>): void;
}

export const Filter = <T extends string>({ options, onChoose, ...choice }: FilterProps<T>) => (
  <Choice
    {...choice}
    options={options.map(([value, label]) => ({ value, label }))}
    onChange={({ currentTarget }) => onChoose(currentTarget.value as T)}
  />
);

interface FindProps extends ComponentProps<typeof Field> {
  /** The text that the list is filtered by; empty: none. */
  value: string;
  /** Labels of the buttons. */
  action: string;
  all: string;
  onFind(text: string): void;
}

/** Filters a list by a text. */
export function Find({ value, action, all, onFind, ...field }: FindProps) {
  const find = async (values: Values) => onFind(values[field.name]?.trim() ?? '');
  return (
    <div className={styles.find}>
      {/* Another text, or none, starts the form anew. */}
      <Form
        key={value}
        action={action}
        onSubmit={find}
        others={
          value && (
            <Button variant="secondary" onClick={() => onFind('')}>
              {all}
            </Button>
          )
        }
      >
        <Field {...field} defaultValue={value} autoComplete="off" />
      </Form>
    </div>
  );
}
