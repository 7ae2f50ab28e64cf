/** The ways to sign in that a person chooses. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Identity } from './identity';
import { addedPasskey } from './passkeys';
import type { User } from './users';

/** The response of an authenticator, with the ticket of its challenge. */
export interface NewPasskey {
  readonly ticket: string;
  readonly response: RegistrationResponseJSON;
  readonly name?: string;
}

export type Credential = { readonly password: string } | { readonly passkey: NewPasskey };

/**
 * The fields of a new user. With a passkey, the id is the one that the authenticator stores.
 * @throws Refused WEAK_PASSWORD, LINK_INVALID, PASSKEY_REFUSED
 */
export async function credentialOf(
  identity: Identity,
  { email }: Pick<User, 'email'>,
  credential: Credential,
): Promise<Pick<User, 'password'> | Pick<User, 'id' | 'passkeys'>> {
  if ('password' in credential) {
    identity.passwords.check(credential.password, email);
    return { password: await identity.passwords.hash(credential.password) };
  }
  const { userId, passkey } = await addedPasskey(identity, credential.passkey);
  return { id: userId, passkeys: [passkey] };
}
