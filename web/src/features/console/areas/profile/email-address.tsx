import { useState } from 'react';
import { fill } from '../../../../fill';
import { EmailField, Form, type Values } from '../../parts/form';
import { Block } from '../../parts/page';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/use-call';

export function EmailAddress() {
  const { words, settings, api } = useConsole();
  const { email } = words.profile;
  const sent = settings.smtp ? email.sent : words.people.mailSent.mailbox.text;
  const [sentTo, setSentTo] = useState<string>();
  const change = useAction(async ({ email: address = '' }: Values) => {
    setSentTo(undefined);
    await api.call('POST', '/profile/email', { email: address });
    setSentTo(address);
  });
  return (
    <Block title={email.title}>
      <Form action={email.action} on={change}>
        <EmailField label={email.label} hint={email.hint} autoComplete="email" />
      </Form>
      <p role="status">{sentTo !== undefined && fill(sent, { email: sentTo })}</p>
    </Block>
  );
}
