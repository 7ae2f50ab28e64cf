/** Limits on guesses, on mails and on calls that take long, by the person they aim at and by the address they come from. */
import { sourceOf } from '../keys/addresses';
import { hashKey } from '../keys/api-key';
import type { AttemptStore } from '../keys/failed-attempts';
import { Refused } from './refused';

const [minute, hour] = [60_000, 60 * 60_000];

/** The limit by target is lower: many people may share an address. */
const limits = {
  password: { target: { most: 10, ms: 15 * minute }, source: { most: 50, ms: 15 * minute } },
  code: { target: { most: 5, ms: 15 * minute }, source: { most: 50, ms: 15 * minute } },
  // Its estimate takes a third of a second of the gateway's only thread.
  newPassword: { target: { most: 20, ms: 15 * minute }, source: { most: 100, ms: 15 * minute } },
  mail: { target: { most: 5, ms: hour }, source: { most: 30, ms: hour } },
} as const satisfies Record<string, Record<'target' | 'source', Window>>;
const anonymous: Window = { most: 100, ms: 5 * minute };
/** One change a second is more than people need. The audit log is bounded, so a faster script would displace its entries. */
const change: Window = { most: 300, ms: 5 * minute };

/** Each may read the whole log of an account, which takes a quarter of a second. */
const search: Window = { most: 60, ms: 5 * minute };

interface Window {
  readonly most: number;
  readonly ms: number;
}

export class GuessLimits {
  constructor(
    private readonly store: AttemptStore,
    private readonly secret: string,
  ) {}

  /**
   * Counts one attempt.
   * @param target a user or an email address. @param address of the caller.
   * @throws Refused TOO_MANY_ATTEMPTS, AppError SERVICE_UNAVAILABLE
   */
  async count(what: keyof typeof limits, target: string, address: string): Promise<void> {
    const { target: ofTarget, source: ofSource } = limits[what];
    // An address above its limit can neither lock more people out nor fill the store with their counters.
    await this.one(`${what}:source:${sourceOf(address)}`, ofSource);
    await this.one(`${what}:target:${target}`, ofTarget);
  }

  /**
   * Counts one call that stores something for anybody.
   * @throws Refused TOO_MANY_ATTEMPTS, AppError SERVICE_UNAVAILABLE
   */
  countAnonymous(address: string): Promise<void> {
    return this.one(`anonymous:source:${sourceOf(address)}`, anonymous);
  }

  /**
   * Counts one call by which a person may change something.
   * @throws Refused TOO_MANY_ATTEMPTS, AppError SERVICE_UNAVAILABLE
   */
  countChange(userId: string): Promise<void> {
    return this.one(`change:target:${userId}`, change);
  }

  /**
   * Counts one search of a person.
   * @throws Refused TOO_MANY_ATTEMPTS, AppError SERVICE_UNAVAILABLE
   */
  countSearch(userId: string): Promise<void> {
    return this.one(`search:target:${userId}`, search);
  }

  private async one(name: string, { most, ms }: Window): Promise<void> {
    const counter = hashKey(`console ${name}`, this.secret);
    const { count, leftMs } = await this.store.countAttempt(counter, { most, ms });
    if (count > most) throw new Refused('TOO_MANY_ATTEMPTS', Math.ceil(leftMs / 1_000));
  }
}
