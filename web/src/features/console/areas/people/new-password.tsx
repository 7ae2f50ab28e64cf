import { Link } from 'gatsby';
import { useState } from 'react';
import { useConsole } from '../../context';
import { Form, type Values } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { Page } from '../../parts/page';
import { ticketOf } from '../../ticket';
import { useAction } from '../../use-call';

export default function NewPasswordPage() {
  const { words, api, refresh } = useConsole();
  const { reset, signIn } = words.people;
  const [isDone, setDone] = useState(false);
  const save = useAction(async (values: Values) => {
    await api.call('POST', '/reset/confirm', { ticket: ticketOf(window.location), ...values });
    setDone(true);
    await refresh();
  });
  if (isDone) {
    return (
      <Page narrow title={reset.done.title} lead={reset.done.text}>
        <p>
          <Link to="/console/sign-in">{signIn.action}</Link>
        </p>
      </Page>
    );
  }
  return (
    <Page narrow title={reset.choose.title} lead={reset.choose.lead}>
      <Form action={reset.choose.action} on={save}>
        <NewPassword />
      </Form>
      <p>
        <Link to="/console/reset">{reset.again}</Link>
      </p>
    </Page>
  );
}
