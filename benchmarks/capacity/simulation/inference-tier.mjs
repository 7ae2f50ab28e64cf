/**
 * The inference tier in virtual time. Queue, batches, priorities, forecast and refusals are those of the product's own
 * batcher (inference/src/batching), on the simulation's clock. Only its workers are modeled: a thread of libuv decodes a
 * task, then its models run on the worker's single thread, which has a lower priority than all others
 * (inference/src/pool/worker.ts), alternating with those of the worker's other task.
 */
import { loadTypescript } from '../../lib/typescript.mjs';
import { Threads } from './machine.mjs';

const { Batcher } = loadTypescript('inference', 'src', 'batching', 'batcher.ts');

/** @typedef {{ baseMs: number, perItemMs: number }} Step a run on a batch of n takes `baseMs + perItemMs * n` */
/** @typedef {{ decodeMs: number, steps: readonly Step[] }} Work of one operation of the tier */
/** @typedef {{ maxBatch: number, maxQueue: number, delayMs: number, spread: boolean }} BatchPolicy */

/**
 * @typedef {object} TierOptions
 * @property {import('./timeline.mjs').Timeline} timeline
 * @property {import('./machine.mjs').Machine} machine
 * @property {number} workers
 * @property {number} tasksPerWorker
 * @property {number} decodeThreads
 * @property {BatchPolicy} policy
 * @property {Readonly<Record<string, Work>>} operations
 */

/** @typedef {{ factor: number }} Item `factor`: how expensive the image is, 1 for the mean */

/** @param {TierOptions} options */
export function createTier({ timeline, machine, operations, ...options }) {
  const { workers, tasksPerWorker, decodeThreads, policy } = options;
  const decoding = new Threads(machine, { count: decodeThreads });
  const slots = Array.from({ length: workers }, () => ({
    thread: new Threads(machine, { priority: 'low' }),
    running: 0,
  }));

  const dispatcher = {
    capacity: workers * tasksPerWorker,
    /** @param {string} operation @param {readonly Item[]} items */
    dispatch(operation, items) {
      const slot = slots.reduce((a, b) => (b.running < a.running ? b : a));
      slot.running += 1;
      return new Promise((resolve) => {
        const finish = () => {
          slot.running -= 1;
          timeline.awaitPromises();
          resolve(items);
        };
        decode(items, operations[operation].decodeMs, () => compute(slot.thread, operation, items, finish));
      });
    },
  };

  /** @param {readonly Item[]} items @param {number} decodeMs @param {() => void} done once all are decoded */
  const decode = (items, decodeMs, done) => {
    let left = items.length;
    for (const { factor } of items) {
      decoding.run(factor * decodeMs, () => {
        left -= 1;
        if (left === 0) done();
      });
    }
  };

  /** @param {Threads} thread @param {string} operation @param {readonly Item[]} items @param {() => void} done */
  const compute = (thread, operation, items, done) => {
    const { steps } = operations[operation];
    const weight = items.reduce((sum, { factor }) => sum + factor, 0);
    /** @param {number} at */
    const next = (at) => {
      if (at === steps.length) return done();
      const { baseMs, perItemMs } = steps[at];
      // Each run goes to the end of the thread's queue, so that runs of both tasks alternate.
      thread.run((baseMs * weight) / items.length + perItemMs * weight, () => next(at + 1));
    };
    next(0);
  };

  const batcher = new Batcher({ dispatcher, policy, clock: timeline });
  return {
    /**
     * @param {string} operation
     * @param {Item} item
     * @param {number} deadlineMs remaining
     * @returns {Promise<unknown>} rejects with the batcher's own errors where the item is refused
     */
    submit: (operation, item, deadlineMs) => {
      timeline.awaitPromises();
      return batcher.submit(operation, item, { deadlineMs });
    },
  };
}
