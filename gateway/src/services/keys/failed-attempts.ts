/**
 * Limits invalid keys: after a number of them, further ones from the same address are refused until the window has passed,
 * and are no longer counted in the store. A valid key is looked up whatever came from its address, because a look-up
 * costs the store less than a served request, and no attacker can guess a key. The gateways count together in the store;
 * while it is unavailable, each counts alone.
 */
import limits from '@presenza/contract/limits.json';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import { sourceOf } from '../../formats/addresses';
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

/** How long counts in progress take at most. */
const soonMs = 1_000;

/** Addresses are stored only as keyed hashes, here and in Redis. */
export class FailedAttempts {
  private readonly counts = new LRUCache<string, { count: number; endsAt: number }>({
    max: bounds.trackedAddresses,
  });
  /** Counts in progress by source. */
  private readonly underWay = new Map<string, number>();
  private sweep: NodeJS.Timeout | undefined;

  /** @param ticks a clock in ms that never goes back. */
  constructor(
    private readonly store: AttemptStore,
    private readonly secret: string,
    private readonly ticks: () => number = performance.now.bind(performance),
  ) {}

  /** Counts a failed attempt. @returns how long to reject this one; 0 if not at all. */
  async add(address: string): Promise<number> {
    const source = this.hashOf(address);
    const blockedMs = this.blockedFor(source);
    if (blockedMs > 0) return blockedMs;
    const { count, leftMs } = await this.count(source);
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

  private async count(source: string): Promise<AttemptCount> {
    this.underWay.set(source, (this.underWay.get(source) ?? 0) + 1);
    try {
      return await this.store.countAttempt(source, { most, ms: windowMs });
    } catch {
      const { count, leftMs } = this.known(source);
      return { count: count + 1, leftMs };
    } finally {
      const left = (this.underWay.get(source) as number) - 1;
      if (left > 0) this.underWay.set(source, left);
      else this.underWay.delete(source);
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
      if (this.counts.size > 0) return;
      clearInterval(this.sweep);
      this.sweep = undefined;
    }, sweepMs).unref();
  }
}
