/**
 * Rate limits in this process: in place of the store's while it is away, and to refuse without asking what the store
 * has just refused. GCRA (ITU-T I.371): one number per account says when its next operation would be on time.
 */
import { BoundedMap } from '../bounded-map';

export interface Burst {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What the RateLimit headers tell. */
export interface RateState extends Burst {
  /** Operations that may come at once now. */
  readonly remaining: number;
  /** Milliseconds until as many as the limit may. */
  readonly resetMs: number;
}

const maxAccounts = 10_000;

export class LocalLimiter {
  private readonly arrivals = new BoundedMap<string, number>(maxAccounts);
  private readonly denials = new BoundedMap<string, { rate: RateState; at: number; until: number }>(
    maxAccounts,
  );

  /**
   * @param replicas processes among which the limit is shared out when each has to decide alone.
   * @param now milliseconds; any monotonic clock.
   */
  constructor(
    private readonly replicas: number,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  /** @returns how long to wait, 0 when the operations may run; they are counted only then. */
  take(accountId: string, burst: Burst, operations: number): { rate: RateState; waitMs: number } {
    const now = this.now();
    const limit = Math.max(1, Math.floor(burst.limit / this.replicas));
    const windowMs = burst.windowSeconds * 1_000;
    const interval = windowMs / limit;
    const arrival = Math.max(this.arrivals.get(accountId) ?? 0, now);
    const after = arrival + Math.min(operations, limit) * interval;
    const waitMs = Math.max(0, after - now - windowMs);
    if (waitMs === 0) this.arrivals.set(accountId, after);
    const ahead = (waitMs === 0 ? after : arrival) - now;
    const remaining = Math.max(0, Math.floor((windowMs - ahead) / interval));
    return { rate: { ...burst, remaining, resetMs: ahead }, waitMs };
  }

  /** Forgets whoever may do as much as one who never came. @returns how many it still knows. */
  forgetPast(): number {
    const now = this.now();
    this.arrivals.deleteWhere((arrival) => arrival <= now);
    this.denials.deleteWhere(({ until }) => until <= now);
    return this.arrivals.size + this.denials.size;
  }

  /** Remembers that a single operation was refused: until then, the next is as well. */
  deny(accountId: string, rate: RateState, waitMs: number): void {
    const at = this.now();
    this.denials.set(accountId, { rate, at, until: at + waitMs });
  }

  denied(accountId: string, burst: Burst): { rate: RateState; waitMs: number } | undefined {
    const denial = this.denials.get(accountId);
    if (!denial) return undefined;
    const now = this.now();
    const { rate, at, until } = denial;
    // Another limit, since the account's terms changed: only the store can tell.
    if (now >= until || rate.limit !== burst.limit || rate.windowSeconds !== burst.windowSeconds) {
      this.denials.delete(accountId);
      return undefined;
    }
    return { rate: { ...rate, resetMs: rate.resetMs - (now - at) }, waitMs: until - now };
  }
}
