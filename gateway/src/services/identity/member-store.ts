import type { Role } from '../rights/roles';

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
