/** A first-in, first-out queue from which items of disconnected callers can be removed. */
import type { Waiting } from './waiting';

export class Lane {
  // A Set keeps the order of insertion and deletes in constant time.
  private readonly items = new Set<Waiting>();
  /** Sum of the weights of the waiting items. */
  weight = 0;
  /** A lower bound of the items' deadlines, which saves scanning the lane for every request. */
  private nextDeadline = Number.POSITIVE_INFINITY;

  get isEmpty(): boolean {
    return this.items.size === 0;
  }

  get first(): Waiting | undefined {
    return this.items.values().next().value;
  }

  push(item: Waiting): void {
    this.items.add(item);
    this.weight += item.weight;
    this.nextDeadline = Math.min(this.nextDeadline, item.deadline);
  }

  /** @returns whether the lane contained the item. */
  remove(item: Waiting): boolean {
    const removed = this.items.delete(item);
    if (removed) this.weight -= item.weight;
    return removed;
  }

  /** Removes and returns the items whose deadline is not after `now`. */
  removeExpired(now: number): Waiting[] {
    if (now < this.nextDeadline) return [];
    const expired = [...this.items].filter((item) => item.deadline <= now);
    for (const item of expired) this.remove(item);
    this.nextDeadline = Math.min(...[...this.items].map(({ deadline }) => deadline));
    return expired;
  }
}
