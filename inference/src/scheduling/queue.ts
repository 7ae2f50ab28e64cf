/**
 * Selects the next item. Every account has a lane per priority. Interactive work goes first, but bulk work leads one item
 * in every few; within a priority, the account that has used the workers least is next.
 */
import { Lane } from './lane';
import { FairShares } from './shares';
import type { Priority, Waiting } from './waiting';

/** While both wait, one item in this many is bulk work. */
const batchInterval = 4;

const priorities = ['interactive', 'batch'] as const satisfies readonly Priority[];

export class Queue {
  private readonly lanes: Readonly<Record<Priority, Map<string, Lane>>> = {
    interactive: new Map(),
    batch: new Map(),
  };
  private readonly shares = new FairShares();
  private readonly weights: Record<Priority, number> = { interactive: 0, batch: 0 };
  private interactiveInARow = 0;

  /** Queued weight of one priority or of both. */
  weight(priority?: Priority): number {
    return priority ? this.weights[priority] : this.weights.interactive + this.weights.batch;
  }

  /** Waiting items, those of an account and priority in their order. */
  *[Symbol.iterator](): Generator<Waiting> {
    for (const priority of priorities) {
      for (const lane of this.lanes[priority].values()) yield* lane;
    }
  }

  push(item: Waiting): void {
    const lanes = this.lanes[item.priority];
    const lane = lanes.get(item.account) ?? new Lane();
    lanes.set(item.account, lane);
    lane.push(item);
    this.weights[item.priority] += item.weight;
  }

  remove(item: Waiting): boolean {
    const lanes = this.lanes[item.priority];
    const lane = lanes.get(item.account);
    if (!lane?.remove(item)) return false;
    if (lane.isEmpty) lanes.delete(item.account);
    this.weights[item.priority] -= item.weight;
    return true;
  }

  /** Removes and returns the items whose deadline has passed. */
  removeExpired(now: number): Waiting[] {
    const expired = priorities.flatMap((priority) =>
      [...this.lanes[priority].values()].flatMap((lane) => lane.expired(now)),
    );
    for (const item of expired) this.remove(item);
    return expired;
  }

  /**
   * Removes and returns the next item.
   * @param mayRun whether work of an account may run now; the others keep their place.
   */
  take(mayRun: (account: string) => boolean): Waiting | undefined {
    const ready = (priority: Priority) => new Set([...this.lanes[priority].keys()].filter(mayRun));
    const [interactive, batch] = [ready('interactive'), ready('batch')];
    const batchLeads =
      batch.size > 0 && (interactive.size === 0 || this.interactiveInARow >= batchInterval - 1);
    const accounts = batchLeads ? batch : interactive;
    if (accounts.size === 0) return undefined;
    this.interactiveInARow = batchLeads || batch.size === 0 ? 0 : this.interactiveInARow + 1;
    const lane = this.lanes[batchLeads ? 'batch' : 'interactive'].get(this.shares.next(accounts)) as Lane;
    const item = lane.first as Waiting;
    this.remove(item);
    return item;
  }

  /** Charges an account for work that ran, in milliseconds of a worker. */
  charge(account: string, ms: number): void {
    this.shares.charge(account, ms);
  }
}
