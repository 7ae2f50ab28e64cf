/**
 * Slows down guessing of keys: after a number of failed attempts, an address is rejected until the window has passed.
 * The gateways count together in the store; while it is unavailable, each counts alone. The purpose is to limit the work
 * of the store: no attacker can guess a key.
 */
import limits from '@presenza/contract/limits.json';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import { type Burst, LocalLimiter } from '../limits/local-limiter';
import { sourceOf } from './addresses';
import { hashKey } from './api-key';

export interface AttemptCount {
  /** Attempts in the current window, this one included. */
  readonly count: number;
  /** Until the window has passed. */
  readonly leftMs: number;
}

export interface AttemptStore {
  /** Counts one more attempt, unless there were `most` already: then it writes nothing. */
  countAttempt(source: string, window: { most: number; ms: number }): Promise<AttemptCount>;
}

/** How soon after its window an address is forgotten. */
const sweepMs = 1_000;

const most = limits.failedAuthentication.limit;
const windowMs = limits.failedAuthentication.windowSeconds * 1000;

/** Look-ups for a rejected address: a few at once, then one a second. */
const ofAddress: Burst = { limit: 5, windowSeconds: 5 };
/** The same for all rejected addresses together. */
const ofAll: Burst = { limit: 100, windowSeconds: 1 };
/** How long look-ups in progress take at most. */
const soonMs = 1_000;

/** Addresses are stored only as keyed hashes, here and in Redis. */
export class FailedAttempts {
  private readonly counts = new LRUCache<string, { count: number; endsAt: number }>({
    max: bounds.trackedAddresses,
  });
  /** Look-ups in progress by source; each may fail. */
  private readonly underWay = new Map<string, number>();
  private readonly lookUps: LocalLimiter;
  private sweep: NodeJS.Timeout | undefined;

  /** @param ticks a clock in ms that never goes back. */
  constructor(
    private readonly store: AttemptStore,
    private readonly secret: string,
    private readonly ticks: () => number = performance.now.bind(performance),
  ) {
    this.lookUps = new LocalLimiter(1, ticks);
  }

  /** How long this gateway still rejects an address; 0 if it does not. */
  blockedMs(address: string): number {
    return this.blockedFor(this.hashOf(address));
  }

  /** Whether a key may be looked up although its address is rejected. Each call uses up part of the allowance. */
  mayLookUp(address: string): boolean {
    this.sweepLater();
    const allows = (name: string, burst: Burst) => this.lookUps.take(name, burst, 1).waitMs === 0;
    return allows(this.hashOf(address), ofAddress) && allows('all', ofAll);
  }

  /** A look-up in progress counts as a failed attempt; otherwise all concurrent ones would pass. */
  async during<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    return this.whileCounted(this.hashOf(address), lookUp);
  }

  /** Counts a failed attempt. @returns how long to reject this one; 0 if not at all. */
  async add(address: string): Promise<number> {
    const source = this.hashOf(address);
    const blockedMs = this.blockedFor(source);
    if (blockedMs > 0) return blockedMs;
    const { count, leftMs } = await this.whileCounted(source, () => this.count(source));
    this.counts.set(source, { count, endsAt: this.ticks() + leftMs });
    this.sweepLater();
    return count > most ? leftMs : 0;
  }

  private blockedFor(source: string): number {
    const { count, leftMs } = this.known(source);
    if (count >= most) return leftMs;
    return count + (this.underWay.get(source) ?? 0) >= most ? soonMs : 0;
  }

  private known(source: string): AttemptCount {
    const known = this.counts.get(source);
    const leftMs = known ? known.endsAt - this.ticks() : 0;
    return known && leftMs > 0 ? { count: known.count, leftMs } : { count: 0, leftMs: windowMs };
  }

  private async whileCounted<T>(source: string, work: () => Promise<T>): Promise<T> {
    this.underWay.set(source, (this.underWay.get(source) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.underWay.get(source) as number) - 1;
      if (left > 0) this.underWay.set(source, left);
      else this.underWay.delete(source);
    }
  }

  private async count(source: string): Promise<AttemptCount> {
    try {
      return await this.store.countAttempt(source, { most, ms: windowMs });
    } catch {
      const { count, leftMs } = this.known(source);
      return { count: count + 1, leftMs };
    }
  }

  private hashOf(address: string): string {
    return hashKey(sourceOf(address), this.secret);
  }

  /** Runs while there are entries to forget. */
  private sweepLater(): void {
    this.sweep ??= setInterval(() => {
      const now = this.ticks();
      for (const [source, { endsAt }] of [...this.counts]) if (endsAt <= now) this.counts.delete(source);
      if (this.lookUps.forgetPast() + this.counts.size > 0) return;
      clearInterval(this.sweep);
      this.sweep = undefined;
    }, sweepMs).unref();
  }
}
