/** A place in the pool, which successive workers fill. */
import { MessageChannel } from 'node:worker_threads';
import type { WorkerResponse, WorkerSetup, WorkerTask } from './messages';
import { PooledWorker } from './pooled-worker';

export class Slot {
  /** The places whose workers use the models of this one. */
  private readonly users: Slot[] = [];
  private worker: PooledWorker | undefined;

  /**
   * @param tasks how many the worker may hold at once.
   * @param device the place whose worker runs the models for this one; undefined if its worker runs them itself.
   */
  constructor(
    private readonly setup: WorkerSetup,
    private readonly tasks: number,
    readonly device?: Slot,
  ) {
    device?.users.push(this);
  }

  get running(): number {
    return this.worker?.running ?? 0;
  }

  /** Tasks that the current worker has ended. */
  get finished(): number {
    return this.worker?.finished ?? 0;
  }

  /** @throws Error with the worker's message if a model cannot be loaded */
  async start(): Promise<void> {
    // The successor of a thread that died has no connections.
    this.worker = await PooledWorker.start(this.setup, this.tasks, () => this.connectAll());
  }

  /** Connects the worker to that of its device. */
  async connect(): Promise<void> {
    if (!this.device) return;
    const { port1, port2 } = new MessageChannel();
    await Promise.all([this.device.worker?.link('serve', port1), this.worker?.link('connect', port2)]);
  }

  /** @throws WorkerLostError, DeadlineError, AbandonedError, or the task's own error */
  run(task: WorkerTask & { kind: 'run' }): Promise<WorkerResponse & { kind: 'done' }> {
    return (this.worker as PooledWorker).run(task);
  }

  /** Starts a successor, which takes the next tasks, and lets the worker finish its own. */
  async replace(): Promise<void> {
    const retired = this.worker;
    await this.start();
    await this.connectAll();
    await retired?.close();
  }

  async close(): Promise<void> {
    await this.worker?.close();
  }

  /** A connection that fails because a thread has died is made by that thread's successor. */
  private async connectAll(): Promise<void> {
    await Promise.allSettled([this.connect(), ...this.users.map((user) => user.connect())]);
  }
}
