/**
 * The inference tier in virtual time, on processors and for one account. Queue, priorities, forecast and refusals are
 * those of the product's own scheduler (inference/src/scheduling), on the simulation's clock. Only its workers are modeled:
 * a thread of libuv decodes an image, then its models run on the worker's single thread, which has a lower priority than
 * all others (inference/src/pool/worker.ts), alternating with those of its other tasks.
 */
import { loadTypescript } from '../../lib/typescript.mjs';
import { Threads } from './machine.mjs';

const { Scheduler } = loadTypescript('inference', 'src', 'scheduling', 'scheduler.ts');

/** @typedef {{ baseMs: number, perItemMs: number }} Step a run on a batch of n takes `baseMs + perItemMs * n` */
/** @typedef {{ decodeMs: number, steps: readonly Step[] }} Work of one operation of the tier */

/**
 * @typedef {object} TierOptions
 * @property {import('./timeline.mjs').Timeline} timeline
 * @property {import('./machine.mjs').Machine} machine
 * @property {number} workers
 * @property {number} tasksPerWorker
 * @property {number} decodeThreads
 * @property {number} maxQueue
 * @property {Readonly<Record<string, Work>>} operations
 */

/** @typedef {{ factor: number }} Item `factor`: how expensive the image is, 1 for the mean */

/** @param {TierOptions} options */
export function createTier({ timeline, machine, operations, ...options }) {
  const { workers, tasksPerWorker, decodeThreads, maxQueue } = options;
  const decoding = new Threads(machine, { count: decodeThreads });
  const slots = Array.from({ length: workers }, () => ({
    thread: new Threads(machine, { priority: 'low' }),
    running: 0,
  }));

  const dispatcher = {
    capacity: workers * tasksPerWorker,
    /** @param {string} operation @param {Item} item */
    dispatch(operation, item) {
      const slot = slots.reduce((a, b) => (b.running < a.running ? b : a));
      slot.running += 1;
      return new Promise((resolve) => {
        const finish = () => {
          slot.running -= 1;
          timeline.awaitPromises();
          resolve({ busyMs: 0 });
        };
        const { decodeMs, steps } = operations[operation];
        decoding.run(item.factor * decodeMs, () => compute(slot.thread, item, steps, finish));
      });
    },
  };

  /** @param {Threads} thread @param {Item} item @param {readonly Step[]} steps @param {() => void} done */
  const compute = (thread, item, steps, done) => {
    /** @param {number} at */
    const next = (at) => {
      if (at === steps.length) return done();
      const { baseMs, perItemMs } = steps[at];
      // Each run goes to the end of the thread's queue, so that runs of several tasks alternate.
      thread.run(item.factor * (baseMs + perItemMs), () => next(at + 1));
    };
    next(0);
  };

  const scheduler = new Scheduler({ dispatcher, maxQueue, clock: timeline });
  return {
    /**
     * @param {string} operation
     * @param {Item} item
     * @param {number} deadlineMs remaining
     * @returns {Promise<unknown>} rejects with the scheduler's own errors where the item is refused
     */
    submit: (operation, item, deadlineMs) => {
      timeline.awaitPromises();
      return scheduler.submit(operation, item, { deadlineMs });
    },
  };
}
