import type { ReactNode } from 'react';
import { useConsole } from '../state/context';
import { Field, Form } from './form';

export interface NamedPasskey {
  readonly passkeyName: string;
}

interface PasskeyFormProps {
  /** Label of the button. */
  action: string;
  /** @param values with the name of the passkey. @throws CallError, which the form shows */
  onSubmit(values: NamedPasskey): Promise<unknown>;
  /** Beside the button. */
  others?: ReactNode;
}

/** Asks for the name of a new passkey, before the browser asks for the passkey. */
export function PasskeyForm(form: PasskeyFormProps) {
  const { label, default: name } = useConsole().texts.people.passkeyName;
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
