/**
 * Single-use tickets: links in mails, and the steps of a flow that takes more than one call. A ticket serves one flow.
 * Most also serve one subject: a caller that uses one names the subject, and the compiler refuses a subject of another
 * flow.
 */
import { isDeepStrictEqual } from 'node:util';
import { ConsoleError } from '../../errors';
import type { Role } from '../rights/roles';
import { hashOf, newSecret } from './secrets';

/** A signed-in person, until a new password raises the epoch. */
interface Person {
  readonly userId: string;
  readonly epoch: number;
}

/** A mailed link, whose flow continues. */
interface Link {
  /** Hash of its secret. */
  readonly link: string;
}

/** Tickets whose secret suffices. */
interface BearerKinds {
  readonly signUp: { readonly email: string; readonly plan?: string };
  /** The address that got the link. The person may have changed it since. */
  readonly reset: Person & { readonly email: string };
  readonly invitation: {
    readonly email: string;
    readonly accountId: string;
    readonly role: Role;
    /** Id of the user who sent it. */
    readonly inviter: string;
  };
  readonly secondFactor: Person;
  readonly passkey: { readonly challenge: string };
}

/** Tickets that work only for the subject that they were issued to. */
interface BoundKinds {
  readonly newEmail: { readonly subject: Person; readonly ticket: { readonly email: string } };
  readonly newOneTimePasswords: { readonly subject: Person; readonly ticket: { readonly secret: string } };
  readonly newPasskey: { readonly subject: Person; readonly ticket: { readonly challenge: string } };
  /** The passkey of a new person, who has the id from then on. */
  readonly firstPasskey: {
    readonly subject: Link;
    readonly ticket: { readonly userId: string; readonly challenge: string };
  };
}

type BearerKind = keyof BearerKinds;
type BoundKind = keyof BoundKinds;
export type TicketKind = BearerKind | BoundKind;
export type Ticket<K extends BearerKind> = BearerKinds[K];
type Subject<K extends BoundKind> = BoundKinds[K]['subject'];
type BoundTicket<K extends BoundKind> = BoundKinds[K]['ticket'];

export const personOf = ({ id, epoch }: { readonly id: string; readonly epoch: number }): Person => ({
  userId: id,
  epoch,
});

/** @param secret of the link */
export const linkOf = (secret: string): Link => ({ link: hashOf(secret) });

const [minute, hour] = [60_000, 60 * 60_000];
export const ticketLifetimesMs: Readonly<Record<TicketKind, number>> = {
  signUp: 24 * hour,
  reset: hour,
  newEmail: 24 * hour,
  invitation: 7 * 24 * hour,
  secondFactor: 5 * minute,
  newOneTimePasswords: 10 * minute,
  newPasskey: 5 * minute,
  firstPasskey: 5 * minute,
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
  /** Removes it. Only one of several callers gets it. */
  take(hash: string): Promise<string | undefined>;
}

export class Tickets {
  constructor(private readonly store: TicketStore) {}

  /**
   * @param owners the people, addresses and accounts that it is about.
   * @returns the secret that opens it
   */
  issue<K extends BearerKind>(kind: K, ticket: Ticket<K>, ...owners: string[]): Promise<string> {
    return this.add(kind, { ticket }, owners);
  }

  /** @returns the secret that opens it together with the subject */
  issueTo<K extends BoundKind>(
    kind: K,
    subject: Subject<K>,
    ticket: BoundTicket<K>,
    ...owners: string[]
  ): Promise<string> {
    return this.add(kind, { subject, ticket }, owners);
  }

  private async add(kind: TicketKind, content: object, owners: readonly string[]): Promise<string> {
    const secret = newSecret();
    await this.store.add(
      hashOf(secret),
      JSON.stringify({ kind, ...content }),
      ticketLifetimesMs[kind],
      owners,
    );
    return secret;
  }

  /** Removes all tickets of an owner. */
  revoke(owner: string): Promise<void> {
    return this.store.removeAll(owner);
  }

  /** Those of one kind. Their ids open nothing. */
  async list<K extends BearerKind>(
    kind: K,
    owner: string,
  ): Promise<(Ticket<K> & { readonly id: string; readonly endsAt: number })[]> {
    const all = await this.store.list(owner);
    return all.flatMap(({ hash, content, endsAt }) => {
      const read = JSON.parse(content) as Content<Ticket<K>>;
      return read.kind === kind ? [{ ...read.ticket, id: idOf(hash), endsAt }] : [];
    });
  }

  /** Removes one ticket of an owner. @returns false if there is none, or somebody used it just now */
  async withdraw(owner: string, id: string): Promise<boolean> {
    const ticket = (await this.store.list(owner)).find(({ hash }) => idOf(hash) === id);
    return ticket !== undefined && (await this.store.take(ticket.hash)) !== undefined;
  }

  /** @throws ConsoleError LINK_INVALID */
  async find<K extends BearerKind>(kind: K, secret: string): Promise<Ticket<K>> {
    return opened(kind, await this.store.find(hashOf(secret)));
  }

  /** Uses it up. @throws ConsoleError LINK_INVALID */
  async take<K extends BearerKind>(kind: K, secret: string): Promise<Ticket<K>> {
    await this.find(kind, secret);
    return opened(kind, await this.store.take(hashOf(secret)));
  }

  /** @throws ConsoleError LINK_INVALID, also if it was issued to another subject */
  async findOf<K extends BoundKind>(kind: K, secret: string, subject: Subject<K>): Promise<BoundTicket<K>> {
    return opened(kind, await this.store.find(hashOf(secret)), subject);
  }

  /** Uses it up, unless it was issued to another subject. @throws ConsoleError LINK_INVALID */
  async takeOf<K extends BoundKind>(kind: K, secret: string, subject: Subject<K>): Promise<BoundTicket<K>> {
    await this.findOf(kind, secret, subject);
    return opened(kind, await this.store.take(hashOf(secret)), subject);
  }
}

interface Content<T> {
  readonly kind: string;
  /** Undefined for tickets whose secret suffices. */
  readonly subject?: unknown;
  readonly ticket: T;
}

/** A part of the hash suffices to name one of a few tickets. */
const idOf = (hash: string) => hash.slice(0, 20);

/** The id that `Tickets.list` gives the ticket of a secret. */
export const ticketIdOf = (secret: string) => idOf(hashOf(secret));

function opened<T>(kind: TicketKind, text: string | undefined, subject?: unknown): T {
  const content = text === undefined ? undefined : (JSON.parse(text) as Content<T>);
  if (content?.kind !== kind || !isDeepStrictEqual(content.subject, subject))
    throw new ConsoleError('LINK_INVALID');
  return content.ticket;
}
