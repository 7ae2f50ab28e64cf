/**
 * Sign-ins, each of one browser. The cookie holds an id and a secret, which changes every hour. A secret that was replaced
 * works for a moment more, for calls under way; later, it ends the sign-in, because two parties then have its cookie.
 */
import { randomBase62 } from '../../crypto/base62';
import { ConsoleError } from '../../errors';
import { browserOf, type KnownBrowser } from './browsers';
import type { Client } from './known-clients';
import { hashOf, newSecret } from './secrets';
import type { User, UserStore } from './users';

export const signInTimes = {
  idleMs: 12 * 60 * 60 * 1_000,
  wholeMs: 7 * 24 * 60 * 60 * 1_000,
  rotationMs: 60 * 60 * 1_000,
  graceMs: 30_000,
  /** How long a sign-in suffices for changes of credentials, keys of others and the like. */
  recentMs: 15 * 60 * 1_000,
};

/** Browsers of one person. Another sign-in ends the oldest. */
export const maxSignIns = 20;

export interface SignIn {
  readonly id: string;
  readonly userId: string;
  /** The user's epoch at the sign-in. */
  readonly epoch: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether the person used a passkey, or a second factor after the password. */
  readonly isTwoFactor: boolean;
}

/** A sign-in as its owner sees it. */
export interface ListedSignIn extends SignIn {
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** Undefined for a sign-in of an earlier version. */
  readonly client?: KnownBrowser | undefined;
}

export interface SignInStore {
  /** @param secretHash of the cookie. @param most how many a user may have: the oldest end. */
  add(signIn: SignIn, secretHash: string, times: typeof signInTimes, most: number): Promise<void>;
  /**
   * Finds a sign-in by the secret of its cookie and prolongs it.
   * @param next hash of the secret that replaces it if it is due
   * @returns undefined without such a sign-in; `rotated` if `next` is its secret now
   */
  use(
    id: string,
    secretHash: string,
    next: string,
    times: typeof signInTimes,
  ): Promise<{ readonly signIn: SignIn; readonly rotated: boolean } | undefined>;
  /** Stores the browser of a sign-in. */
  describe(id: string, client: KnownBrowser, times: typeof signInTimes): Promise<void>;
  list(userId: string): Promise<ListedSignIn[]>;
  end(userId: string, id: string): Promise<void>;
  endAll(userId: string): Promise<void>;
}

export interface SignedIn {
  readonly user: User;
  readonly signIn: SignIn;
  /** A new value for the cookie. */
  readonly cookie?: string;
}

/** A new sign-in, whose cookie the browser stores. */
export type Begun = SignedIn & { readonly cookie: string };

const idLength = 16;
const wellFormed = /^([0-9A-Za-z]{16})\.([0-9A-Za-z]{43})$/;

export class SignIns {
  constructor(
    private readonly store: SignInStore,
    private readonly users: Pick<UserStore, 'find'>,
    private readonly now: () => number,
  ) {}

  /** @returns the value of the cookie */
  async begin(user: User, isTwoFactor: boolean): Promise<Begun> {
    const secret = newSecret();
    const signIn = {
      id: randomBase62(idLength),
      userId: user.id,
      epoch: user.epoch,
      startedAt: this.now(),
      isTwoFactor,
    };
    await this.store.add(signIn, hashOf(secret), signInTimes, maxSignIns);
    return { user, signIn, cookie: `${signIn.id}.${secret}` };
  }

  /** Begins a sign-in in place of another of the same browser. */
  async renew({ user, signIn }: SignedIn, isTwoFactor: boolean) {
    await this.store.end(user.id, signIn.id);
    return this.begin(user, isTwoFactor);
  }

  /** Stores the browser of a sign-in, for the list that its owner reads. */
  describe({ id }: SignIn, { address, userAgent }: Client): Promise<void> {
    return this.store.describe(id, browserOf(address, userAgent), signInTimes);
  }

  /** @throws ConsoleError SIGNED_OUT */
  async find(cookie: string | undefined): Promise<SignedIn> {
    const [, id, secret] = wellFormed.exec(cookie ?? '') ?? [];
    if (id === undefined || secret === undefined) throw new ConsoleError('SIGNED_OUT');
    const next = newSecret();
    const used = await this.store.use(id, hashOf(secret), hashOf(next), signInTimes);
    if (!used) throw new ConsoleError('SIGNED_OUT');
    const { signIn, rotated } = used;
    const user = await this.users.find(signIn.userId);
    if (!user || user.epoch !== signIn.epoch || this.now() >= signIn.startedAt + signInTimes.wholeMs) {
      await this.store.end(signIn.userId, id);
      throw new ConsoleError('SIGNED_OUT');
    }
    return { user, signIn, ...(rotated && { cookie: `${id}.${next}` }) };
  }

  isRecent({ startedAt }: SignIn): boolean {
    return this.now() < startedAt + signInTimes.recentMs;
  }

  list({ id }: User): Promise<ListedSignIn[]> {
    return this.store.list(id);
  }

  end({ id: userId }: User, id: string): Promise<void> {
    return this.store.end(userId, id);
  }

  async endOthers({ user, signIn }: SignedIn): Promise<void> {
    const others = (await this.store.list(user.id)).filter(({ id }) => id !== signIn.id);
    await Promise.all(others.map(({ id }) => this.store.end(user.id, id)));
  }

  endAll({ id }: User): Promise<void> {
    return this.store.endAll(id);
  }
}
