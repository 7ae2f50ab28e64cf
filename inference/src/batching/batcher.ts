/**
 * Groups items into batches for workers. There is no timer by default: an item is dispatched at once when a worker is
 * free, otherwise the next batch forms while the workers are busy. The queue is bounded by weight, expired items are
 * dropped before they run, and items that would miss their deadline are rejected on submission. The batcher depends only
 * on a `Dispatcher`, not on threads, models or HTTP.
 */
import { type Clock, systemClock } from './clock';
import { AbandonedError, DeadlineError, OverloadError } from './errors';
import { Forecast, type Running } from './forecast';
import { Queue } from './queue';
import type { Priority, Waiting } from './waiting';

/** Runs batches. */
export interface Dispatcher {
  /** Batches that may run in parallel. */
  readonly capacity: number;
  /** @returns one result per item, in their order. @throws on breakage, which fails the whole batch */
  dispatch(operation: string, items: readonly unknown[]): Promise<readonly unknown[]>;
}

export interface BatchPolicy {
  /** Largest weight of a batch; a heavier item forms a batch of its own. */
  readonly maxBatch: number;
  /** Largest queued weight. Bulk items may take half of it, so that they never lock out interactive ones. */
  readonly maxQueue: number;
  /** How long an incomplete batch may wait for more items while a worker is free. Use 0 for low latency. */
  readonly delayMs: number;
  /**
   * Whether to divide waiting items among the workers, for workers with a core each. Without it batches are as large as
   * allowed, for workers that share a device that is faster on large batches.
   */
  readonly spread: boolean;
}

export interface Submission {
  /** Images or faces, a whole number. Default 1. */
  readonly weight?: number;
  /** Default `interactive`. */
  readonly priority?: Priority;
  /** Milliseconds until the deadline. Default: none. */
  readonly deadlineMs?: number;
  /** Aborts when the caller disconnects: a queued item is dropped, a running one finishes. */
  readonly signal?: AbortSignal;
}

/** Times are in milliseconds. */
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

  /** Queued weight by operation. */
  get queued(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.queue.operations.map((operation) => [operation, this.queue.weight(operation)]),
    );
  }

  /** Wait of the oldest queued item by operation, in milliseconds; 0 if none waits. */
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
        resolve: resolve as (result: unknown) => void,
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

  /** Rejects new items, and lets queued and running ones finish. */
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
    // A free worker takes any item. The forecast learns only from items that run.
    if (this.free > 0 && this.queue.weight() === 0) return undefined;
    const { maxQueue } = this.options.policy;
    const queued = item.priority === 'batch' ? this.batchWeight() : this.queue.weight();
    const room = item.priority === 'batch' ? maxQueue / 2 : maxQueue;
    if (queued + item.weight > room || this.queue.weight() + item.weight > maxQueue) return 'full';
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

  /** Dispatches batches until no worker is free or no item waits. */
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

  /** Sets a timer for the batch whose delay ends first. */
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
      // Dispatch first, because the callers' handling of results must not delay the workers.
      this.pump();
    };
    compute(dispatcher, operation, batch).then(
      (results) => {
        finish(false);
        batch.forEach((item, i) => {
          item.resolve(results[i]);
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

  /** Seconds until the current queue is processed. */
  private retryAfterSeconds({ operation, priority }: Waiting): number {
    const waitMs = this.forecast.waitMs(operation, priority, this.work());
    return Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  }
}

/** Also turns a dispatcher's synchronous throw and a missing result into a failed batch. */
async function compute(
  dispatcher: Dispatcher,
  operation: string,
  batch: readonly Waiting[],
): Promise<readonly unknown[]> {
  const results = await dispatcher.dispatch(
    operation,
    batch.map(({ item }) => item),
  );
  if (results.length !== batch.length) {
    throw new Error(`"${operation}" returned ${results.length} results for ${batch.length} items`);
  }
  return results;
}
