/**
 * Slows down who guesses keys: after so many failed attempts within a window an address is refused until the window
 * has passed. The gateways count together in the store; while it is away, each counts for itself.
 */
import limits from '@presenza/contract/limits.json';
import { sourceOf } from './addresses';
import { hashKey } from './api-key';
import { BoundedMap } from './bounded-map';

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

const most = limits.failedAuthentication.limit;
const windowMs = limits.failedAuthentication.windowSeconds * 1000;

export class FailedAttempts {
  private readonly counts = new BoundedMap<string, { count: number; endsAt: number }>(capacity);

  /** @param ticks a clock in ms that never goes back. */
  constructor(
    private readonly store: AttemptStore,
    private readonly secret: string,
    private readonly ticks: () => number = performance.now.bind(performance),
  ) {}

  /** How long an address is still refused for, as far as this process knows; 0 when it is not. */
  blockedMs(address: string): number {
    const known = this.counts.get(sourceOf(address));
    return known && known.count >= most ? Math.max(0, known.endsAt - this.ticks()) : 0;
  }

  /** Counts a failed attempt. @returns for how long this very one is to be refused; 0 when it is not. */
  async add(address: string): Promise<number> {
    const source = sourceOf(address);
    const { count, leftMs } = await this.count(source);
    this.counts.set(source, { count, endsAt: this.ticks() + leftMs });
    return count > most ? leftMs : 0;
  }

  private async count(source: string): Promise<AttemptCount> {
    try {
      // Where somebody is on the network is not for Redis's files.
      return await this.store.countAttempt(hashKey(source, this.secret), { most, ms: windowMs });
    } catch {
      const known = this.counts.get(source);
      const left = known ? known.endsAt - this.ticks() : 0;
      return known && left > 0 ? { count: known.count + 1, leftMs: left } : { count: 1, leftMs: windowMs };
    }
  }
}
