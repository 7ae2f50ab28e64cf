/**
 * Sign-up. It takes only an email address: the mailed link sets the password or the passkey. So nobody can prepare a
 * password for the address of somebody else, and known and unknown addresses get the same response in the same time.
 */
import { ConsoleError, undefinedIfNotFound } from '../../errors';
import { newAccountName } from '../keys/account-name';
import type { KeyService } from '../keys/keys';
import type { PlanTier } from '../plans/terms';
import { type Credential, credentialOf } from './credentials';
import { emailOf } from './email';
import type { Identity } from './identity';
import type { Client } from './known-clients';
import { mailOf } from './mail';
import { maxMembers, openInvitation } from './members';
import type { Begun } from './sign-ins';
import { ticketIdOf } from './tickets';
import { newUserId, type User } from './users';

/** A new user, with the plan of the page that led to the sign-up. */
interface Confirmed {
  readonly begun: Begun;
  readonly plan?: string;
}

export class SignUp {
  constructor(
    private readonly identity: Identity,
    private readonly accounts: Pick<KeyService, 'createAccount' | 'findAccount'>,
  ) {}

  /**
   * Mails a link, to known addresses one to sign in.
   * @param plan from the page that led here. @param client the caller.
   * @throws ConsoleError INVALID_EMAIL, TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async begin(wanted: { email: string; plan?: string }, client: Client): Promise<void> {
    const { users, tickets, mailer, limits, clients, links } = this.identity;
    const email = emailOf(wanted.email);
    const user = await users.findByEmail(email);
    if (!(await limits.mayMail('signUpMail', email, await clients.partyOf(client, user)))) return;
    if (user) {
      const ticket = { userId: user.id, epoch: user.epoch, email };
      const secret = await tickets.issue('reset', ticket, user.id);
      const values = { link: links.ticket('reset', secret), signIn: links.signIn };
      return mailer.send(mailOf('knownAddress', email, values));
    }
    const { plan } = wanted;
    const secret = await tickets.issue('signUp', { email, ...(plan !== undefined && { plan }) }, email);
    mailer.send(mailOf('signUp', email, { link: links.ticket('signUp', secret) }));
  }

  /**
   * Creates the user and an account, and signs in.
   * @param address of the caller
   * @throws ConsoleError LINK_INVALID, WEAK_PASSWORD, TOO_MANY_ATTEMPTS, PASSKEY_REFUSED, ApiError SERVICE_UNAVAILABLE
   */
  async confirm(secret: string, credential: Credential, address: string): Promise<Confirmed> {
    const { tickets, users, signIns } = this.identity;
    const { email, plan } = await tickets.find('signUp', secret);
    const user = await this.newUser(email, credential, { secret, address });
    await tickets.take('signUp', secret);
    if (!(await users.add(user))) throw new ConsoleError('LINK_INVALID');
    await this.addAccount(user);
    const begun = await signIns.begin(user, 'passkey' in credential);
    return { begun, ...(plan !== undefined && { plan }) };
  }

  /**
   * Creates an account for somebody who is a member of none, because they left theirs or were removed.
   * @throws ConsoleError HAS_ACCOUNT, TOO_MANY_ATTEMPTS, ApiError SERVICE_UNAVAILABLE
   */
  async createAccount(user: User): Promise<{ readonly accountId: string }> {
    const { members, limits } = this.identity;
    if ((await members.accountsOf(user.id)).length > 0) throw new ConsoleError('HAS_ACCOUNT');
    // It also bounds how many accounts calls at the same moment make.
    await limits.countNewAccount(user.id);
    return { accountId: await this.addAccount(user) };
  }

  /** Creates an account on the free plan. Its owner confirms any other plan on the billing page. */
  private async addAccount({ id: userId }: User): Promise<string> {
    const { id } = await this.accounts.createAccount(newAccountName(), 'free' as PlanTier);
    await this.identity.members.change(id, userId, 'owner', maxMembers);
    return id;
  }

  /**
   * Adds the invited person, who may be new, to an account, and signs in a new one.
   * @param user who is signed in, if somebody is. @param credential of a new user. @param address of
   * the caller.
   * @throws ConsoleError LINK_INVALID, SIGNED_OUT for a known user who is not signed in, WEAK_PASSWORD,
   * TOO_MANY_ATTEMPTS, PASSKEY_REFUSED
   */
  async join(secret: string, user: User | undefined, credential: Credential | undefined, address: string) {
    const { tickets, users, members, signIns } = this.identity;
    const { email, accountId, role, inviter } = await openInvitation(this.identity, secret);
    // The account may have been deleted meanwhile.
    if (!(await this.accounts.findAccount(accountId).catch(undefinedIfNotFound)))
      throw new ConsoleError('LINK_INVALID');
    const known = await users.findByEmail(email);
    if (known && known.id !== user?.id) throw new ConsoleError('SIGNED_OUT');
    if (!known && !credential) throw new ConsoleError('WEAK_PASSWORD');
    const member = known ?? (await this.newUser(email, credential as Credential, { secret, address }));
    await tickets.take('invitation', secret);
    if (!known && !(await users.add(member))) throw new ConsoleError('LINK_INVALID');
    if ((await members.roleOf(accountId, member.id)) !== undefined) throw new ConsoleError('ALREADY_MEMBER');
    const invitation = { id: ticketIdOf(secret), inviter };
    const outcome = await members.change(accountId, member.id, role, maxMembers, invitation);
    if (outcome === 'uninvited') throw new ConsoleError('LINK_INVALID');
    if (outcome === 'full') throw new ConsoleError('LIMIT_REACHED');
    return {
      accountId,
      begun: known ? undefined : await signIns.begin(member, member.password === undefined),
    };
  }

  private async newUser(
    email: string,
    credential: Credential,
    source: { readonly secret: string; readonly address: string },
  ): Promise<User> {
    const user = { id: newUserId(), email, createdAt: this.identity.now(), epoch: 0, passkeys: [] };
    return { ...user, ...(await credentialOf(this.identity, user, credential, source)) };
  }
}
