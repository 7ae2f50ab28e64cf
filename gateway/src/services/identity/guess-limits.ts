/** Limits on guesses and on mails, by the person they aim at and by the address they come from. */
import { sourceOf } from '../keys/addresses';
import { hashKey } from '../keys/api-key';
import type { AttemptStore } from '../keys/failed-attempts';
import { Refused } from './refused';

const [minute, hour] = [60_000, 60 * 60_000];

/** The limit by target is lower: many people may share an address. */
const limits = {
  password: { target: { most: 10, ms: 15 * minute }, source: { most: 50, ms: 15 * minute } },
  code: { target: { most: 5, ms: 15 * minute }, source: { most: 50, ms: 15 * minute } },
  mail: { target: { most: 5, ms: hour }, source: { most: 30, ms: hour } },
} as const;

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
    const counts = await Promise.all([
      this.one(`${what}:target:${target}`, ofTarget),
      this.one(`${what}:source:${sourceOf(address)}`, ofSource),
    ]);
    const waitMs = Math.max(...counts);
    if (waitMs > 0) throw new Refused('TOO_MANY_ATTEMPTS', Math.ceil(waitMs / 1_000));
  }

  /** @returns how long to wait; 0 if not at all */
  private async one(name: string, window: { readonly most: number; readonly ms: number }): Promise<number> {
    const { count, leftMs } = await this.store.countAttempt(hashKey(`console ${name}`, this.secret), window);
    return count > window.most ? leftMs : 0;
  }
}
