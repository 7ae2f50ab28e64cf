import type { ReactNode } from 'react';
import { useConsole } from '../state/context';
import type { Action } from '../state/use-call';
import { Field, Form, type Values } from './form';

interface PasskeyFormProps {
  /** Label of the button. */
  action: string;
  /** Called with the name of the passkey. */
  on: Action<[Values]>;
  /** Beside the button. */
  others?: ReactNode;
}

/** Asks for the name of a new passkey, before the browser asks for the passkey. */
export function PasskeyForm(form: PasskeyFormProps) {
  const { label, default: name } = useConsole().words.people.passkeyName;
  return (
    <Form {...form}>
      <Field
        name="passkeyName"
        label={label}
        defaultValue={name}
        required
        maxLength={64}
        autoComplete="off"
      />
    </Form>
  );
}
