/**
 * Limits the analyses in flight at the inference tier, and learns the limit from the tier's refusals. A full tier
 * refuses, but only after the gateway has read, parsed, metered and forwarded the request, and in a surge that costs more
 * processor time than is left for analyses. So after a refusal the gateway admits little more than the tier could take
 * and refuses the rest before reading it. Every analysis that ends admits another, so no timer delays the recovery.
 *
 * The limit grows a little with each analysis and shrinks by a fraction once a round, like TCP's window (RFC 5681, 3.1),
 * so that gateways that share a tier get about equal parts of it without coordination. One full pod among many
 * refuses few requests and shrinks the limit no more than it grows meanwhile.
 *
 * Within the limit, an account may hold a multiple of the free capacity (dynamic thresholds: Choudhury and Hahne,
 * IEEE/ACM Transactions on Networking 6(2), 1998). However much one account sends, some capacity stays free for the next,
 * and no account needs to know how many there are.
 */
import { ApiError } from '../../errors';

/**
 * The limit never falls below this: so few analyses are no surge, and a refusal among them comes from a pod that is
 * shutting down, not from a full tier.
 */
const least = 16;

/** A single account holds at most four fifths of the limit, which still grows until the tier is full; two hold 4/9 each. */
const timesFree = 4;

/** Factor above the analyses in flight when the tier refused, as room for random variation. */
const headroom = 1.5;

/** Factor of a decrease, once a round: refusals of analyses admitted before a decrease carry no new information. */
const decrease = 0.9;

/** Growth for each analysis that the tier processed; small enough that one full pod among many changes nothing. */
const increase = 1 / 8;

export class AdaptiveLimit {
  private inFlight = 0;
  /** Number of requests in flight, by account. */
  private readonly held = new Map<string, number>();
  private limit = Number.POSITIVE_INFINITY;
  /** Counts the decreases. */
  private round = 0;
  /** Retry-After of the tier's last refusal. */
  private retryAfterSeconds = 1;

  /** Analyses that may be in flight; infinite until the tier refuses one. */
  get value(): number {
    return this.limit;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE when the limit is reached, or the account's share of it. */
  check(accountId: string): void {
    const free = this.limit - this.inFlight;
    if (free >= 1 && this.heldBy(accountId) < timesFree * free) return;
    const { retryAfterSeconds } = this;
    throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds });
  }

  /**
   * Runs one analysis and learns from its outcome.
   * @throws as `check` does, before `work` runs; otherwise as `work` does
   */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    this.check(accountId);
    this.count(accountId, 1);
    const { round } = this;
    try {
      const done = await work();
      this.processed();
      return done;
    } catch (error) {
      if (error instanceof ApiError) this.learn(error, round);
      throw error;
    } finally {
      this.count(accountId, -1);
    }
  }

  private heldBy(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }

  private count(accountId: string, change: 1 | -1): void {
    this.inFlight += change;
    const now = this.heldBy(accountId) + change;
    if (now === 0) this.held.delete(accountId);
    else this.held.set(accountId, now);
  }

  private learn({ code, status, body, retryAfterSeconds = 1 }: ApiError, round: number): void {
    // The tier rejects an invalid image only after processing it.
    if (status < 500) this.processed();
    if (code !== 'SERVICE_UNAVAILABLE' || body.reason !== 'overload') return;
    this.retryAfterSeconds = retryAfterSeconds;
    this.limit = Math.min(this.limit, headroom * this.inFlight);
    if (round === this.round) {
      this.limit *= decrease;
      this.round++;
    }
    this.limit = Math.max(least, this.limit);
  }

  private processed(): void {
    // A limit that is not reached is not tested, so it must not grow (as RFC 7661 says of TCP).
    if (2 * this.inFlight >= this.limit) this.limit += increase;
  }
}
