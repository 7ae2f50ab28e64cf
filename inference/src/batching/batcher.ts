/**
 * Gathers single items into batches for workers that work best on several at once. There is no timer by default: an
 * item goes at once when a worker is free, otherwise the next batch forms while the workers are busy. The queue is
 * bounded by weight, late items are dropped before they cost anything, and what cannot be in time is refused at the
 * door. It knows a `Dispatcher` and nothing of threads, models or HTTP.
 */
import { type Clock, systemClock } from './clock';
import { AbandonedError, DeadlineError, OverloadError } from './errors';
import { Forecast, type Running } from './forecast';
import { Queue } from './queue';
import type { Priority, Waiting } from './waiting';

/** Whatever computes batches. */
export interface Dispatcher {
  /** Batches that may run side by side. */
  readonly capacity: number;
  /** @returns one answer per item, in their order. @throws only when something broke; it fails the whole batch. */
  dispatch(operation: string, items: readonly unknown[]): Promise<readonly unknown[]>;
}

export interface BatchPolicy {
  /** Largest weight of a batch; an item that weighs more goes alone. */
  readonly maxBatch: number;
  /** Largest weight that may wait. Bulk items may take half of it, so that they never lock interactive ones out. */
  readonly maxQueue: number;
  /** How long a batch that is not full may wait for more although a worker is free. 0 wherever latency counts. */
  readonly delayMs: number;
  /**
   * Whether waiting items are divided among the workers: right where each worker has its own core. Without it a
   * batch is as large as it may be: right where workers share one device that loves large batches.
   */
  readonly spread: boolean;
}

export interface Submission {
  /** How much of a batch the item takes, a whole number; images or faces. Default 1. */
  readonly weight?: number;
  /** Default `interactive`. */
  readonly priority?: Priority;
  /** What is left of the caller's patience, in milliseconds. Default: without end. */
  readonly deadlineMs?: number;
  /** Aborted when nobody waits any more: a queued item is dropped. What runs, runs to its end. */
  readonly signal?: AbortSignal;
}

/** Told what happens; every time is in milliseconds. */
export interface BatchObserver {
  dispatched?(batch: { operation: string; weight: number; waitsMs: readonly number[] }): void;
  finished?(batch: { operation: string; weight: number; serviceMs: number; failed: boolean }): void;
  dropped?(item: { operation: string; reason: OverloadError['reason'] | 'expired' | 'abandoned' }): void;
}

export interface BatcherOptions {
  readonly dispatcher: Dispatcher;
  readonly policy: BatchPolicy;
  readonly clock?: Clock;
  readonly observer?: BatchObserver;
}

/** Input and output by name of operation. */
export type OperationShapes<Shapes> = {
  readonly [Name in keyof Shapes]: { input: unknown; output: unknown };
};

export class Batcher<Shapes extends OperationShapes<Shapes>> {
  private readonly queue = new Queue();
  private readonly forecast: Forecast;
  private readonly running = new Set<Running>();
  private readonly clock: Clock;
  private cancelTimer: (() => void) | undefined;
  private draining: Promise<void> | undefined;
  private whenEmpty = () => {};

  constructor(private readonly options: BatcherOptions) {
    this.clock = options.clock ?? systemClock;
    this.forecast = new Forecast(this.queue, options.policy.maxBatch);
  }

