import { Link, navigate } from 'gatsby';
import { useConsole } from '../../context';
import { Page } from '../../parts/page';
import { ticketOf } from '../../ticket';
import { ChooseCredential } from './choose-credential';

export default function ConfirmPage() {
  const { words, api, refresh } = useConsole();
  const { confirm } = words.people;
  const ticket = ticketOf(window.location);
  const create = async (credential: object) => {
    await api.call('POST', '/sign-up/confirm', { ticket, ...credential });
    await refresh();
    await navigate('/console', { replace: true });
  };
  return (
    <Page narrow title={confirm.title} lead={confirm.lead}>
      <ChooseCredential
        action={confirm.action}
        ticket={ticket}
        optionsPath="/sign-up/passkey-options"
        onChoose={create}
      />
      <p>
        <Link to="/console/sign-up">{confirm.again}</Link>
      </p>
    </Page>
  );
}
