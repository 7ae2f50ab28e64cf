/** The ways to sign in that a person chooses. */
import { ConsoleError } from '../../errors';
import type { Identity } from './identity';
import { mailOf } from './mail';
import { firstPasskey, type NewPasskey } from './passkeys';
import type { User } from './users';

/**
 * The hash of a password that a person chooses.
 * @param address of the caller
 * @throws ConsoleError WEAK_PASSWORD, TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
 */
export async function newPassword(
  { passwords, limits }: Pick<Identity, 'passwords' | 'limits'>,
  { email }: Pick<User, 'email'>,
  password: string,
  address: string,
): Promise<string> {
  await limits.countNewPassword(email, address);
  passwords.check(password, email);
  return passwords.hash(password);
}

/**
 * Stores a new password, ends all sign-ins and tickets, and notifies the person.
 * @throws ConsoleError SIGNED_OUT without such a user
 */
export async function replacePassword(
  { users, signIns, tickets, mailer, links }: Identity,
  { id }: Pick<User, 'id'>,
  hashed: string,
): Promise<User> {
  const user = await users.update(id, (current) => ({
    ...current,
    password: hashed,
    epoch: current.epoch + 1,
  }));
  if (typeof user !== 'object') throw new ConsoleError('SIGNED_OUT');
  await Promise.all([signIns.endAll(user), tickets.revoke(id)]);
  mailer.send(mailOf('passwordChanged', user.email, { signIn: links.signIn }));
  return user;
}

export type Credential = { readonly password: string } | { readonly passkey: NewPasskey };

/**
 * The fields of a new user. With a passkey, the id is the one that the authenticator stores.
 * @param secret of the mailed link. @param address of the caller
 * @throws ConsoleError WEAK_PASSWORD, TOO_MANY_ATTEMPTS, LINK_INVALID, PASSKEY_REFUSED
 */
export async function credentialOf(
  identity: Identity,
  user: Pick<User, 'email'>,
  credential: Credential,
  { secret, address }: { readonly secret: string; readonly address: string },
): Promise<Pick<User, 'password'> | Pick<User, 'id' | 'passkeys'>> {
  if ('password' in credential) {
    return { password: await newPassword(identity, user, credential.password, address) };
  }
  const { userId, passkey } = await firstPasskey(identity, secret, credential.passkey);
  return { id: userId, passkeys: [passkey] };
}