  /** Weight that waits, by operation. */
  get queued(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.queue.operations.map((operation) => [operation, this.queue.weight(operation)]),
    );
  }

  /** How long the longest waiting item has waited, in ms, by operation; 0: none waits. */
  get oldestWaitMs(): Readonly<Record<string, number>> {
    const now = this.clock.now();
    return Object.fromEntries(
      this.queue.operations.map((operation) => [operation, Math.max(0, now - this.queue.oldest(operation))]),
    );
  }

  /**
   * @throws OverloadError, DeadlineError, AbandonedError, or the error that failed the item's batch.
   */
  submit<Name extends keyof Shapes & string>(
    operation: Name,
    item: Shapes[Name]['input'],
    submission: Submission = {},
  ): Promise<Shapes[Name]['output']> {
    return new Promise((resolve, reject) => {
      const {
        weight = 1,
        priority = 'interactive',
        deadlineMs = Number.POSITIVE_INFINITY,
        signal,
      } = submission;
      const enqueued = this.clock.now();
      const waiting: Waiting = {
        operation,
        item,
        weight,
        priority,
        enqueued,
        deadline: enqueued + deadlineMs,
        resolve: resolve as (answer: unknown) => void,
        reject,
      };
      if (signal?.aborted) return this.drop(waiting, 'abandoned');
      this.dropExpired();
      const refusal = this.refusal(waiting);
      if (refusal) return this.drop(waiting, refusal);
      signal?.addEventListener('abort', () => this.abandon(waiting), { once: true });
      this.queue.push(waiting);
      this.pump();
    });
  }

  /** Refuses new items, lets those that wait and run end. */
  drain(): Promise<void> {
    this.draining ??= new Promise((resolve) => {
      this.whenEmpty = resolve;
    });
    this.pump();
    return this.draining;
  }

  private refusal(item: Waiting): OverloadError['reason'] | 'expired' | undefined {
    if (this.draining) return 'draining';
    if (item.deadline <= this.clock.now()) return 'expired';
    // A free worker takes anything: it also keeps the forecast honest, which learns only from what runs.
    if (this.free > 0 && this.queue.weight() === 0) return undefined;
    const { maxQueue } = this.options.policy;
    const waits = item.priority === 'batch' ? this.batchWeight() : this.queue.weight();
    const room = item.priority === 'batch' ? maxQueue / 2 : maxQueue;
    if (waits + item.weight > room || this.queue.weight() + item.weight > maxQueue) return 'full';
    const wait = this.forecast.waitMs(item.operation, item.priority, this.work());
    const service = this.forecast.serviceMs(item.operation, item.weight);
    return item.enqueued + wait + service > item.deadline ? 'deadline' : undefined;
  }

  private batchWeight(): number {
    return this.queue.operations.reduce((sum, operation) => sum + this.queue.weight(operation, 'batch'), 0);
  }

  private get free(): number {
    return this.options.dispatcher.capacity - this.running.size;
  }

  private work() {
    const { capacity } = this.options.dispatcher;
    return { running: [...this.running], capacity, now: this.clock.now() };
  }

  /** Hands batches to free workers until either runs out. */
  private pump(): void {
    this.dropExpired();
    while (this.free > 0) {
      const batch = this.queue.take(
        (operation) => this.isReady(operation),
        (operation) => this.sizeLimit(operation),
      );
      if (batch.length === 0) break;
      this.dispatch(batch);
    }
    this.setTimer();
    if (this.draining && this.running.size === 0 && this.queue.weight() === 0) this.whenEmpty();
  }

  private isReady(operation: string): boolean {
    const { delayMs, maxBatch } = this.options.policy;
    if (delayMs === 0 || this.draining || this.queue.weight(operation) >= maxBatch) return true;
    return this.clock.now() - this.queue.oldest(operation) >= delayMs;
  }

  private sizeLimit(operation: string): number {
    const { maxBatch, spread } = this.options.policy;
    if (!spread) return maxBatch;
    return Math.min(maxBatch, Math.ceil(this.queue.weight(operation) / this.options.dispatcher.capacity));
  }

  /** Wakes up for the batch whose delay ends first. */
  private setTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const { delayMs } = this.options.policy;
    if (delayMs === 0 || this.free <= 0 || this.queue.weight() === 0) return;
    const oldest = Math.min(...this.queue.operations.map((operation) => this.queue.oldest(operation)));
    this.cancelTimer = this.clock.setTimer(
      () => this.pump(),
      Math.max(0, oldest + delayMs - this.clock.now()),
    );
  }

  private dispatch(batch: readonly Waiting[]): void {
    const { operation } = batch[0] as Waiting;
    const since = this.clock.now();
    const weight = batch.reduce((sum, item) => sum + item.weight, 0);
    const running: Running = { operation, weight, since };
    this.running.add(running);
    const { dispatcher, observer } = this.options;
    observer?.dispatched?.({ operation, weight, waitsMs: batch.map((item) => since - item.enqueued) });
    const finish = (failed: boolean) => {
      const serviceMs = this.clock.now() - since;
      this.running.delete(running);
      if (!failed) this.forecast.observe(operation, weight, serviceMs);
      observer?.finished?.({ operation, weight, serviceMs, failed });
      // Workers first: what the callers do with their answers must not keep one waiting.
      this.pump();
    };
    compute(dispatcher, operation, batch).then(
      (answers) => {
        finish(false);
        batch.forEach((item, i) => {
          item.resolve(answers[i]);
        });
      },
      (error: Error) => {
        finish(true);
        for (const item of batch) item.reject(error);
      },
    );
  }

  private abandon(item: Waiting): void {
    if (!this.queue.remove(item)) return;
    this.drop(item, 'abandoned');
    this.pump();
  }

  private dropExpired(): void {
    for (const item of this.queue.removeExpired(this.clock.now())) this.drop(item, 'expired');
  }

  private drop(item: Waiting, reason: OverloadError['reason'] | 'expired' | 'abandoned'): void {
    this.options.observer?.dropped?.({ operation: item.operation, reason });
    if (reason === 'expired') item.reject(new DeadlineError());
    else if (reason === 'abandoned') item.reject(new AbandonedError());
    else item.reject(new OverloadError(reason, this.retryAfterSeconds(item)));
  }

  /** Until the queue of today is done. */
  private retryAfterSeconds({ operation, priority }: Waiting): number {
    const waitMs = this.forecast.waitMs(operation, priority, this.work());
    return Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  }
}

/** Also turns a dispatcher's synchronous throw and a missing answer into a failed batch. */
async function compute(
  dispatcher: Dispatcher,
  operation: string,
  batch: readonly Waiting[],
): Promise<readonly unknown[]> {
  const answers = await dispatcher.dispatch(
    operation,
    batch.map(({ item }) => item),
  );
  if (answers.length !== batch.length) {
    throw new Error(`"${operation}" answered ${answers.length} of ${batch.length} items`);
  }
  return answers;
}
