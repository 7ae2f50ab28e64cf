/**
 * Rate limits in this process. They replace the store's while it is unavailable, and reject without a round trip what
 * the store has just rejected. GCRA (ITU-T I.371) needs one number per account: when its next operation is on time.
 */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';

export interface Burst {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The state in the RateLimit headers. */
export interface RateState extends Burst {
  /** Operations that may run now. */
  readonly remaining: number;
  /** Milliseconds until the full limit is available again. */
  readonly resetMs: number;
}

const maxAccounts = bounds.trackedAccounts;

export class LocalLimiter {
  private readonly arrivals = new LRUCache<string, number>({ max: maxAccounts });
  private readonly denials = new LRUCache<string, { rate: RateState; at: number; until: number }>({
    max: maxAccounts,
  });

  /**
   * @param replicas number of gateways that share the limit while each decides alone.
   * @param now milliseconds; any monotonic clock.
   */
  constructor(
    private readonly replicas: number,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  /**
   * @param owed whether the operations ran already: they count past the limit, by a window at most.
   * @returns how long to wait. At 0 the operations may run, and only then they count.
   */
  take(
    accountId: string,
    burst: Burst,
    operations: number,
    owed = false,
  ): { rate: RateState; waitMs: number } {
    const now = this.now();
    const limit = Math.max(1, Math.floor(burst.limit / this.replicas));
    const windowMs = burst.windowSeconds * 1_000;
    const interval = windowMs / limit;
    const arrival = Math.max(this.arrivals.get(accountId) ?? 0, now);
    const whole = arrival + Math.min(operations, limit) * interval;
    const after = owed ? Math.min(whole, now + 2 * windowMs) : whole;
    const waitMs = owed ? 0 : Math.max(0, after - now - windowMs);
    if (waitMs === 0) this.arrivals.set(accountId, after);
    const ahead = (waitMs === 0 ? after : arrival) - now;
    const remaining = Math.max(0, Math.floor((windowMs - ahead) / interval));
    return { rate: { ...burst, remaining, resetMs: ahead }, waitMs };
  }

  /** Remembers that the store rejected a single operation, so that the next is rejected here until then. */
  deny(accountId: string, rate: RateState, waitMs: number): void {
    const at = this.now();
    this.denials.set(accountId, { rate, at, until: at + waitMs });
  }

  denied(accountId: string, burst: Burst): { rate: RateState; waitMs: number } | undefined {
    const denial = this.denials.get(accountId);
    if (!denial) return undefined;
    const now = this.now();
    const { rate, at, until } = denial;
    // The account's terms have changed: only the store knows the new state.
    if (now >= until || rate.limit !== burst.limit || rate.windowSeconds !== burst.windowSeconds) {
      this.denials.delete(accountId);
      return undefined;
    }
    return { rate: { ...rate, resetMs: rate.resetMs - (now - at) }, waitMs: until - now };
  }
}
