/** Changes by people to their own sign-in. The console asks for a recent sign-in first. */

import { ConsoleError } from '../../errors';
import { newPassword, replacePassword } from './credentials';
import { emailOf } from './email';
import type { Identity } from './identity';
import { selfOf, senderOf } from './known-clients';
import { mailOf } from './mail';
import { newOneTimePasswords, newRecoveryCodes, useCode } from './one-time-passwords';
import type { Operators } from './operators';
import { addedPasskey, type NewPasskey, optionsToAdd } from './passkeys';
import { hashOf } from './secrets';
import type { Begun, SignedIn } from './sign-ins';
import { personOf } from './tickets';
import { hasSecondFactor, maxPasskeys, type User } from './users';

export class Profile {
  constructor(
    private readonly identity: Identity,
    private readonly operators: Pick<Operators, 'reconsider'>,
  ) {}

  /**
   * Ends all other sign-ins, and begins this one anew.
   * @param given.current the password until now, if there is one. @param address of the caller.
   * @throws ConsoleError WEAK_PASSWORD, WRONG_CREDENTIALS, TOO_MANY_ATTEMPTS
   */
  async setPassword(
    { user, signIn }: SignedIn,
    { current = '', password }: { current?: string | undefined; password: string },
    address: string,
  ): Promise<Begun> {
    const { passwords, signIns, limits } = this.identity;
    if (user.password !== undefined) {
      await limits.count('currentPassword', user.email, selfOf(user));
      if (!(await passwords.matches(current, user.password))) throw new ConsoleError('WRONG_CREDENTIALS');
    }
    const hashed = await newPassword(this.identity, user, password, address);
    return signIns.begin(await replacePassword(this.identity, user, hashed), signIn.isTwoFactor);
  }

  /** Mails a link to the new address. @throws ConsoleError INVALID_EMAIL, TOO_MANY_ATTEMPTS */
  async askForEmail(user: User, text: string): Promise<void> {
    const { users, tickets, mailer, limits, links, now } = this.identity;
    const email = emailOf(text);
    await limits.count('newEmailMail', email, senderOf(user, now()));
    const taken = await users.findByEmail(email);
    const secret = await tickets.issueTo('newEmail', personOf(user), { email }, user.id);
    // A known address gets no mail, and the response does not reveal that it is known.
    const mail = mailOf('newEmail', email, { link: links.ticket('newEmail', secret) });
    if (!taken) mailer.send(mail);
  }

  /** @throws ConsoleError LINK_INVALID */
  async confirmEmail(user: User, secret: string): Promise<User> {
    const { tickets, mailer, users } = this.identity;
    const { email } = await tickets.takeOf('newEmail', secret, personOf(user));
    const changed = await users.update(user.id, (current) => ({ ...current, email }));
    if (typeof changed !== 'object') throw new ConsoleError('LINK_INVALID');
    // Others may read the mails of the old address, which may have a link for a new password.
    await tickets.revoke(user.id);
    mailer.send(mailOf('emailChanged', user.email));
    return changed;
  }

  async beginOneTimePasswords(user: User) {
    const { secret, uri } = await newOneTimePasswords(user.email);
    const { tickets } = this.identity;
    const ticket = await tickets.issueTo('newOneTimePasswords', personOf(user), { secret }, user.id);
    return { ticket, secret, uri };
  }

  /**
   * Sets the second factor up once the app shows a right code. A first factor ends all sign-ins.
   * @returns the user as changed, and the recovery codes, which are shown this once
   * @throws ConsoleError LINK_INVALID, CODE_REFUSED, TOO_MANY_ATTEMPTS
   */
  async confirmOneTimePasswords(
    user: User,
    { ticket, code }: { ticket: string; code: string },
  ): Promise<{ readonly user: User; readonly recoveryCodes: readonly string[] }> {
    const { tickets, limits, now } = this.identity;
    await limits.count('newCode', user.id, selfOf(user));
    const { secret } = await tickets.findOf('newOneTimePasswords', ticket, personOf(user));
    const recoveryCodes = newRecoveryCodes();
    const fresh = { secret, lastStep: 0, recoveryCodes: recoveryCodes.map(hashOf) };
    const used = await useCode(fresh, code, now());
    if (!used) throw new ConsoleError('CODE_REFUSED');
    await tickets.takeOf('newOneTimePasswords', ticket, personOf(user));
    const changed = await this.addFactor(user, (before) => ({ ...before, oneTimePasswords: used }));
    await this.announce(user, 'An authenticator app was added.');
    return { user: changed, recoveryCodes };
  }

  async removeOneTimePasswords(user: User): Promise<void> {
    const changed = await this.update(user, ({ oneTimePasswords: _, ...rest }) => rest);
    await this.operators.reconsider(changed);
    await this.announce(user, 'Your authenticator app was removed.');
  }

  passkeyOptions(user: User) {
    return optionsToAdd(this.identity, user);
  }

  /** A first factor ends all sign-ins. @throws ConsoleError LINK_INVALID, PASSKEY_REFUSED, LIMIT_REACHED */
  async addPasskey(user: User, given: NewPasskey): Promise<User> {
    const passkey = await addedPasskey(this.identity, user, given);
    const changed = await this.addFactor(user, (current) => {
      if (current.passkeys.length >= maxPasskeys) throw new ConsoleError('LIMIT_REACHED');
      return { ...current, passkeys: [...current.passkeys, passkey] };
    });
    await this.announce(user, `The passkey "${passkey.name}" was added.`);
    return changed;
  }

  /** @throws ConsoleError NOT_FOUND, LAST_SIGN_IN */
  async removePasskey(user: User, id: string): Promise<User> {
    const changed = await this.update(user, (current) => {
      const passkeys = current.passkeys.filter((passkey) => passkey.id !== id);
      if (passkeys.length === current.passkeys.length) throw new ConsoleError('NOT_FOUND');
      if (passkeys.length === 0 && current.password === undefined) throw new ConsoleError('LAST_SIGN_IN');
      return { ...current, passkeys };
    });
    await this.operators.reconsider(changed);
    await this.announce(user, 'A passkey was removed.');
    return changed;
  }

  /** Adds a factor. The first one ends all sign-ins, because a thief of the password may have begun some of them. */
  private async addFactor(user: User, add: (user: User) => User): Promise<User> {
    const changed = await this.update(user, (before) => ({
      ...add(before),
      epoch: before.epoch + (hasSecondFactor(before) ? 0 : 1),
    }));
    if (changed.epoch !== user.epoch) await this.identity.signIns.endAll(changed);
    return changed;
  }

  private async update(user: User, change: (user: User) => User): Promise<User> {
    const changed = await this.identity.users.update(user.id, change);
    if (typeof changed !== 'object') throw new ConsoleError('SIGNED_OUT');
    return changed;
  }

  /** Notifies the person of a changed factor, and ends what was begun with the factors before it. */
  private async announce({ id, email }: User, change: string): Promise<void> {
    const { mailer, links, tickets } = this.identity;
    await tickets.revoke(id);
    mailer.send(mailOf('factorChanged', email, { change, signIn: links.signIn }));
  }
}
