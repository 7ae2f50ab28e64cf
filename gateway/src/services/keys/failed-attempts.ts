/**
 * Slows down who guesses keys: after so many failed attempts within a window an address is refused until the window
 * has passed. The gateways count together in the store; while it is away, each counts for itself. What is to be kept
 * low is the work of the store: no number of guesses finds a key.
 */
import limits from '@presenza/contract/limits.json';
import { BoundedMap } from '../bounded-map';
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

/** Addresses that one process remembers. */
const capacity = 10_000;
/** How soon after its window an address is forgotten. */
const sweepMs = 1_000;

const most = limits.failedAuthentication.limit;
const windowMs = limits.failedAuthentication.windowSeconds * 1000;

/** Look-ups for an address that is refused: a few at once, then one a second. */
const ofAddress: Burst = { limit: 5, windowSeconds: 5 };
/** The same for all such addresses together. */
const ofAll: Burst = { limit: 100, windowSeconds: 1 };
/** By when look-ups have ended that are under way. */
const soonMs = 1_000;

/** Where somebody is on the network is kept by its keyed hash alone, here as in Redis. */
export class FailedAttempts {
  private readonly counts = new BoundedMap<string, { count: number; endsAt: number }>(capacity);
  /** By source; each may turn out to have failed. */
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

  /** How long an address is still refused for, as far as this process knows; 0 when it is not. */
  blockedMs(address: string): number {
    return this.blockedFor(this.hashOf(address));
  }

  /** Whether a key may be looked up although its address is refused; asking uses up what is allowed. */
  mayLookUp(address: string): boolean {
    this.sweepLater();
    const allows = (name: string, burst: Burst) => this.lookUps.take(name, burst, 1).waitMs === 0;
    return allows(this.hashOf(address), ofAddress) && allows('all', ofAll);
  }

  /** Until a look-up has ended it counts as an attempt that failed: else all that begin at once would be let through. */
  async during<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    return this.whileCounted(this.hashOf(address), lookUp);
  }

  /** Counts a failed attempt. @returns for how long this very one is to be refused; 0 when it is not. */
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

  /** Runs for as long as there is something to forget. */
  private sweepLater(): void {
    this.sweep ??= setInterval(() => {
      const now = this.ticks();
      this.counts.deleteWhere(({ endsAt }) => endsAt <= now);
      if (this.lookUps.forgetPast() + this.counts.size > 0) return;
      clearInterval(this.sweep);
      this.sweep = undefined;
    }, sweepMs).unref();
  }
}
