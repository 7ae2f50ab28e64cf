/**
 * Gives items to workers: at once when a worker is free, otherwise in the order of the queue, which shares the workers
 * among accounts. The queue is bounded by weight, expired items are dropped before they run, and items that would miss
 * their deadline are rejected on submission. One account never holds every place, so that the others' work starts at once.
 * The scheduler depends only on a `Dispatcher`, not on threads, models or HTTP.
 */
import { type Clock, systemClock } from './clock';
import { AbandonedError, DeadlineError, OverloadError } from './errors';
import { Forecast, type Running } from './forecast';
import { Queue } from './queue';
import type { Priority, Waiting } from './waiting';

/** Runs items. */
export interface Dispatcher<Done extends { readonly busyMs: number }> {
  /** Items that may run in parallel. */
  readonly capacity: number;
  /**
   * @returns the result and what the item cost: milliseconds of the device.
   * @throws on breakage
   */
  dispatch(operation: string, item: unknown, ticket: Ticket): Promise<Done>;
}

/** The part of a submission that matters while its item runs. */
export interface Ticket {
  readonly account: string;
  /** Milliseconds until the deadline, possibly infinite. */
  readonly deadlineMs: number;
  /** A number of 32 bits that becomes 1 when the caller disconnects. All threads see it at once. Default: it never does. */
  readonly abandoned?: SharedArrayBuffer;
}

export interface Submission {
  /** Images or faces, a whole number. Default 1. */
  readonly weight?: number;
  /** The account that is served. Default: one for all. */
  readonly account?: string;
  /** Default `interactive`. */
  readonly priority?: Priority;
  /** Milliseconds until the deadline. Default: none. */
  readonly deadlineMs?: number;
  /** Aborts when the caller disconnects: a queued item is dropped, a running one ends at its next step. */
  readonly signal?: AbortSignal;
}

/** Times are in milliseconds. */
export interface SchedulerObserver {
  dispatched?(item: { operation: string; waitMs: number }): void;
  finished?(item: { operation: string; serviceMs: number; failed: boolean }): void;
  dropped?(item: { operation: string; reason: DropReason }): void;
}

export type DropReason = OverloadError['reason'] | 'expired' | 'abandoned';

export interface SchedulerOptions<Done extends { readonly busyMs: number }> {
  readonly dispatcher: Dispatcher<Done>;
  /** Largest queued weight. Bulk items may take half of it, so that they never lock out interactive ones. */
  readonly maxQueue: number;
  readonly clock?: Clock;
  readonly observer?: SchedulerObserver;
}

export class Scheduler<Done extends { readonly busyMs: number }> {
  private readonly queue = new Queue();
  private readonly forecast = new Forecast(this.queue);
  private readonly running = new Set<Running>();
  /** Number of running items by account, above 0. */
  private readonly runningOf = new Map<string, number>();
  private readonly operations = new Set<string>();
  private readonly clock: Clock;
  private draining: Promise<void> | undefined;
  private whenEmpty = () => {};

  constructor(private readonly options: SchedulerOptions<Done>) {
    this.clock = options.clock ?? systemClock;
  }

  /** Queued weight of each operation so far. */
  get queued(): Readonly<Record<string, number>> {
    const weights = this.zeros();
    for (const { operation, weight } of this.queue) weights[operation] = (weights[operation] ?? 0) + weight;
    return weights;
  }

  /** Wait of the oldest queued item of each operation so far, in milliseconds; 0 if none waits. */
  get oldestWaitMs(): Readonly<Record<string, number>> {
    const now = this.clock.now();
    const waits = this.zeros();
    for (const { operation, enqueued } of this.queue)
      waits[operation] = Math.max(now - enqueued, waits[operation] ?? 0);
    return waits;
  }

  private zeros(): Record<string, number> {
    return Object.fromEntries([...this.operations].map((operation) => [operation, 0]));
  }

