import { Deletion } from '../../parts/deletion';
import { SignInAgain } from '../../parts/message';
import { Page } from '../../parts/page';
import { maySecure, type Profile, useConsole } from '../../state/context';
import { Authenticator } from './authenticator';
import { EmailAddress } from './email-address';
import { Passkeys } from './passkeys';
import { Password } from './password';
import { SignIns } from './sign-ins';

export default function ProfilePage() {
  const { words, profile, refresh } = useConsole();
  if (!profile) return null;
  const { deletion } = words.profile;
  return (
    <Page title={words.profile.title} lead={profile.email}>
      {!maySecure(profile) && (
        <p>
          {words.profile.old} <SignInAgain />
        </p>
      )}
      <EmailAddress />
      <Password hasPassword={profile.hasPassword} />
      <Passkeys passkeys={profile.passkeys} />
      <Authenticator profile={profile} />
      <SignIns />
      <Deletion
        words={deletion}
        question={{ title: deletion.title, text: deletion.confirm }}
        name={profile.email}
        path="/profile"
        onClose={() => void refresh()}
      />
    </Page>
  );
}

export interface OfProfile {
  readonly profile: Profile;
}
