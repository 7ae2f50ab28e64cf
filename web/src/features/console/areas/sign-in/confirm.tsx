import { Link, navigate } from 'gatsby';
import { Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePlans } from '../../state/plans';
import { ticketOf } from '../../state/ticket';
import { ChooseCredential, type Credential } from './choose-credential';

export default function ConfirmPage() {
  const { texts, api, refresh } = useConsole();
  const { confirm } = texts.people;
  const plans = usePlans();
  const ticket = ticketOf(window.location);
  const create = async (credential: Credential) => {
    const { plan } = await dataOf(api.POST('/sign-up/confirm', { body: { ticket, ...credential } }));
    await refresh();
    // The page asks before it requests a plan that costs something.
    const isOffered = plans.some(
      ({ tier, pricing }) => tier === plan && pricing.basePrice !== 0 && !pricing.isCustom,
    );
    await navigate(isOffered ? `/console/billing?plan=${plan}` : '/console', { replace: true });
  };
  return (
    <Page narrow title={confirm.title} lead={confirm.lead}>
      <ChooseCredential
        action={confirm.action}
        readOptions={() => dataOf(api.POST('/sign-up/passkey-options', { body: { ticket } }))}
        onChoose={create}
      />
      <p>
        <Link to="/console/sign-up">{confirm.again}</Link>
      </p>
    </Page>
  );
}