  /** @throws OverloadError, DeadlineError, AbandonedError, or the dispatcher's error */
  submit(operation: string, item: unknown, submission: Submission = {}): Promise<Done> {
    return new Promise((resolve, reject) => {
      const { weight = 1, account = '', priority = 'interactive', signal } = submission;
      this.operations.add(operation);
      const enqueued = this.clock.now();
      const deadline = enqueued + (submission.deadlineMs ?? Number.POSITIVE_INFINITY);
      const waiting: Waiting = {
        operation,
        account,
        item,
        weight,
        priority,
        enqueued,
        deadline,
        abandoned: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
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

  private refusal(item: Waiting): DropReason | undefined {
    if (this.draining) return 'draining';
    if (item.deadline <= this.clock.now()) return 'expired';
    // A free place takes any item, since all that waits belongs to accounts that hold their share of the places. The
    // forecast learns only from items that run.
    if (this.mayRun(item.account)) return undefined;
    const { maxQueue } = this.options;
    const room = item.priority === 'batch' ? maxQueue / 2 - this.queue.weight('batch') : maxQueue;
    if (item.weight > room || this.queue.weight() + item.weight > maxQueue) return 'full';
    const ends = item.enqueued + this.forecast.waitMs(item, this.work()) + this.forecast.serviceMs(item);
    return ends > item.deadline ? 'deadline' : undefined;
  }

  /** Places of one account: half of all. */
  private get perAccount(): number {
    return Math.ceil(this.options.dispatcher.capacity / 2);
  }

  private mayRun(account: string): boolean {
    if (this.running.size >= this.options.dispatcher.capacity) return false;
    return (this.runningOf.get(account) ?? 0) < this.perAccount;
  }

  private work() {
    const { running, perAccount } = this;
    return { running, perAccount, capacity: this.options.dispatcher.capacity, now: this.clock.now() };
  }

  /** Dispatches items until no worker is free or none may run. */
  private pump(): void {
    this.dropExpired();
    const mayRun = (account: string) => this.mayRun(account);
    for (let item = this.queue.take(mayRun); item; item = this.queue.take(mayRun)) this.dispatch(item);
    if (this.draining && this.running.size === 0 && this.queue.weight() === 0) this.whenEmpty();
  }

  private dispatch(item: Waiting): void {
    const { operation, account, weight, abandoned } = item;
    const since = this.clock.now();
    const running: Running = { operation, account, weight, since };
    this.running.add(running);
    this.runningOf.set(account, (this.runningOf.get(account) ?? 0) + 1);
    const { dispatcher, observer } = this.options;
    observer?.dispatched?.({ operation, waitMs: since - item.enqueued });
    const finish = (spent: { readonly busyMs: number } | undefined, failed: boolean) => {
      const serviceMs = this.clock.now() - since;
      this.running.delete(running);
      const left = (this.runningOf.get(account) as number) - 1;
      if (left > 0) this.runningOf.set(account, left);
      else this.runningOf.delete(account);
      if (spent) {
        this.queue.charge(account, spent.busyMs);
        this.forecast.observe(running, serviceMs);
      }
      observer?.finished?.({ operation, serviceMs, failed });
      // Dispatch first, because the callers' handling of results must not delay the workers.
      this.pump();
    };
    run(dispatcher, item, { account, deadlineMs: item.deadline - since, abandoned }).then(
      (done) => {
        finish(done, false);
        item.resolve(done);
      },
      (error: Error) => {
        // An item that ended early would have taken even longer, and its account has used the device.
        finish(error instanceof DeadlineError || error instanceof AbandonedError ? error : undefined, true);
        item.reject(error);
      },
    );
  }

  private abandon(item: Waiting): void {
    // A running item looks at this between its steps.
    Atomics.store(new Int32Array(item.abandoned), 0, 1);
    if (!this.queue.remove(item)) return;
    this.drop(item, 'abandoned');
    this.pump();
  }

  private dropExpired(): void {
    for (const item of this.queue.removeExpired(this.clock.now())) this.drop(item, 'expired');
  }

  private drop(item: Waiting, reason: DropReason): void {
    this.options.observer?.dropped?.({ operation: item.operation, reason });
    if (reason === 'expired') item.reject(new DeadlineError());
    else if (reason === 'abandoned') item.reject(new AbandonedError());
    else item.reject(new OverloadError(reason, this.retryAfterSeconds(item)));
  }

  /** Seconds until the account's share of the current queue is processed. */
  private retryAfterSeconds(item: Waiting): number {
    return Math.min(60, Math.max(1, Math.ceil(this.forecast.waitMs(item, this.work()) / 1000)));
  }
}

/** Runs the item, and turns a dispatcher's synchronous throw into a rejection. */
async function run<Done extends { readonly busyMs: number }>(
  dispatcher: Dispatcher<Done>,
  { operation, item }: Waiting,
  ticket: Ticket,
): Promise<Done> {
  return dispatcher.dispatch(operation, item, ticket);
}
