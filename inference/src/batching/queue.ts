/**
 * Selects the next batch. Every operation has a lane per priority. Interactive work goes first, but bulk work leads one
 * batch in every few, and operations alternate, so nothing starves.
 */
import { Lane } from './lane';
import type { Priority, Waiting } from './waiting';

/** While both wait, the batch lane leads one dispatch in this many. */
const batchInterval = 4;

type Lanes = Readonly<Record<Priority, Lane>>;

export class Queue {
  /** Operations in the order of their next dispatch. */
  private order: string[] = [];
  private readonly lanes = new Map<string, Lanes>();
  private interactiveInARow = 0;

  /** Queued weight of one operation and priority, of both priorities, or of all operations. */
  weight(operation?: string, priority?: Priority): number {
    const chosen = operation === undefined ? [...this.lanes.values()] : [this.lanes.get(operation)];
    return chosen
      .flatMap((lanes) => (lanes ? (priority ? [lanes[priority]] : Object.values(lanes)) : []))
      .reduce((sum, lane) => sum + lane.weight, 0);
  }

  /** Operations seen so far. */
  get operations(): readonly string[] {
    return [...this.lanes.keys()];
  }

  push(item: Waiting): void {
    let lanes = this.lanes.get(item.operation);
    if (!lanes) {
      lanes = { interactive: new Lane(), batch: new Lane() };
      this.lanes.set(item.operation, lanes);
      this.order.push(item.operation);
    }
    lanes[item.priority].push(item);
  }

  remove(item: Waiting): boolean {
    return this.lanes.get(item.operation)?.[item.priority].remove(item) ?? false;
  }

  /** Removes and returns the items whose deadline has passed. */
  removeExpired(now: number): Waiting[] {
    return [...this.lanes.values()].flatMap((lanes) =>
      Object.values(lanes).flatMap((lane) => lane.removeExpired(now)),
    );
  }

  /**
   * Removes and returns the next batch: items of one operation, at most `limit(operation)` in weight unless a
   * single item weighs more.
   * @param ready whether an operation may be dispatched now; the others keep their place.
   */
  take(ready: (operation: string) => boolean, limit: (operation: string) => number): Waiting[] {
    const waiting = this.order.filter((operation) => this.weight(operation) > 0 && ready(operation));
    const leads = (priority: Priority) =>
      waiting.find((operation) => !this.lanesOf(operation)[priority].isEmpty);
    const [interactive, batch] = [leads('interactive'), leads('batch')];
    const batchLeads =
      batch !== undefined && (interactive === undefined || this.interactiveInARow >= batchInterval - 1);
    const operation = batchLeads ? batch : interactive;
    if (operation === undefined) return [];
    this.interactiveInARow = batchLeads || batch === undefined ? 0 : this.interactiveInARow + 1;
    this.order = [...this.order.filter((other) => other !== operation), operation];
    return this.fill(this.lanesOf(operation), batchLeads ? 'batch' : 'interactive', limit(operation));
  }

  /** The leader first, then interactive items, then bulk items into the remaining space. */
  private fill(lanes: Lanes, leader: Priority, limit: number): Waiting[] {
    const taken: Waiting[] = [];
    let weight = 0;
    const takeFrom = (lane: Lane, count = Number.POSITIVE_INFINITY) => {
      for (let item = lane.first; item && count > 0; item = lane.first, count -= 1) {
        if (taken.length > 0 && weight + item.weight > limit) return;
        lane.remove(item);
        taken.push(item);
        weight += item.weight;
      }
    };
    takeFrom(lanes[leader], 1);
    takeFrom(lanes.interactive);
    takeFrom(lanes.batch);
    return taken;
  }

  /** When the oldest item of an operation was queued; infinite if none waits. */
  oldest(operation: string): number {
    return Math.min(
      ...Object.values(this.lanesOf(operation)).map(
        (lane) => lane.first?.enqueued ?? Number.POSITIVE_INFINITY,
      ),
    );
  }

  private lanesOf(operation: string): Lanes {
    return this.lanes.get(operation) as Lanes;
  }
}
