/**
 * The browsers and network addresses that a person has signed in from. Everybody else shares one budget of guesses at that
 * person; these have budgets of their own, which strangers cannot use up (OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies). A new password makes all of them strangers again.
 */
import { timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../../crypto/base62';
import { sourceOf } from '../../formats/addresses';
import { hashKey } from '../keys/api-key';
import type { User } from './users';

/** The sender of a call. */
export interface Client {
  /** Client IP address. */
  readonly address: string;
  /** Value of the device cookie, as it was sent. */
  readonly device?: string | undefined;
  /** The header `User-Agent`, as it was sent. */
  readonly userAgent?: string | undefined;
}

/** An attempt counts against one party. */
export interface Party {
  /** Unique among all parties. */
  readonly name: string;
  /** Whether strangers are counted separately. */
  readonly isKnown: boolean;
}

export interface KnownAddressStore {
  /** Adds the hash of an address. The oldest above `most` are forgotten, and each after `lifetimeMs`. */
  add(
    userId: string,
    hash: string,
    limits: { readonly now: number; readonly lifetimeMs: number; readonly most: number },
  ): Promise<void>;
  /** @param after milliseconds since 1970: earlier ones do not count. */
  has(userId: string, hash: string, after: number): Promise<boolean>;
  forget(userId: string): Promise<void>;
}

const day = 24 * 60 * 60_000;
export const deviceCookieMs = 365 * day;
const addressMs = 90 * day;
/** Addresses of one person. */
const mostAddresses = 20;

const idLength = 16;
/** 128 bits, as hex. */
const sealLength = 32;
/** Id, seal of the service, and seal for the person who signed in last. It names nobody. */
const form = /^([0-9A-Za-z]{16})\.([0-9a-f]{32})\.([0-9a-f]{32})$/;

type Person = Pick<User, 'id' | 'epoch'>;

/** Takes the place of an unknown person, so that the time of a response does not reveal who is unknown. */
const nobody: Person = { id: 'nobody', epoch: 0 };

/** Every method that returns a promise throws ApiError SERVICE_UNAVAILABLE if the store is unavailable. */
export class KnownClients {
  /** @param secret KEY_SECRET */
  constructor(
    private readonly store: KnownAddressStore,
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** @param person whom the attempt aims at, if there is such a person */
  async partyOf(client: Client, person: Person = nobody): Promise<Party> {
    const device = this.deviceOf(client, person);
    if (device !== undefined) return { name: device, isKnown: true };
    const hash = this.addressHash(client, person);
    return {
      name: addressName(client),
      isKnown: await this.store.has(person.id, hash, this.now() - addressMs),
    };
  }

  /** The party of an attempt that aims at nobody: a browser in which anyone has signed in, or an address. */
  visitorOf(client: Client): string {
    return this.deviceOf(client) ?? addressName(client);
  }

  /** Makes a client known to a person who has just signed in. @returns the value of its device cookie */
  async remember(client: Client, person: Person): Promise<string> {
    const limits = { now: this.now(), lifetimeMs: addressMs, most: mostAddresses };
    await this.store.add(person.id, this.addressHash(client, person), limits);
    const id = this.deviceOf(client) === undefined ? randomBase62(idLength) : idOf(client);
    return `${id}.${this.seal(id)}.${this.seal(id, person)}`;
  }

  forget({ id }: Person): Promise<void> {
    return this.store.forget(id);
  }

  /** The name of a browser, if the service gave it its cookie, and for this person. */
  private deviceOf({ device = '' }: Client, person?: Person): string | undefined {
    const [, id = '', seal = '', personSeal = ''] = form.exec(device) ?? [];
    const expected = person ? [this.seal(id), this.seal(id, person)] : [this.seal(id)];
    const given = person ? [seal, personSeal] : [seal];
    const isGenuine = id !== '' && timingSafeEqual(bytes(given), bytes(expected));
    return isGenuine ? `device:${id}` : undefined;
  }

  private seal(id: string, { id: userId, epoch }: Partial<Person> = {}): string {
    const subject = userId === undefined ? '' : ` ${userId} ${epoch}`;
    return hashKey(`device ${id}${subject}`, this.secret).slice(0, sealLength);
  }

  private addressHash({ address }: Client, { id, epoch }: Person): string {
    return hashKey(`address ${id} ${epoch} ${sourceOf(address)}`, this.secret);
  }
}

const bytes = (parts: readonly string[]) => Buffer.from(parts.join(''));
const idOf = ({ device = '' }: Client) => device.slice(0, idLength);
const addressName = ({ address }: Client) => `source:${sourceOf(address)}`;

/** A new person may be made up to mail somebody, so only older ones count apart from strangers. */
const acquaintedMs = day;

/** @param person who is signed in, and whose attempt aims at somebody else */
export const senderOf = ({ id, createdAt }: Pick<User, 'id' | 'createdAt'>, now: number): Party => ({
  name: `person:${id}`,
  isKnown: now >= createdAt + acquaintedMs,
});

/** @param person who is signed in, and whose attempt aims at themselves */
export const selfOf = ({ id }: Pick<User, 'id'>): Party => ({ name: `person:${id}`, isKnown: true });
