import { Link } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Form } from '../../parts/form';
import { Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { ticketOf } from '../../state/ticket';

/** The link that was mailed to a new address. */
export default function NewEmailPage() {
  const { texts, api, refresh } = useConsole();
  const { newEmail, title } = texts.profile;
  const [changed, setChanged] = useState<string>();
  const confirm = async () => {
    const ticket = ticketOf(window.location);
    const { email } = await dataOf(api.POST('/profile/email/confirm', { body: { ticket } }));
    setChanged(email);
    await refresh();
  };
  return changed === undefined ? (
    <Page title={newEmail.title} lead={newEmail.lead}>
      <Form action={newEmail.action} onSubmit={confirm}>
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
