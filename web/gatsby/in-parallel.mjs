/** Runs as many tasks at once as there are processors: more would only take more memory. */
import { availableParallelism } from 'node:os';

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => Promise<unknown>} run
 */
export async function inParallel(items, run) {
  const queue = items[Symbol.iterator]();
  const runAll = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runAll));
}
