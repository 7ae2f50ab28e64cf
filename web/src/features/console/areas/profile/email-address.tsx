import { useState } from 'react';
import { fill } from '../../../../fill';
import { EmailField, Form } from '../../parts/form';
import { Block } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';

export function EmailAddress() {
  const { texts, settings, api } = useConsole();
  const { email } = texts.profile;
  const sent = settings.smtp ? email.sent : texts.people.mailSent.mailbox.text;
  const [sentTo, setSentTo] = useState<string>();
  const change = async (body: { email: string }) => {
    setSentTo(undefined);
    await dataOf(api.POST('/profile/email', { body }));
    setSentTo(body.email);
  };
  return (
    <Block title={email.title}>
      <Form action={email.action} onSubmit={change}>
        <EmailField label={email.label} hint={email.hint} autoComplete="email" />
      </Form>
      <p role="status">{sentTo !== undefined && fill(sent, { email: sentTo })}</p>
    </Block>
  );
}
