/**
 * Predicts when a new item would finish, from the work ahead of it and past durations. It serves only to reject early
 * the items that would be late anyway, so it may be rough, and it errs on the side of admission.
 */
import type { Queue } from './queue';
import { ServiceTime } from './service-time';
import type { Priority } from './waiting';

/** While both wait, bulk work gets about one dispatch in this many interactive ones. */
const interactivePerBatch = 3;

export interface Running {
  readonly operation: string;
  readonly weight: number;
  /** Moment of dispatch. */
  readonly since: number;
}

export class Forecast {
  private readonly times = new Map<string, ServiceTime>();

  constructor(
    private readonly queue: Queue,
    private readonly maxBatch: number,
  ) {}

  observe(operation: string, weight: number, durationMs: number): void {
    this.timeOf(operation).observe(weight, durationMs);
  }

  /** Milliseconds until all work ahead is done, shared by `capacity` workers. */
  waitMs(operation: string, priority: Priority, state: WorkState): number {
    const { running, capacity, now } = state;
    const left = running.reduce(
      (sum, batch) =>
        sum + Math.max(0, this.timeOf(batch.operation).predictMs(batch.weight) - (now - batch.since)),
      0,
    );
    const own = this.weightAhead(operation, priority);
    const rounds = Math.ceil((own + 1) / this.maxBatch);
    const queued = this.queue.operations.reduce((sum, other) => {
      const weight = other === operation ? own : this.weightAhead(other, priority);
      // Operations alternate, so no other operation has more batches ahead than this one.
      const ahead = other === operation ? weight : Math.min(weight, rounds * this.maxBatch);
      return sum + this.workMs(other, ahead);
    }, 0);
    return (left + queued) / Math.max(1, capacity);
  }

  serviceMs(operation: string, weight: number): number {
    return this.timeOf(operation).predictMs(weight);
  }

  private weightAhead(operation: string, priority: Priority): number {
    const interactive = this.queue.weight(operation, 'interactive');
    const batch = this.queue.weight(operation, 'batch');
    return interactive + (priority === 'batch' ? batch : Math.min(batch, interactive / interactivePerBatch));
  }

  private workMs(operation: string, weight: number): number {
    if (weight === 0) return 0;
    const { perItemMs, baseMs } = this.timeOf(operation).fit();
    return perItemMs * weight + baseMs * Math.ceil(weight / this.maxBatch);
  }

  private timeOf(operation: string): ServiceTime {
    let time = this.times.get(operation);
    if (!time) {
      time = new ServiceTime();
      this.times.set(operation, time);
    }
    return time;
  }
}

export interface WorkState {
  readonly running: readonly Running[];
  readonly capacity: number;
  readonly now: number;
}
