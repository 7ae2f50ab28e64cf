import { Link } from 'gatsby';
import { useState } from 'react';
import { Form } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { ticketOf } from '../../state/ticket';

export default function NewPasswordPage() {
  const { texts, api, refresh } = useConsole();
  const { reset, signIn } = texts.people;
  const [isDone, setDone] = useState(false);
  const save = async ({ password }: { password: string }) => {
    await dataOf(api.POST('/reset/confirm', { body: { ticket: ticketOf(window.location), password } }));
    setDone(true);
    await refresh();
  };
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
      <Form action={reset.choose.action} onSubmit={save}>
        <NewPassword />
      </Form>
      <p>
        <Link to="/console/reset">{reset.again}</Link>
      </p>
    </Page>
  );
}
