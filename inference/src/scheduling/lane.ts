/** The waiting items of one account and priority, first in, first out. Those of disconnected callers can be removed. */
import type { Waiting } from './waiting';

export class Lane {
  // A Set keeps the order of insertion and deletes in constant time.
  private readonly items = new Set<Waiting>();
  /** A lower bound of the items' deadlines, which saves scanning the lane for every request. */
  private nextDeadline = Number.POSITIVE_INFINITY;

  get isEmpty(): boolean {
    return this.items.size === 0;
  }

  get first(): Waiting | undefined {
    return this.items.values().next().value;
  }

  [Symbol.iterator](): IterableIterator<Waiting> {
    return this.items.values();
  }

  push(item: Waiting): void {
    this.items.add(item);
    this.nextDeadline = Math.min(this.nextDeadline, item.deadline);
  }

  /** @returns whether the lane contained the item. */
  remove(item: Waiting): boolean {
    return this.items.delete(item);
  }

  /** The items whose deadline is not after `now`. */
  expired(now: number): Waiting[] {
    if (now < this.nextDeadline) return [];
    const expired: Waiting[] = [];
    this.nextDeadline = Number.POSITIVE_INFINITY;
    for (const item of this.items) {
      if (item.deadline <= now) expired.push(item);
      else this.nextDeadline = Math.min(this.nextDeadline, item.deadline);
    }
    return expired;
  }
}
