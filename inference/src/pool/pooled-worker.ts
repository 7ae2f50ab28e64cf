/**
 * One worker thread: a Piscina pool of exactly one, since each has its own device and retires on its own. It never
 * ends in the middle of a run: ONNX Runtime would abort the process.
 */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { packageRoot } from '../catalogue/paths';
import type { WorkerAnswer, WorkerSetup, WorkerStarted, WorkerTask } from './messages';
import { buffersOf } from './transfer';
import { WorkerLostError } from './worker-lost';

/** Between the death of a thread and the next attempt to start one: what fails at once must not fail all the time. */
const reviveMs = 500;

export class PooledWorker {
  /** Tasks that run. */
  running = 0;
  /** Tasks answered. */
  finished = 0;
  private whenIdle = () => {};
  private closing: Promise<void> | undefined;

  private constructor(private readonly piscina: Piscina<WorkerTask, WorkerAnswer>) {
    piscina.on('error', () => this.reviveSoon());
  }

  /**
   * Starts a worker and waits until it has loaded and warmed its models.
   * @param tasks how many it may be given at once.
   * @throws Error with the worker's message when a model cannot be loaded.
   */
  static async start(setup: WorkerSetup, tasks: number): Promise<PooledWorker> {
    const piscina = new Piscina<WorkerTask, WorkerAnswer>({
      // Workers run compiled code, also when the main thread is run from the sources by tests.
      filename: join(packageRoot, 'dist', 'pool', 'worker.js'),
      workerData: setup,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: tasks,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A worker that waits inside Atomics hears of nothing else; with two tasks at a time it wakes for both anyway.
      // Detection at saturation: 4 % more requests/s.
      atomics: 'disabled',
    });
    const started = await new Promise<WorkerStarted>((resolve) => {
      piscina.once('message', resolve);
      // Also keeps a worker that dies between tasks from throwing in main; Piscina starts it again.
      piscina.on('error', (error: Error) => resolve({ kind: 'failed', message: error.message }));
    });
    if (started.kind === 'ready') return new PooledWorker(piscina);
    await piscina.destroy();
    throw new Error(started.message);
  }

  /** @throws WorkerLostError when the thread died under the task; else what failed in it */
  async run(task: WorkerTask & { kind: 'run' }): Promise<WorkerAnswer> {
    this.running += 1;
    const [thread] = this.piscina.threads;
    try {
      return await this.piscina.run(task, { transferList: buffersOf(task.items) });
    } catch (error) {
      this.reviveSoon();
      // A thread that died has left the list before its tasks are told.
      const lost = !thread || !this.piscina.threads.includes(thread);
      throw lost ? new WorkerLostError(error) : error;
    } finally {
      this.running -= 1;
      this.finished += 1;
      if (this.running === 0) this.whenIdle();
    }
  }

  /**
   * Piscina starts a thread again that died, unless one ever died while it started: then only a new task brings another,
   * and there is none when all that may run already wait for the thread that died.
   */
  private reviveSoon(): void {
    setTimeout(() => {
      if (this.piscina.threads.length > 0 || this.closing) return;
      this.piscina.run({ kind: 'wake' }).catch(() => this.reviveSoon());
    }, reviveMs).unref();
  }

  /** Lets running tasks end, frees the models, ends the thread. */
  close(): Promise<void> {
    this.closing ??= this.retire();
    return this.closing;
  }

  // Piscina's own `close` ends workers that still run when tasks were queued.
  private async retire(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    // Ending the thread frees the models as well; a worker that cannot answer any more must not block that.
    await this.piscina.run({ kind: 'close' }).catch(() => {});
    await this.piscina.destroy();
  }
}
