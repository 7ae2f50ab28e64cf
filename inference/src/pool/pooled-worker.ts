/**
 * One worker thread: a Piscina pool of exactly one, because each has its own device and is replaced on its own. It never
 * stops in the middle of a run, because ONNX Runtime would abort the process.
 */
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { packageRoot } from '../catalogue/paths';
import { buffersOf } from '../device/transfer';
import { WorkerLostError } from '../device/worker-lost';
import { AbandonedError, DeadlineError } from '../scheduling/errors';
import type { WorkerResponse, WorkerSetup, WorkerStarted, WorkerTask } from './messages';

/** Pause between the death of a thread and the next attempt to start one. */
const reviveMs = 500;

export class PooledWorker {
  /** Tasks in progress. */
  running = 0;
  /** Tasks that ended. */
  finished = 0;
  private whenIdle = () => {};
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly piscina: Piscina<WorkerTask, WorkerResponse>,
    onRevived: () => void,
  ) {
    piscina.on('error', () => this.reviveSoon());
    piscina.on('message', onRevived);
  }

  /**
   * Starts a worker and waits until it has loaded and warmed its models.
   * @param tasks how many it may hold at once.
   * @param onRevived called when another thread has taken the place of one that died.
   * @throws Error with the worker's message when a model cannot be loaded.
   */
  static async start(setup: WorkerSetup, tasks: number, onRevived = () => {}): Promise<PooledWorker> {
    const piscina = new Piscina<WorkerTask, WorkerResponse>({
      // Workers run compiled code, also when the main thread is run from the sources by tests.
      filename: join(packageRoot, 'dist', 'pool', 'worker.js'),
      workerData: setup,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: tasks,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A worker that waits inside Atomics receives nothing else. With two tasks at a time, it wakes for both anyway.
      // Detection at saturation: 4 % more requests/s.
      atomics: 'disabled',
    });
    const started = await new Promise<WorkerStarted>((resolve) => {
      piscina.once('message', resolve);
      // The handler keeps a worker that dies between tasks from throwing in main; Piscina starts it again.
      piscina.on('error', (error: Error) => resolve({ kind: 'failed', message: error.message }));
    });
    if (started.kind === 'ready') return new PooledWorker(piscina, onRevived);
    await piscina.destroy();
    throw new Error(started.message);
  }

  /** Hands the worker one end of a channel to another worker. */
  async link(kind: 'connect' | 'serve', port: MessagePort): Promise<void> {
    await this.piscina.run({ kind, port }, { transferList: [port] });
  }

  /**
   * @throws WorkerLostError when this thread or that of its device died during the task, DeadlineError, AbandonedError;
   *   otherwise the task's own error
   */
  async run(task: WorkerTask & { kind: 'run' }): Promise<WorkerResponse & { kind: 'done' }> {
    this.running += 1;
    const [thread] = this.piscina.threads;
    try {
      return done(await this.piscina.run(task, { transferList: buffersOf(task.item) }));
    } catch (error) {
      if (ends.some((Ending) => error instanceof Ending)) throw error;
      this.reviveSoon();
      // A thread that died leaves the list before its tasks are rejected.
      const lost = !thread || !this.piscina.threads.includes(thread);
      throw lost ? new WorkerLostError(error) : error;
    } finally {
      this.running -= 1;
      this.finished += 1;
      if (this.running === 0) this.whenIdle();
    }
  }

  /**
   * Piscina replaces a thread that died, unless one ever died while it started. After that only a new task starts a
   * thread, and no task comes when every permitted one already waits for the thread that died.
   */
  private reviveSoon(): void {
    setTimeout(() => {
      if (this.piscina.threads.length > 0 || this.closing) return;
      this.piscina.run({ kind: 'wake' }).catch(() => this.reviveSoon());
    }, reviveMs).unref();
  }

  /** Lets running tasks finish, frees the models, stops the thread. */
  close(): Promise<void> {
    this.closing ??= this.retire();
    return this.closing;
  }

  // Piscina's own `close` stops workers in the middle of a run when tasks were queued.
  private async retire(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    // Stopping the thread frees the models as well, so a worker that no longer responds must not block it.
    await this.piscina.run({ kind: 'close' }).catch(() => {});
    await this.piscina.destroy();
  }
}

function done(response: WorkerResponse): WorkerResponse & { kind: 'done' } {
  if (response.kind === 'done') return response;
  if (response.kind === 'expired') throw new DeadlineError(response.busyMs);
  if (response.kind === 'abandoned') throw new AbandonedError(response.busyMs);
  throw new WorkerLostError(undefined);
}

/** Errors of a response, after which the worker goes on. */
const ends = [DeadlineError, AbandonedError, WorkerLostError];
