/**
 * The pool of workers: full from the start. It has no queue, because the scheduler has one; it gives each item to the
 * least busy worker. On a processor every worker runs the models itself. A GPU has a worker of its own that runs the
 * models for all others, so that their items meet in its batches. A worker that has used up its budget is replaced: its
 * successor starts beside it, takes over, and the old worker stops when it is idle, so no request notices.
 */
import type { BackendChoice } from '../backends/backend';
import { lockMemoryFor } from '../backends/thread-lock';
import type { Precision } from '../catalogue/precision';
import type { StagePolicy } from '../device/stages';
import type { ItemResult, OperationInput, OperationName } from '../pipeline/operations';
import type { Dispatcher, Ticket } from '../scheduling/scheduler';
import type { ServingModels } from '../serving/serving-models';
import { busyMsOf, type WorkerSetup, type WorkerTimings } from './messages';
import { Slot } from './slot';

export interface PoolOptions {
  readonly serving: ServingModels;
  readonly backend: Omit<BackendChoice, 'deviceId' | 'lockMemory'>;
  /** Devices of the kind. Workers that run the models themselves take them in turn. */
  readonly deviceIds: readonly number[];
  /** Whether a worker of its own runs the models of each device. */
  readonly sharedDevices: boolean;
  readonly workers: number;
  /** Items that a worker may hold: it decodes some while the models run on others. */
  readonly tasksPerWorker: number;
  readonly stages: StagePolicy;
  readonly budget?: WorkerBudget;
  readonly observer?: PoolObserver;
}

/** When a worker is replaced. */
export interface WorkerBudget {
  /** Items; 0 for no limit. */
  readonly maxTasks: number;
  /** Resident memory of the whole process; 0 for no limit. Replacing needs room for one more worker above it. */
  readonly maxRssBytes: number;
  /** Resident memory now. */
  readonly rssBytes: () => number;
}

export interface PoolObserver {
  completed?(operation: string, timings: WorkerTimings): void;
  recycled?(reason: RecycleReason): void;
  /** A successor could not start, so the old worker stays. */
  recycleFailed?(error: Error): void;
}

export type RecycleReason = 'tasks' | 'memory';

/** A result and what it took. */
export interface Done {
  readonly result: ItemResult<unknown>;
  readonly timings: WorkerTimings;
  /** Milliseconds of the device. */
  readonly busyMs: number;
}

/** Items between two replacements for memory: replacing may free none, and must not repeat endlessly. */
const restAfterRecycling = 200;

export class WorkerPool implements Dispatcher<Done> {
  private recycling: Promise<void> | undefined;
  private tasksSinceRecycling = restAfterRecycling;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly slots: readonly Slot[],
    /** Those that run the models for others. */
    private readonly devices: readonly Slot[],
    private readonly options: PoolOptions,
  ) {}

  /**
   * Starts every worker and waits until each has loaded and warmed its models.
   * @throws Error with the worker's message if a model cannot be loaded.
   */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const { serving, backend, deviceIds, sharedDevices, workers, tasksPerWorker, stages } = options;
    const lockMemory = lockMemoryFor(backend.device);
    const withModels = deviceIds.map((deviceId): WorkerSetup => {
      const choice = { ...backend, deviceId, ...(lockMemory && { lockMemory }) };
      return { ...serving, device: { backend: choice, stages } };
    });
    const devices = sharedDevices ? withModels.map((setup) => new Slot(setup, 1)) : [];
    const slots = Array.from({ length: workers }, (_, i) =>
      sharedDevices
        ? new Slot(serving, tasksPerWorker, devices[i % devices.length])
        : new Slot(withModels[i % withModels.length] as WorkerSetup, tasksPerWorker),
    );
    const all = [...devices, ...slots];
    // Waits for all, even after a failure: stopping a worker that still loads a model would abort the process.
    const started = await Promise.allSettled(all.map((slot) => slot.start()));
    const failed = started.find((result) => result.status === 'rejected');
    if (failed) {
      await Promise.all(all.map((slot) => slot.close()));
      throw failed.reason;
    }
    await Promise.all(slots.map((slot) => slot.connect()));
    return new WorkerPool(slots, devices, options);
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

  /** Id of the model that compares faces. */
  get embedding(): string {
    return this.options.serving.models.embedding.id;
  }

  get workers(): number {
    return this.slots.length;
  }

  /** Threads that run models: one for each shared device, otherwise the workers. */
  get modelThreads(): number {
    return this.devices.length || this.slots.length;
  }

  /** Items that may run at once. */
  get capacity(): number {
    return this.slots.length * this.options.tasksPerWorker;
  }

  /**
   * Gives an item to the least busy worker.
   * @throws DeadlineError, AbandonedError, WorkerLostError, or Error when all workers are full or the pool is closing.
   */
  async dispatch(operation: string, item: unknown, ticket: Ticket): Promise<Done> {
    const slot = this.slots.reduce((a, b) => (b.running < a.running ? b : a));
    if (this.closing) throw new Error('The worker pool is closing');
    if (slot.running >= this.options.tasksPerWorker) throw new Error('Every worker is busy');
    const { result, timings } = await slot.run({
      kind: 'run',
      operation: operation as OperationName,
      item: item as OperationInput<OperationName>,
      ticket,
    });
    this.options.observer?.completed?.(operation, timings);
    this.tasksSinceRecycling += 1;
    this.recycleIfDue(slot);
    return { result, timings, busyMs: busyMsOf(timings.models) };
  }

  /** Lets running items finish, then stops the workers. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private async stop(): Promise<void> {
    await this.recycling;
    await Promise.all(this.slots.map((slot) => slot.close()));
    await Promise.all(this.devices.map((slot) => slot.close()));
  }

  private recycleIfDue(slot: Slot): void {
    const reason = this.recycleReason(slot);
    if (!reason || this.recycling || this.closing) return;
    this.tasksSinceRecycling = 0;
    // Memory is that of the models.
    const due = reason === 'memory' ? (slot.device ?? slot) : slot;
    this.recycling = this.recycle(due, reason)
      .catch((error: Error) => this.options.observer?.recycleFailed?.(error))
      .finally(() => {
        this.recycling = undefined;
      });
  }

  private recycleReason({ finished }: Slot): RecycleReason | undefined {
    const { budget } = this.options;
    if (!budget) return undefined;
    if (budget.maxTasks > 0 && finished >= budget.maxTasks) return 'tasks';
    const rested = this.tasksSinceRecycling >= restAfterRecycling;
    if (budget.maxRssBytes > 0 && rested && budget.rssBytes() > budget.maxRssBytes) return 'memory';
    return undefined;
  }

  private async recycle(slot: Slot, reason: RecycleReason): Promise<void> {
    await slot.replace();
    this.options.observer?.recycled?.(reason);
  }
}
