import { Link } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Form } from '../../parts/form';
import { Page } from '../../parts/page';
import { ticketOf } from '../../ticket';
import { useAction } from '../../use-call';

/** The link that was mailed to a new address. */
export default function NewEmailPage() {
  const { words, api, refresh } = useConsole();
  const { newEmail, title } = words.profile;
  const [changed, setChanged] = useState<string>();
  const confirm = useAction(async () => {
    const ticket = ticketOf(window.location);
    const { email } = await api.call<{ email: string }>('POST', '/profile/email/confirm', { ticket });
    setChanged(email);
    await refresh();
  });
  return changed === undefined ? (
    <Page title={newEmail.title} lead={newEmail.lead}>
      <Form action={newEmail.action} on={confirm}>
        {null}
      </Form>
    </Page>
  ) : (
    <Page title={newEmail.done} lead={fill(newEmail.changed, { email: changed })}>
      <p>
        <Link to="/console/profile">{title}</Link>
      </p>
    </Page>
  );
}
