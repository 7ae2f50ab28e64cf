import { navigate } from 'gatsby';
import { useEffect, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { type Role, useConsole } from '../../context';
import { Failure, Loading } from '../../parts/message';
import { Page } from '../../parts/page';
import { ticketOf } from '../../ticket';
import { useAction } from '../../use-call';
import { ChooseCredential } from './choose-credential';

interface Invitation {
  readonly account: string;
  readonly email: string;
  readonly role: Role;
  readonly hasUser: boolean;
}

/** New people choose how to sign in. Others join once they are signed in with the address of the invitation. */
export default function JoinPage() {
  const { words, api, profile, refresh, chooseAccount } = useConsole();
  const { join } = words.people;
  const ticket = ticketOf(window.location);
  const [invitation, setInvitation] = useState<Invitation>();
  const read = useAction(async () =>
    setInvitation(await api.call<Invitation>('POST', '/join/invitation', { ticket })),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ticket is read once
  useEffect(() => void read.run(), []);
  const enter = async (credential: object) => {
    const { accountId } = await api.call<{ accountId: string }>('POST', '/join', { ticket, ...credential });
    await refresh();
    chooseAccount(accountId);
    await navigate('/console', { replace: true });
  };
  const asSignedIn = useAction(() => enter({}));

  if (!invitation) {
    return (
      <Page narrow title={join.title}>
        {read.error ? <Failure error={read.error} /> : <Loading label={words.shell.loading} />}
      </Page>
    );
  }
  const { account, email, role, hasUser } = invitation;
  const filled = (text: string) =>
    fill(text, {
      ...{ account, email, role: words.members.roles[role].label.toLowerCase() },
      other: profile?.email ?? '',
    });
  return (
    <Page narrow title={join.title} lead={filled(join.lead)}>
      {!hasUser && (
        <>
          {profile && <p>{filled(join.newPerson)}</p>}
          <ChooseCredential
            action={join.action}
            ticket={ticket}
            optionsPath="/join/passkey-options"
            onChoose={enter}
          />
        </>
      )}
      {hasUser && profile?.email === email && (
        <>
          <Failure error={asSignedIn.error} />
          <Button aria-busy={asSignedIn.isBusy || undefined} onClick={() => void asSignedIn.run()}>
            {join.action}
          </Button>
        </>
      )}
      {hasUser && profile?.email !== email && (
        <SignInFirst text={filled(profile ? join.other : join.signIn)} />
      )}
    </Page>
  );
}

/** Leads to the page for signing in, and back here. Another person is signed out first. */
function SignInFirst({ text }: { text: string }) {
  const { words, api, profile, refresh } = useConsole();
  const { signIn } = words.people;
  const leave = useAction(async () => {
    if (profile) await api.call('POST', '/sign-out', {});
    await refresh();
    await navigate(`/console/sign-in?next=/console/join${window.location.hash}`);
  });
  return (
    <>
      <p>{text}</p>
      <Failure error={leave.error} />
      <Button aria-busy={leave.isBusy || undefined} onClick={() => void leave.run()}>
        {signIn.action}
      </Button>
    </>
  );
}
