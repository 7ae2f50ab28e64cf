/**
 * The pool of workers: full from the start, spread over the devices. It has no queue, because the batcher has one; it
 * gives each batch to the least busy worker. A worker that has used up its budget is replaced: its successor starts
 * beside it, takes over, and the old worker stops when it is idle, so no request notices.
 */
import type { BackendChoice } from '../backends/backend';
import { lockMemoryFor } from '../backends/thread-lock';
import type { Precision } from '../catalogue/precision';
import type { OperationInput, OperationName } from '../pipeline/operations';
import type { ServingModels } from '../serving/serving-models';
import type { WorkerResponse, WorkerSetup, WorkerTimings } from './messages';
import { PooledWorker } from './pooled-worker';

export interface PoolOptions {
  readonly serving: ServingModels;
  readonly backend: Omit<BackendChoice, 'deviceId' | 'lockMemory'>;
  /** Workers take these in turn. */
  readonly deviceIds: readonly number[];
  readonly workers: number;
  /** Batches that a worker may hold: with two, it decodes the next while one computes. */
  readonly tasksPerWorker: number;
  readonly budget?: WorkerBudget;
  readonly observer?: PoolObserver;
}

/** When a worker is replaced. */
export interface WorkerBudget {
  /** Batches; 0 for no limit. */
  readonly maxTasks: number;
  /** Resident memory of the whole process; 0 for no limit. Replacing needs room for one more worker above it. */
  readonly maxRssBytes: number;
  /** Resident memory now. */
  readonly rssBytes: () => number;
}

export interface PoolObserver {
  completed?(operation: string, timings: WorkerTimings, items: readonly unknown[]): void;
  recycled?(reason: RecycleReason): void;
  /** A successor could not start, so the old worker stays. */
  recycleFailed?(error: Error): void;
}

export type RecycleReason = 'tasks' | 'memory';

/** Batches between two replacements for memory: replacing may free none, and must not repeat endlessly. */
const restAfterRecycling = 200;

/** A slot of the pool, which successive workers fill. */
interface Slot {
  readonly setup: WorkerSetup;
  worker: PooledWorker;
}

export class WorkerPool {
  private recycling: Promise<void> | undefined;
  private tasksSinceRecycling = restAfterRecycling;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly slots: readonly Slot[],
    private readonly options: PoolOptions,
  ) {}

  /**
   * Starts every worker and waits until each has loaded and warmed its models.
   * @throws Error with the worker's message if a model cannot be loaded.
   */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const { serving, backend, deviceIds, workers, tasksPerWorker } = options;
    const lockMemory = lockMemoryFor(backend.device);
    const setups = Array.from({ length: workers }, (_, i): WorkerSetup => {
      const deviceId = deviceIds[i % deviceIds.length] ?? 0;
      return { ...serving, backend: { ...backend, deviceId, ...(lockMemory && { lockMemory }) } };
    });
    // Waits for all, even after a failure: stopping a worker that still loads a model would abort the process.
    const started = await Promise.allSettled(
      setups.map((setup) => PooledWorker.start(setup, tasksPerWorker)),
    );
    const failed = started.find((result) => result.status === 'rejected');
    if (failed) {
      await Promise.all(started.map((result) => result.status === 'fulfilled' && result.value.close()));
      throw failed.reason;
    }
    const slots = started.flatMap((result, i) =>
      result.status === 'fulfilled' ? [{ setup: setups[i] as WorkerSetup, worker: result.value }] : [],
    );
    return new WorkerPool(slots, options);
  }

  get backend(): BackendChoice['name'] {
    return this.options.backend.name;
  }

  get device(): BackendChoice['device'] {
    return this.options.backend.device;
  }

  get precision(): Precision {
    return this.options.serving.precision;
  }

  get workers(): number {
    return this.slots.length;
  }

  /** Batches that may run at once. */
  get capacity(): number {
    return this.slots.length * this.options.tasksPerWorker;
  }

  /**
   * Gives a batch to the least busy worker.
   * @returns one result per item.
   * @throws Error when all workers are full or the pool is closing.
   */
  async dispatch(operation: string, items: readonly unknown[]): Promise<WorkerResponse['results']> {
    const slot = this.slots.reduce((a, b) => (b.worker.running < a.worker.running ? b : a));
    if (this.closing) throw new Error('The worker pool is closing');
    if (slot.worker.running >= this.options.tasksPerWorker) throw new Error('Every worker is busy');
    const { results, timings } = await slot.worker.run({
      kind: 'run',
      operation: operation as OperationName,
      items: items as OperationInput<OperationName>[],
    });
    this.options.observer?.completed?.(operation, timings, items);
    this.tasksSinceRecycling += 1;
    this.recycleIfDue(slot);
    return results;
  }

  /** Lets running batches finish, then stops the workers. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private async stop(): Promise<void> {
    await this.recycling;
    await Promise.all(this.slots.map(({ worker }) => worker.close()));
  }

  private recycleIfDue(slot: Slot): void {
    const reason = this.recycleReason(slot.worker);
    if (!reason || this.recycling || this.closing) return;
    this.tasksSinceRecycling = 0;
    this.recycling = this.recycle(slot, reason)
      .catch((error: Error) => this.options.observer?.recycleFailed?.(error))
      .finally(() => {
        this.recycling = undefined;
      });
  }

  private recycleReason({ finished }: PooledWorker): RecycleReason | undefined {
    const { budget } = this.options;
    if (!budget) return undefined;
    if (budget.maxTasks > 0 && finished >= budget.maxTasks) return 'tasks';
    const rested = this.tasksSinceRecycling >= restAfterRecycling;
    if (budget.maxRssBytes > 0 && rested && budget.rssBytes() > budget.maxRssBytes) return 'memory';
    return undefined;
  }

  private async recycle(slot: Slot, reason: RecycleReason): Promise<void> {
    const successor = await PooledWorker.start(slot.setup, this.options.tasksPerWorker);
    const retired = slot.worker;
    slot.worker = successor;
    await retired.close();
    this.options.observer?.recycled?.(reason);
  }
}
