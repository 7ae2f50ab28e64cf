/** How a new person will sign in: with a password, or with a passkey where the browser has them. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Form, type Values } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { PasskeyForm } from '../../parts/passkey-form';
import { useConsole } from '../../state/context';
import { hasPasskeys, type PasskeyOptions, usePasskeys } from '../../state/passkeys';
import { useAction } from '../../state/use-call';

interface ChooseCredentialProps {
  /** Label of the button. */
  action: string;
  /** Of the mailed link. */
  ticket: string;
  /** The call with options for a passkey. */
  optionsPath: string;
  /** Sends the choice. @throws CallError */
  onChoose(credential: object): Promise<void>;
}

export function ChooseCredential({ action, ticket, optionsPath, onChoose }: ChooseCredentialProps) {
  const { words, api } = useConsole();
  const { usePasskey, usePassword, passkeyHint } = words.people;
  const passkeys = usePasskeys();
  const [byPasskey, setByPasskey] = useState(false);
  const withPassword = useAction(async (values: Values) => onChoose(values));
  const withPasskey = useAction(async ({ passkeyName: name = '' }: Values) => {
    const begun = await api.call<PasskeyOptions>('POST', optionsPath, { ticket });
    const passkey = await passkeys.create(begun);
    await onChoose({ passkeyTicket: begun.ticket, passkey, passkeyName: name });
  });
  const other = hasPasskeys() && (
    <Button look="secondary" onClick={() => setByPasskey(!byPasskey)}>
      {byPasskey ? usePassword : usePasskey}
    </Button>
  );
  return byPasskey ? (
    <>
      <p>{passkeyHint}</p>
      <PasskeyForm action={action} on={withPasskey} others={other} />
    </>
  ) : (
    <Form action={action} on={withPassword} others={other}>
      <NewPassword />
    </Form>
  );
}
