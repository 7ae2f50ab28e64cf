/** How a new person will sign in: with a password, or with a passkey where the browser has them. */
import type { PasskeyOptions } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Form } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { type NamedPasskey, PasskeyForm } from '../../parts/passkey-form';
import { useConsole } from '../../state/context';
import { hasPasskeys, usePasskeys } from '../../state/passkeys';
import type { Body } from '../../state/queries';

/** A password, or a new passkey with the ticket of its options. */
export type Credential = Omit<Body<'/sign-up/confirm', 'post'>, 'ticket'>;

interface ChooseCredentialProps {
  /** Label of the button. */
  action: string;
  /** Makes the call for the options of a passkey. @throws CallError */
  readOptions(): Promise<PasskeyOptions>;
  /** Sends the choice. @throws CallError */
  onChoose(credential: Credential): Promise<void>;
}

export function ChooseCredential({ action, readOptions, onChoose }: ChooseCredentialProps) {
  const { usePasskey, usePassword, passkeyHint } = useConsole().texts.people;
  const passkeys = usePasskeys();
  const [byPasskey, setByPasskey] = useState(false);
  const chooseNewPasskey = async ({ passkeyName }: NamedPasskey) => {
    const options = await readOptions();
    const passkey = await passkeys.create(options);
    await onChoose({ passkeyTicket: options.ticket, passkey, passkeyName });
  };
  const other = hasPasskeys() && (
    <Button variant="secondary" onClick={() => setByPasskey(!byPasskey)}>
      {byPasskey ? usePassword : usePasskey}
    </Button>
  );
  return byPasskey ? (
    <>
      <p>{passkeyHint}</p>
      <PasskeyForm action={action} onSubmit={chooseNewPasskey} others={other} />
    </>
  ) : (
    <Form action={action} onSubmit={(values: { password: string }) => onChoose(values)} others={other}>
      <NewPassword />
    </Form>
  );
}
