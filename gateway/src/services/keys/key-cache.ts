/**
 * Remembers for a short while what was looked up about keys, so that most requests are authenticated without a round
 * trip. A change of a key or its account is heard through a feed and takes effect at once.
 */
import { AppError } from '../../errors';
import { BoundedMap } from '../bounded-map';
import type { KnownKey, Principal } from './keys';

/** Tells of accounts that changed, or whose keys did. */
export interface ChangeFeed {
  /** Since when no change can have been missed, on the clock of the cache; undefined while that is uncertain. */
  readonly unbrokenSince: number | undefined;
  subscribe(listener: (accountId: string) => void): void;
}

export interface KeyCacheServices {
  /** What is known of a key's hash; undefined when it does not work. */
  readonly identify: (hash: string) => Promise<KnownKey | undefined>;
  readonly feed: ChangeFeed;
  readonly now?: () => number;
  /** A clock in ms that never goes back. */
  readonly ticks?: () => number;
}

/** How long a look-up is good for. */
const freshMs = 30_000;
/** The same while changes may be missed; also how long the store is not asked again once it failed. */
const unheardMs = 1_000;
/** How long a key that worked goes on working while the store is away. */
const staleMs = 3_600_000;
/** Entries of either kind. Random keys fill only their own. */
const capacity = 10_000;

interface Entry extends KnownKey {
  readonly confirmedAt: number;
}

export class KeyCache {
  private readonly good = new BoundedMap<string, Entry>(capacity);
  /** When each was found not to work. Nothing makes such a key work again. */
  private readonly bad = new BoundedMap<string, number>(capacity);
  private readonly running = new Map<string, Promise<Principal | undefined>>();
  private changes = 0;
  private storeFailedAt = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;
  private readonly ticks: () => number;

  constructor(private readonly services: KeyCacheServices) {
    this.now = services.now ?? Date.now;
    this.ticks = services.ticks ?? performance.now.bind(performance);
    services.feed.subscribe((accountId) => this.drop(accountId));
  }

  /** Whether the key worked when it was last looked up. */
  has(hash: string): boolean {
    return this.usable(hash) !== undefined;
  }

  /** Whether the key was looked up lately and did not work. */
  isBad(hash: string): boolean {
    const foundAt = this.bad.get(hash);
    return foundAt !== undefined && this.ticks() - foundAt < freshMs;
  }

  /** Whether a look-up of the key is under way, which another request for it shares. */
  isAsked(hash: string): boolean {
    return this.running.has(hash);
  }

  /** @throws AppError SERVICE_UNAVAILABLE while the store is away, for a key that did not work lately */
  async find(hash: string): Promise<Principal | undefined> {
    const entry = this.usable(hash);
    if (entry && this.isFresh(entry)) return entry.principal;
    if (this.isBad(hash)) return undefined;
    try {
      return await this.lookUp(hash);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
      this.storeFailedAt = this.ticks();
      const kept = this.usable(hash);
      if (!kept) throw error;
      return kept.principal;
    }
  }

  private usable(hash: string): Entry | undefined {
    const entry = this.good.get(hash);
    if (!entry) return undefined;
    const { expiresAt = Infinity, confirmedAt } = entry;
    return expiresAt > this.now() && this.ticks() - confirmedAt < staleMs ? entry : undefined;
  }

  private isFresh({ confirmedAt }: Entry): boolean {
    const { unbrokenSince } = this.services.feed;
    const heard = unbrokenSince !== undefined && confirmedAt >= unbrokenSince;
    const ticks = this.ticks();
    return ticks - confirmedAt < (heard ? freshMs : unheardMs) || ticks - this.storeFailedAt < unheardMs;
  }

  /** Requests that miss the same key at once share one look-up. */
  private lookUp(hash: string): Promise<Principal | undefined> {
    const running = this.running.get(hash);
    if (running) return running;
    const lookUp = this.ask(hash).finally(() => {
      if (this.running.get(hash) === lookUp) this.running.delete(hash);
    });
    this.running.set(hash, lookUp);
    return lookUp;
  }

  private async ask(hash: string): Promise<Principal | undefined> {
    const confirmedAt = this.ticks();
    const { changes } = this;
    const known = await this.services.identify(hash);
    if (!known) {
      this.good.delete(hash);
      this.bad.set(hash, confirmedAt);
      return undefined;
    }
    // Something changed meanwhile, perhaps this: what was read serves these requests and no later one.
    if (changes === this.changes) this.good.set(hash, { ...known, confirmedAt });
    return known.principal;
  }

  private drop(accountId: string): void {
    this.changes++;
    this.running.clear();
    this.good.deleteWhere(({ principal }) => principal.accountId === accountId);
  }
}
