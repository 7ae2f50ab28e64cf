/** Signing in with a password and, if the user has one, a second factor, or with a passkey. */
import { isDeepStrictEqual } from 'node:util';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { ConsoleError } from '../../errors';
import { newPassword, replacePassword } from './credentials';
import { emailOf } from './email';
import type { Identity } from './identity';
import type { Client } from './known-clients';
import { mailOf } from './mail';
import { useCode } from './one-time-passwords';
import { optionsToSignIn, userOfPasskey } from './passkeys';
import type { Begun } from './sign-ins';
import type { User } from './users';

export class SignIn {
  constructor(private readonly identity: Identity) {}

  /**
   * @param client the caller
   * @returns the sign-in, or the ticket of its second step
   * @throws ConsoleError WRONG_CREDENTIALS, TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async withPassword(
    { email: text, password }: { email: string; password: string },
    client: Client,
  ): Promise<Begun | { readonly secondFactor: string }> {
    const { users, passwords, limits, clients, tickets, signIns } = this.identity;
    const email = emailOf(text);
    const user = await users.findByEmail(email);
    await limits.count('password', email, await clients.partyOf(client, user));
    const matches = await passwords.matches(password, user?.password);
    if (!user || !matches) throw new ConsoleError('WRONG_CREDENTIALS');
    if (!user.oneTimePasswords) return signIns.begin(user, false);
    const { id, epoch } = user;
    return { secondFactor: await tickets.issue('secondFactor', { userId: id, epoch }, id) };
  }

  /** @throws ConsoleError LINK_INVALID, CODE_REFUSED, TOO_MANY_ATTEMPTS */
  async withCode({ ticket, code }: { ticket: string; code: string }, client: Client): Promise<Begun> {
    const { users, tickets, limits, clients, signIns, now } = this.identity;
    const { userId, epoch } = await tickets.find('secondFactor', ticket);
    await limits.count('code', userId, await clients.partyOf(client, { id: userId, epoch }));
    const known = (await users.find(userId))?.oneTimePasswords;
    const used = known && (await useCode(known, code, now()));
    if (!used) throw new ConsoleError('CODE_REFUSED');
    await tickets.take('secondFactor', ticket);
    const user = await users.update(userId, (current) => {
      // Somebody else used a code meanwhile, or the password or the app was changed.
      if (current.epoch !== epoch || !isDeepStrictEqual(current.oneTimePasswords, known)) {
        throw new ConsoleError('CODE_REFUSED');
      }
      return { ...current, oneTimePasswords: used };
    });
    if (typeof user !== 'object') throw new ConsoleError('CODE_REFUSED');
    return signIns.begin(user, true);
  }

  /** @throws ConsoleError TOO_MANY_ATTEMPTS */
  async passkeyOptions(client: Client) {
    const { limits, clients } = this.identity;
    await limits.countAnonymous(clients.visitorOf(client));
    return optionsToSignIn(this.identity);
  }

  /** @throws ConsoleError LINK_INVALID, PASSKEY_REFUSED */
  async withPasskey(given: { ticket: string; response: AuthenticationResponseJSON }): Promise<Begun> {
    return this.identity.signIns.begin(await userOfPasskey(this.identity, given), true);
  }

  /** Mails a link to choose a new password. Unknown addresses get the same response, and no mail. */
  async forgotten(text: string, client: Client): Promise<void> {
    const { users, tickets, mailer, limits, clients, links } = this.identity;
    const email = emailOf(text);
    const user = await users.findByEmail(email);
    if (!(await limits.mayMail('resetMail', email, await clients.partyOf(client, user)))) return;
    // If there is no user, the ticket opens nothing: it exists so that both cases take the same time.
    const { id = '', epoch = 0 } = user ?? {};
    const secret = await tickets.issue('reset', { userId: id, epoch, email }, user?.id ?? email);
    const mail = mailOf('reset', email, { link: links.ticket('reset', secret) });
    if (user) mailer.send(mail);
  }

  /**
   * Sets a new password and ends all sign-ins. It does not sign in: a second factor is still asked for.
   * @param address of the caller
   * @returns the person, whom the link proves
   * @throws ConsoleError LINK_INVALID, WEAK_PASSWORD, TOO_MANY_ATTEMPTS
   */
  async reset(secret: string, password: string, address: string): Promise<User> {
    const { users, tickets } = this.identity;
    const { userId, epoch, email } = await tickets.find('reset', secret);
    const user = await users.find(userId);
    // The address may have changed while the link was on its way there.
    if (!user || user.epoch !== epoch || user.email !== email) throw new ConsoleError('LINK_INVALID');
    const hashed = await newPassword(this.identity, user, password, address);
    await tickets.take('reset', secret);
    return replacePassword(this.identity, user, hashed);
  }
}
