import { useState } from 'react';
import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Field, Form, type Values } from '../../parts/form';
import { Block } from '../../parts/page';
import { useAction } from '../../use-call';

export function EmailAddress() {
  const { words, api } = useConsole();
  const { email } = words.profile;
  const [sentTo, setSentTo] = useState<string>();
  const change = useAction(async ({ email: address = '' }: Values) => {
    setSentTo(undefined);
    await api.call('POST', '/profile/email', { email: address });
    setSentTo(address);
  });
  return (
    <Block title={email.title}>
      <Form action={email.action} on={change}>
        <Field
          name="email"
          type="email"
          label={email.label}
          hint={email.hint}
          autoComplete="email"
          required
          maxLength={254}
        />
      </Form>
      <p role="status">{sentTo !== undefined && fill(email.sent, { email: sentTo })}</p>
    </Block>
  );
}
