import { Link } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Field, Form, type Values } from '../../parts/form';
import { Page } from '../../parts/page';
import { useAction } from '../../use-call';
import { MailSent } from './mail-sent';

export default function ResetPage() {
  const { words, api, profile } = useConsole();
  const { email, reset } = words.people;
  const [sentTo, setSentTo] = useState<string>();
  const begin = (address: string) => api.call('POST', '/reset', { email: address });
  const send = useAction(async ({ email: address = '' }: Values) => {
    await begin(address);
    setSentTo(address);
  });
  if (sentTo !== undefined) {
    return (
      <MailSent
        text={fill(reset.sent, { email: sentTo })}
        onResend={() => begin(sentTo)}
        onBack={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page narrow title={reset.title} lead={reset.lead}>
      <Form action={reset.action} on={send}>
        <Field
          name="email"
          type="email"
          label={email}
          autoComplete="username"
          required
          maxLength={254}
          defaultValue={profile?.email}
        />
      </Form>
      <p>
        <Link to="/console/sign-in">{reset.back}</Link>
      </p>
    </Page>
  );
}
