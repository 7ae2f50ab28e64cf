/**
 * Slows down who guesses keys: after so many failed attempts within a window an address is refused until the window
 * has passed. The gateways count together in the store; while it is away, each counts for itself. What is to be kept
 * low is the work of the store: no number of guesses finds a key.
 */
import limits from '@presenza/contract/limits.json';
import { BoundedMap } from '../bounded-map';
import { type Burst, LocalLimiter } from '../metering/local-limiter';
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

const most = limits.failedAuthentication.limit;
const windowMs = limits.failedAuthentication.windowSeconds * 1000;

/** Look-ups for an address that is refused: a few at once, then one a second. */
const ofAddress: Burst = { limit: 5, windowSeconds: 5 };
/** The same for all such addresses together. */
const ofAll: Burst = { limit: 100, windowSeconds: 1 };

export class FailedAttempts {
  private readonly counts = new BoundedMap<string, { count: number; endsAt: number }>(capacity);
  private readonly lookUps: LocalLimiter;

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
    const known = this.counts.get(sourceOf(address));
    return known && known.count >= most ? Math.max(0, known.endsAt - this.ticks()) : 0;
  }

  /** Whether a key may be looked up although its address is refused; asking uses up what is allowed. */
  mayLookUp(address: string): boolean {
    const allows = (name: string, burst: Burst) => this.lookUps.take(name, burst, 1).waitMs === 0;
    return allows(sourceOf(address), ofAddress) && allows('all', ofAll);
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
