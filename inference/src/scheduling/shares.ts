/**
 * Divides work fairly among accounts: start-time fair queuing (P. Goyal and others, 1996), with costs that are charged once
 * they are known. Among accounts with waiting work, the one that has used least is next.
 */
import { remember } from './recent';

export class FairShares {
  /** Cost by account, on the scale of `clock`. An account that is no longer remembered starts at the clock. */
  private readonly used = new Map<string, number>();
  /** The cost that the account served last had used before. */
  private clock = 0;

  /** @param waiting all accounts with waiting work that may be served now; at least one */
  next(waiting: ReadonlySet<string>): string {
    let least: string | undefined;
    for (const account of waiting) {
      if (least === undefined || this.usedBy(account) < this.usedBy(least)) least = account;
    }
    this.clock = this.usedBy(least as string);
    return least as string;
  }

  charge(account: string, cost: number): void {
    remember(this.used, account, this.usedBy(account) + cost);
  }

  /** Never less than the clock, so that nothing is saved up while no work waits. */
  usedBy(account: string): number {
    return Math.max(this.clock, this.used.get(account) ?? 0);
  }
}
