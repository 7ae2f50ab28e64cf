/** Single-use tickets: links in mails, and the steps of a sign-in that takes more than one call. */

import { Refused } from './refused';
import type { Role } from './roles';
import { hashOf, newSecret } from './secrets';

interface Kinds {
  readonly signUp: { readonly email: string; readonly plan?: string };
  readonly reset: { readonly userId: string; readonly epoch: number };
  readonly newEmail: { readonly userId: string; readonly email: string };
  readonly invitation: {
    readonly email: string;
    readonly accountId: string;
    readonly role: Role;
    /** Id of the user who sent it. */
    readonly inviter: string;
  };
  readonly secondFactor: { readonly userId: string; readonly epoch: number };
  readonly newOneTimePasswords: { readonly userId: string; readonly secret: string };
  readonly newPasskey: { readonly userId: string; readonly challenge: string };
  readonly passkey: { readonly challenge: string };
}
export type TicketKind = keyof Kinds;
export type Ticket<K extends TicketKind> = Kinds[K];

const [minute, hour] = [60_000, 60 * 60_000];
const lifetimes: Readonly<Record<TicketKind, number>> = {
  signUp: 24 * hour,
  reset: hour,
  newEmail: 24 * hour,
  invitation: 7 * 24 * hour,
  secondFactor: 5 * minute,
  newOneTimePasswords: 10 * minute,
  newPasskey: 5 * minute,
  passkey: 5 * minute,
};

export interface StoredTicket {
  readonly hash: string;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

export interface TicketStore {
  /** @param owners whose tickets `removeAll` removes: ids and email addresses. */
  add(hash: string, content: string, lifetimeMs: number, owners: readonly string[]): Promise<void>;
  removeAll(owner: string): Promise<void>;
  /** The tickets of an owner that still work. */
  list(owner: string): Promise<StoredTicket[]>;
  find(hash: string): Promise<string | undefined>;
  /** Removes it. Of several callers, one gets it. */
  take(hash: string): Promise<string | undefined>;
}

export class Tickets {
  constructor(private readonly store: TicketStore) {}

  /**
   * @param owners the people, addresses and accounts that it is about.
   * @returns the secret that opens it
   */
  async issue<K extends TicketKind>(kind: K, ticket: Ticket<K>, ...owners: string[]): Promise<string> {
    const secret = newSecret();
    await this.store.add(hashOf(secret), JSON.stringify({ kind, ticket }), lifetimes[kind], owners);
    return secret;
  }

  /** Removes all tickets of an owner. */
  revoke(owner: string): Promise<void> {
    return this.store.removeAll(owner);
  }

  /** Those of one kind. Their ids open nothing. */
  async list<K extends TicketKind>(
    kind: K,
    owner: string,
  ): Promise<(Ticket<K> & { readonly id: string; readonly endsAt: number })[]> {
    const all = await this.store.list(owner);
    return all.flatMap(({ hash, content, endsAt }) => {
      const read = JSON.parse(content) as Content<K>;
      return read.kind === kind ? [{ ...read.ticket, id: idOf(hash), endsAt }] : [];
    });
  }

  /** Removes one ticket of an owner. @returns false if there is none, or somebody used it just now */
  async withdraw(owner: string, id: string): Promise<boolean> {
    const found = (await this.store.list(owner)).find(({ hash }) => idOf(hash) === id);
    return found !== undefined && (await this.store.take(found.hash)) !== undefined;
  }

  /** @throws Refused LINK_INVALID */
  async find<K extends TicketKind>(kind: K, secret: string): Promise<Ticket<K>> {
    return opened(kind, await this.store.find(hashOf(secret)));
  }

  /** Uses it up. @throws Refused LINK_INVALID */
  async take<K extends TicketKind>(kind: K, secret: string): Promise<Ticket<K>> {
    await this.find(kind, secret);
    return opened(kind, await this.store.take(hashOf(secret)));
  }
}

interface Content<K extends TicketKind> {
  readonly kind: string;
  readonly ticket: Ticket<K>;
}

/** A part of the hash suffices to name one of a few tickets. */
const idOf = (hash: string) => hash.slice(0, 20);

function opened<K extends TicketKind>(kind: K, text: string | undefined): Ticket<K> {
  const content = text === undefined ? undefined : (JSON.parse(text) as Content<K>);
  if (content?.kind !== kind) throw new Refused('LINK_INVALID');
  return content.ticket;
}
