/**
 * Divides work fairly among accounts: start-time fair queuing (P. Goyal and others, 1996), with costs that are charged once
 * they are known. Among accounts with waiting work, the one that has used least is next.
 */
export class FairShares {
  /** Cost by account, on the scale of `clock`. */
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
    if (this.used.size > 2 * waiting.size + 64) this.forget(waiting);
    return least as string;
  }

  charge(account: string, cost: number): void {
    this.used.set(account, this.usedBy(account) + cost);
  }

  /** Never less than the clock, so that nothing is saved up while no work waits. */
  usedBy(account: string): number {
    return Math.max(this.clock, this.used.get(account) ?? 0);
  }

  /** Drops accounts that would start at the clock anyway. */
  private forget(waiting: ReadonlySet<string>): void {
    for (const [account, cost] of this.used) {
      if (cost <= this.clock && !waiting.has(account)) this.used.delete(account);
    }
  }
}
