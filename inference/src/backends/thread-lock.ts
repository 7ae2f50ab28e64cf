/**
 * A lock that the threads of one process share. ONNX Runtime's WebGPU provider uses one device for all sessions and is
 * not thread-safe: two threads that create, run or release sessions at the same time crash the process with SIGSEGV
 * (microsoft/onnxruntime issues 27592, 31627 and 32561). So each of these calls holds this lock.
 */
import { threadId } from 'node:worker_threads';
import type { Device } from './device';

/** @returns memory for the lock that all threads on the device share; undefined if they need none */
export const lockMemoryFor = (device: Device): SharedArrayBuffer | undefined =>
  device === 'webgpu' ? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) : undefined;

const free = 0;
/** Thread ids start at 0, which means free here. */
const self = threadId + 1;

export class ThreadLock {
  private readonly owner: Int32Array<SharedArrayBuffer>;

  /** @param memory from `lockMemoryFor`, shared by every thread */
  constructor(memory: SharedArrayBuffer) {
    this.owner = new Int32Array(memory);
    // A thread that dies while it holds the lock must not block the others.
    process.once('exit', () => this.release());
  }

  /** Runs `work` while nothing else, in this thread or another, holds the lock. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const owner = Atomics.compareExchange(this.owner, 0, free, self);
      if (owner === free) break;
      await Atomics.waitAsync(this.owner, 0, owner).value;
    }
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private release(): void {
    if (Atomics.compareExchange(this.owner, 0, self, free) === self) Atomics.notify(this.owner, 0);
  }
}

/** Calls the runtime, exclusively if the device requires it. */
export type Exclusively = <T>(call: () => Promise<T>) => Promise<T>;

/** @param lock undefined if the threads need none */
export const exclusivelyBy = (lock: ThreadLock | undefined): Exclusively =>
  lock ? (call) => lock.hold(call) : (call) => call();
