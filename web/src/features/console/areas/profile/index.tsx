import { Deletion } from '../../parts/deletion';
import { ConfirmIdentity } from '../../parts/message';
import { Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { maySecure, useConsole } from '../../state/context';
import { Authenticator } from './authenticator';
import { EmailAddress } from './email-address';
import { Passkeys } from './passkeys';
import { Password } from './password';
import { SignIns } from './sign-ins';

export default function ProfilePage() {
  const { texts, api, profile, refresh } = useConsole();
  if (!profile) return null;
  const { deletion } = texts.profile;
  return (
    <Page title={texts.profile.title} lead={profile.email}>
      {!maySecure(profile) && (
        <p>
          {texts.profile.old} <ConfirmIdentity />
        </p>
      )}
      <EmailAddress />
      <Password hasPassword={profile.hasPassword} />
      <Passkeys passkeys={profile.passkeys} />
      <Authenticator profile={profile} />
      <SignIns />
      <Deletion
        texts={deletion}
        question={{ title: deletion.title, text: deletion.confirm }}
        name={profile.email}
        erase={() => dataOf(api.DELETE('/profile'))}
        onClose={() => void refresh()}
      />
    </Page>
  );
}
