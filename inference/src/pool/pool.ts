/**
 * The pool of worker threads. It is full from the start, each worker takes one task at a time, and it never ends a
 * worker in the middle of a run: ONNX Runtime would abort the process.
 */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { packageRoot } from '../paths';
import type { Task, TaskResult, WorkerSetup, WorkerStarted } from './messages';

export interface PoolOptions {
  readonly setup: WorkerSetup;
  readonly workers: number;
  /** Tasks that may wait beside those that run; one more is refused. */
  readonly maxQueue: number;
}

/** The queue is full: the caller should come back later. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
}

export class WorkerPool {
  private running = 0;
  private closing: Promise<void> | undefined;
  private whenIdle = () => {};

  private constructor(
    private readonly piscina: Piscina<Task, TaskResult>,
    private readonly options: PoolOptions,
    /** What the workers compute on. */
    readonly device: string,
  ) {}

  /**
   * Starts every worker and waits until each has loaded and warmed its models.
   * @throws Error with the worker's message when a model cannot be loaded.
   */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const piscina = new Piscina<Task, TaskResult>({
      // Workers run compiled code, also when the main thread is run from the sources by tests.
      filename: join(packageRoot, 'dist', 'pool', 'worker.js'),
      workerData: options.setup,
      minThreads: options.workers,
      maxThreads: options.workers,
      concurrentTasksPerWorker: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
    });
    try {
      const device = await whenStarted(piscina, options.workers);
      return new WorkerPool(piscina, options, device);
    } catch (error) {
      await piscina.destroy();
      throw error;
    }
  }

  /** Tasks that wait for a worker. */
  get queued(): number {
    return Math.max(0, this.running - this.options.workers);
  }

  get workers(): number {
    return this.options.workers;
  }

  /**
   * @throws OverloadError when the queue is full or the pool is closing.
   */
  async run(task: Task): Promise<TaskResult> {
    if (this.closing || this.running >= this.options.workers + this.options.maxQueue) {
      throw new OverloadError('The worker queue is full');
    }
    this.running += 1;
    try {
      return await this.piscina.run(task, { transferList: [task.image.buffer as ArrayBuffer] });
    } finally {
      this.running -= 1;
      if (this.running === 0) this.whenIdle();
    }
  }

  /** Lets running and queued tasks end, then ends the idle workers. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  // Piscina's own `close` ends workers that still run when tasks were queued.
  private async drain(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    await this.piscina.destroy();
  }
}

/** Waits for every worker, also after a failure: ending one that still loads a model would abort the process. */
function whenStarted(piscina: Piscina<Task, TaskResult>, workers: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const started: WorkerStarted[] = [];
    piscina.on('error', reject);
    piscina.on('message', (message: WorkerStarted) => {
      if (started.push(message) < workers) return;
      const failed = started.find(({ kind }) => kind === 'failed');
      if (failed?.kind === 'failed') reject(new Error(failed.message));
      else if (message.kind === 'ready') resolve(message.device);
    });
  });
}
