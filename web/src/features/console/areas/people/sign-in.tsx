import { Link, navigate } from 'gatsby';
import { useState } from 'react';
import { useConsole } from '../../context';
import { nextAddress } from '../../next-address';
import { Field, Form, type Values } from '../../parts/form';
import { Page } from '../../parts/page';
import { useAction } from '../../use-call';

export default function SignInPage() {
  const { words, api, refresh } = useConsole();
  const { email, password, signIn } = words.people;
  const [, setSecondFactor] = useState<string>();
  const enter = async () => {
    await refresh();
    await navigate(nextAddress(window.location.search) + window.location.hash, { replace: true });
  };
  const withPassword = useAction(async (values: Values) => {
    const result = await api.call<{ secondFactor?: string }>('POST', '/sign-in', values);
    if (result.secondFactor) setSecondFactor(result.secondFactor);
    else await enter();
  });
  return (
    <Page narrow title={signIn.title}>
      <Form action={signIn.action} on={withPassword}>
        <Field name="email" type="email" label={email} autoComplete="username" required maxLength={254} />
        <Field name="password" type="password" label={password} autoComplete="current-password" required />
      </Form>
      <p>
        <Link to="/console/reset">{signIn.forgot}</Link>
      </p>
      <p>
        <Link to="/console/sign-up">{signIn.new}</Link>
      </p>
    </Page>
  );
}
