/**
 * Caches look-ups of keys for a short time, so that most requests are authenticated without a round trip. A feed
 * announces changes of keys and accounts, which take effect at once.
 */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import { ApiError } from '../../errors';
import type { KnownKey, Principal } from './keys';

/** Announces accounts that changed, or whose keys did. */
export interface ChangeFeed {
  /** Since when the feed has missed no change, on the clock of the cache; undefined while that is uncertain. */
  readonly unbrokenSince: number | undefined;
  subscribe(listener: (accountId: string) => void): void;
}

export interface KeyCacheServices {
  /** Looks up a key by its hash; undefined if it is invalid. */
  readonly identify: (hash: string) => Promise<KnownKey | undefined>;
  readonly feed: ChangeFeed;
  readonly now?: () => number;
  /** A monotonic clock in ms. */
  readonly ticks?: () => number;
}

/** How long a look-up stays valid. */
const freshMs = 30_000;
/** The same while changes may be missed. Also how long the cache waits before it asks a failed store again. */
const unheardMs = 1_000;
/** How long a valid key keeps working while the store is unavailable. */
const staleMs = 3_600_000;
/** Entries for valid and invalid keys each, so that random keys displace no valid ones. */
const capacity = bounds.cachedKeys;

interface Entry extends KnownKey {
  readonly confirmedAt: number;
}

export class KeyCache {
  private readonly good = new LRUCache<string, Entry>({ max: capacity });
  /** When each key was found invalid. An invalid key never becomes valid again. */
  private readonly bad = new LRUCache<string, number>({ max: capacity });
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

  /** Whether a recent look-up found the key invalid. */
  private isBad(hash: string): boolean {
    const foundAt = this.bad.get(hash);
    return foundAt !== undefined && this.ticks() - foundAt < freshMs;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE while the store is unavailable, for a key without a recent successful look-up */
  async find(hash: string): Promise<Principal | undefined> {
    const entry = this.usable(hash);
    if (entry && this.isFresh(entry)) return entry.principal;
    if (this.isBad(hash)) return undefined;
    try {
      return await this.lookUp(hash);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
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

  /** Concurrent requests for the same key share one look-up. */
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
    // A change arrived in the meantime, perhaps of this key: the result serves these requests but is not cached.
    if (changes === this.changes) this.good.set(hash, { ...known, confirmedAt });
    return known.principal;
  }

  private drop(accountId: string): void {
    this.changes++;
    this.running.clear();
    for (const [hash, { principal }] of [...this.good])
      if (principal.accountId === accountId) this.good.delete(hash);
  }
}
