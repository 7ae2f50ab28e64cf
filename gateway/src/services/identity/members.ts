/** The people of accounts and their roles. */

import { Refused } from '../rights/refused';
import type { Role } from '../rights/roles';
import { isoTime } from '../timing/iso-time';
import { emailOf } from './email';
import type { Identity } from './identity';
import { senderOf } from './known-clients';
import { mailOf } from './mail';
import { type Ticket, ticketIdOf, ticketLifetimesMs } from './tickets';
import type { User } from './users';

/** Owners and others, by the id of the user. */
export type Members = Readonly<Record<string, Role>>;

export interface MemberStore {
  membersOf(accountId: string): Promise<Members>;
  roleOf(accountId: string, userId: string): Promise<Role | undefined>;
  accountsOf(userId: string): Promise<readonly string[]>;
  /**
   * Sets the role of a user, or removes the user without one. Atomic.
   * @param invitation by which the user joins: its sender must be an owner, and its seat becomes the member's
   */
  change(
    accountId: string,
    userId: string,
    role: Role | undefined,
    most: number,
    invitation?: { readonly id: string; readonly inviter: string },
  ): Promise<MembershipChange>;
  /** Ids of the invitations that have a seat. Some may have ended. */
  seatsOf(accountId: string): Promise<readonly string[]>;
  /** Atomic, so that concurrent invitations cannot exceed the limit. @returns false if all `most` seats are taken */
  reserveSeat(accountId: string, seat: Seat, most: number): Promise<boolean>;
  /** Forgets the list of accounts of a user who is no member anymore. */
  forget(userId: string): Promise<void>;
}

/** Every member and every open invitation has a seat. */
export interface Seat {
  readonly invitationId: string;
  readonly lifetimeMs: number;
  /** Ids of invitations that have ended, whose seats are freed first. */
  readonly freed: readonly string[];
}

/**
 * `lastOwner` or `full`: the account would have no owner or too many members. `uninvited`: the person who sent the
 * invitation may not invite anymore.
 */
export type MembershipChange = 'changed' | 'lastOwner' | 'full' | 'uninvited';

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
  const found = await Promise.all(
    Object.entries(await members.membersOf(accountId)).map(async ([userId, role]) => {
      const user = await users.find(userId);
      return user && { userId, email: user.email, role };
    }),
  );
  return found.filter((one) => one !== undefined).sort((a, b) => a.email.localeCompare(b.email));
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
        ...{ invitationId: id, email, role, expiresAt: isoTime(endsAt) },
        // An owner, because invitations end with the role of the person who sent them.
        invitedBy: list.find(({ userId }) => userId === inviter)?.email ?? '',
      }));
  }

  /** @throws Refused NOT_FOUND */
  async withdraw(accountId: string, invitationId: string): Promise<void> {
    if (!(await this.identity.tickets.withdraw(accountId, invitationId))) throw new Refused('NOT_FOUND');
  }

  /**
   * Mails a link, which replaces an earlier one to the same address.
   * @throws Refused INVALID_EMAIL, ALREADY_MEMBER, LIMIT_REACHED, TOO_MANY_ATTEMPTS
   */
  async invite(accountId: string, inviter: User, to: { email: string; role: Role }) {
    const { tickets, members, mailer, limits, links, now } = this.identity;
    const email = emailOf(to.email);
    const list = await this.list(accountId);
    if (list.some((one) => one.email === email)) throw new Refused('ALREADY_MEMBER');
    await limits.count('invitationMail', email, senderOf(inviter, now()));
    // Before the tickets: every seat in this list had its ticket, so one that has none by then has ended.
    const seats = await members.seatsOf(accountId);
    const open = await tickets.list('invitation', accountId);
    const earlier = open.filter((one) => one.email === email).map(({ id }) => id);
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
      throw new Refused('LIMIT_REACHED');
    }
    for (const id of earlier) await tickets.withdraw(accountId, id);
    const link = links.of('invitation', secret);
    // Without the name of the account: anybody may name one, also after a link, and nobody asked for this mail. No pattern
    // finds every text that a mail program turns into a link.
    mailer.send(mailOf('invitation', email, { inviter: inviter.email, role: to.role, link }));
    return { email, role: to.role };
  }

  /**
   * Changes a role. Only owners invite, so the open invitations of a former owner end.
   * @throws Refused LAST_OWNER, NOT_FOUND
   */
  async change(accountId: string, userId: string, role: Role | undefined): Promise<void> {
    const { members, tickets } = this.identity;
    if ((await members.roleOf(accountId, userId)) === undefined) throw new Refused('NOT_FOUND');
    const outcome = await members.change(accountId, userId, role, maxMembers);
    if (outcome === 'lastOwner') throw new Refused('LAST_OWNER');
    if (role !== 'owner') await tickets.revoke(invitationsOf(accountId, userId));
  }
}

/**
 * An invitation whose sender may still invite. `change` ends the invitations that a former owner sent, but not those that
 * are sent at the same moment.
 * @param secret of its link
 * @throws Refused LINK_INVALID
 */
export async function openInvitation(
  { tickets, members }: Pick<Identity, 'tickets' | 'members'>,
  secret: string,
): Promise<Ticket<'invitation'>> {
  const invitation = await tickets.find('invitation', secret);
  const role = await members.roleOf(invitation.accountId, invitation.inviter);
  if (role !== 'owner') throw new Refused('LINK_INVALID');
  return invitation;
}

/** The owner of the tickets of a member's invitations. */
export const invitationsOf = (accountId: string, userId: string) => `${accountId} ${userId}`;
