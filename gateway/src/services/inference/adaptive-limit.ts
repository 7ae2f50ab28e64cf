/**
 * How many analyses may be at the inference tier at once, learned from its own refusals. A tier that is full says so,
 * but by then the request was read, parsed, metered and carried there, and in a surge that costs more processor time
 * than is left for the work itself. So once it was refused, little more is let in than it took, and the rest is refused
 * before it is read. One that ends makes room for another, so nothing waits for a timer once the surge is over.
 *
 * It grows a little with each analysis and shrinks by a part once a round, as TCP's window does (RFC 5681, 3.1): gateways
 * that share a tier and do not know of each other come to about equal parts of it. One full pod among many, which
 * refuses few, shrinks it no more than it grows meanwhile.
 *
 * Within the limit an account may hold so many times what is still free (dynamic thresholds: Choudhury and Hahne, IEEE/ACM
 * Transactions on Networking 6(2), 1998). So however much one of them sends, something stays free for the next, and no
 * account needs to know how many there are.
 */
import { AppError } from '../../errors';

/** So many are always let in: few are no surge, and a refusal among few tells of a pod that ends, not of a full tier. */
const least = 16;

/** One that is alone holds four fifths of the limit, which grows until the tier is full all the same; two 4/9 each. */
const timesFree = 4;

/** More than what was under way when the tier refused: room for what comes and goes by chance. */
const headroom = 1.5;

/** Once in a round: of the analyses that were let in before a decrease, further refusals are no news. */
const decrease = 0.9;

/** For each analysis that the tier worked on: an eighth in a round, so that one full pod among many changes nothing. */
const increase = 1 / 8;

export class AdaptiveLimit {
  private underWay = 0;
  /** By account, where there are any. */
  private readonly held = new Map<string, number>();
  private limit = Number.POSITIVE_INFINITY;
  /** Grows with each decrease. */
  private round = 0;
  /** What the tier said last. */
  private retryAfterSeconds = 1;

  /** How many may be at the tier; infinite until it refuses one. */
  get value(): number {
    return this.limit;
  }

  /** @throws AppError SERVICE_UNAVAILABLE where the tier would refuse one more, or the account has its share of it. */
  check(accountId: string): void {
    const free = this.limit - this.underWay;
    if (free >= 1 && this.heldBy(accountId) < timesFree * free) return;
    const { retryAfterSeconds } = this;
    throw new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds });
  }

  /**
   * Does what one analysis asks of the tier, and learns from what becomes of it.
   * @throws as `check` does, without having begun; else as `work` does
   */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    this.check(accountId);
    this.count(accountId, 1);
    const { round } = this;
    try {
      const done = await work();
      this.taken();
      return done;
    } catch (error) {
      if (error instanceof AppError) this.learn(error, round);
      throw error;
    } finally {
      this.count(accountId, -1);
    }
  }

  private heldBy(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }

  private count(accountId: string, change: 1 | -1): void {
    this.underWay += change;
    const now = this.heldBy(accountId) + change;
    if (now === 0) this.held.delete(accountId);
    else this.held.set(accountId, now);
  }

  private learn({ code, status, body, retryAfterSeconds = 1 }: AppError, round: number): void {
    // What is wrong with a picture shows only once the tier has worked on it.
    if (status < 500) this.taken();
    if (code !== 'SERVICE_UNAVAILABLE' || body.reason !== 'overload') return;
    this.retryAfterSeconds = retryAfterSeconds;
    this.limit = Math.min(this.limit, headroom * this.underWay);
    if (round === this.round) {
      this.limit *= decrease;
      this.round++;
    }
    this.limit = Math.max(least, this.limit);
  }

  private taken(): void {
    // A limit that binds nobody is not tried out, and must not grow on that account (RFC 7661 says it of TCP).
    if (2 * this.underWay >= this.limit) this.limit += increase;
  }
}
