import type { OpenedInvitation } from '@presenza/contract/console/types.d.ts';
import { navigate } from 'gatsby';
import { useEffect, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Failure, Loading } from '../../parts/message';
import { Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/queries';
import { ticketOf } from '../../state/ticket';
import { ChooseCredential, type Credential } from './choose-credential';

/** New people choose how to sign in. Others join once they are signed in with the address of the invitation. */
export default function JoinPage() {
  const { texts, api, profile, refresh, chooseAccount } = useConsole();
  const { join } = texts.people;
  const ticket = ticketOf(window.location);
  const [invitation, setInvitation] = useState<OpenedInvitation>();
  const read = useAction(async () =>
    setInvitation(await dataOf(api.POST('/join/invitation', { body: { ticket } }))),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ticket is read once
  useEffect(() => read.run(), []);
  const enter = async (credential: Credential) => {
    const { accountId } = await dataOf(api.POST('/join', { body: { ticket, ...credential } }));
    await refresh();
    chooseAccount(accountId);
    await navigate('/console', { replace: true });
  };
  const asSignedIn = useAction(() => enter({}));

  if (!invitation) {
    return (
      <Page narrow title={join.title}>
        {read.error ? <Failure error={read.error} /> : <Loading label={texts.shell.loading} />}
      </Page>
    );
  }
  const { account, email, role, hasUser } = invitation;
  const filled = (text: string) =>
    fill(text, {
      account,
      email,
      role: texts.members.roles[role].label.toLowerCase(),
      other: profile?.email ?? '',
    });
  return (
    <Page narrow title={join.title} lead={filled(join.lead)}>
      {!hasUser && (
        <>
          {profile && <p>{filled(join.newPerson)}</p>}
          <ChooseCredential
            action={join.action}
            readOptions={() => dataOf(api.POST('/join/passkey-options', { body: { ticket } }))}
            onChoose={enter}
          />
        </>
      )}
      {hasUser && profile?.email === email && (
        <>
          <Failure error={asSignedIn.error} />
          <Button aria-busy={asSignedIn.isPending || undefined} onClick={() => asSignedIn.run()}>
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
  const { texts, api, profile, refresh } = useConsole();
  const { signIn } = texts.people;
  const leave = useAction(async () => {
    if (profile) await dataOf(api.POST('/sign-out'));
    await refresh();
    await navigate(`/console/sign-in?next=/console/join${window.location.hash}`);
  });
  return (
    <>
      <p>{text}</p>
      <Failure error={leave.error} />
      <Button aria-busy={leave.isPending || undefined} onClick={() => leave.run()}>
        {signIn.action}
      </Button>
    </>
  );
}
