/** The people of accounts and their roles. */

import { ConsoleError } from '../../errors';
import type { Role } from '../rights/roles';
import { isoTime } from '../timing/iso-time';
import { emailOf } from './email';
import type { Identity } from './identity';
import { senderOf } from './known-clients';
import { mailOf } from './mail';
import { type Ticket, ticketIdOf, ticketLifetimesMs } from './tickets';
import type { User } from './users';

/** Members and open invitations together. */
export const maxMembers = 50;

export interface MemberView {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
}

/** The people of an account, by email address. */
export async function peopleOf(
  { members, users }: Pick<Identity, 'members' | 'users'>,
  accountId: string,
): Promise<MemberView[]> {
  const views = await Promise.all(
    Object.entries(await members.membersOf(accountId)).map(async ([userId, role]) => {
      const user = await users.find(userId);
      return user && { userId, email: user.email, role };
    }),
  );
  return views.filter((view) => view !== undefined).sort((a, b) => a.email.localeCompare(b.email));
}

export class MemberService {
  constructor(private readonly identity: Identity) {}

  list(accountId: string): Promise<MemberView[]> {
    return peopleOf(this.identity, accountId);
  }

  /** Unused invitations, in the order in which they expire. */
  async invitations(accountId: string) {
    const [open, list] = await Promise.all([
      this.identity.tickets.list('invitation', accountId),
      this.list(accountId),
    ]);
    return open
      .sort((a, b) => a.endsAt - b.endsAt)
      .map(({ id, email, role, inviter, endsAt }) => ({
        invitationId: id,
        email,
        role,
        expiresAt: isoTime(endsAt),
        // An owner, because invitations end with the role of the person who sent them.
        invitedBy: list.find(({ userId }) => userId === inviter)?.email ?? '',
      }));
  }

  /** @throws ConsoleError NOT_FOUND */
  async withdraw(accountId: string, invitationId: string): Promise<void> {
    if (!(await this.identity.tickets.withdraw(accountId, invitationId))) throw new ConsoleError('NOT_FOUND');
  }

  /**
   * Mails a link, which replaces an earlier one to the same address.
   * @throws ConsoleError INVALID_EMAIL, ALREADY_MEMBER, LIMIT_REACHED, TOO_MANY_ATTEMPTS
   */
  async invite(accountId: string, inviter: User, to: { email: string; role: Role }) {
    const { tickets, members, mailer, limits, links, now } = this.identity;
    const email = emailOf(to.email);
    const list = await this.list(accountId);
    if (list.some((member) => member.email === email)) throw new ConsoleError('ALREADY_MEMBER');
    await limits.count('invitationMail', email, senderOf(inviter, now()));
    // The seats are read before the tickets: every seat in this list had its ticket, so one without a ticket has ended.
    const seats = await members.seatsOf(accountId);
    const open = await tickets.list('invitation', accountId);
    const earlier = open.filter((invitation) => invitation.email === email).map(({ id }) => id);
    const ended = seats.filter((seat) => !open.some(({ id }) => id === seat));
    const ticket = { email, accountId, role: to.role, inviter: inviter.id };
    const sent = invitationsOf(accountId, inviter.id);
    const secret = await tickets.issue('invitation', ticket, accountId, email, sent);
    const seat = {
      invitationId: ticketIdOf(secret),
      lifetimeMs: ticketLifetimesMs.invitation,
      freed: [...ended, ...earlier],
    };
    if (!(await members.reserveSeat(accountId, seat, maxMembers))) {
      await tickets.withdraw(accountId, seat.invitationId);
      throw new ConsoleError('LIMIT_REACHED');
    }
    for (const id of earlier) await tickets.withdraw(accountId, id);
    const link = links.ticket('invitation', secret);
    // The mail omits the name of the account: anybody may name one, even after a link, and nobody asked for this mail. No
    // pattern finds every text that a mail program turns into a link.
    mailer.send(mailOf('invitation', email, { inviter: inviter.email, role: to.role, link }));
    return { email, role: to.role };
  }

  /**
   * Changes a role. Only owners invite, so the open invitations of a former owner end.
   * @throws ConsoleError LAST_OWNER, NOT_FOUND
   */
  async change(accountId: string, userId: string, role: Role | undefined): Promise<void> {
    const { members, tickets } = this.identity;
    if ((await members.roleOf(accountId, userId)) === undefined) throw new ConsoleError('NOT_FOUND');
    const outcome = await members.change(accountId, userId, role, maxMembers);
    if (outcome === 'lastOwner') throw new ConsoleError('LAST_OWNER');
    if (role !== 'owner') await tickets.revoke(invitationsOf(accountId, userId));
  }
}

/**
 * An invitation whose sender may still invite. `change` ends the invitations that a former owner sent, but not those that
 * are sent at the same moment.
 * @param secret of its link
 * @throws ConsoleError LINK_INVALID
 */
export async function openInvitation(
  { tickets, members }: Pick<Identity, 'tickets' | 'members'>,
  secret: string,
): Promise<Ticket<'invitation'>> {
  const invitation = await tickets.find('invitation', secret);
  const role = await members.roleOf(invitation.accountId, invitation.inviter);
  if (role !== 'owner') throw new ConsoleError('LINK_INVALID');
  return invitation;
}

/** The owner of the tickets of a member's invitations. */
export const invitationsOf = (accountId: string, userId: string) => `${accountId} ${userId}`;
