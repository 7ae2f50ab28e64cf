/** Models by batch: how long a run on n items takes, as a line through what the GPU sweep measures on the processor. */
import { sweep } from '../gpu/sweep.mjs';
import { leastSquares, sum } from '../lib/stats.mjs';

/** @param {(line: string) => void} log */
export async function measureModels(log) {
  const short = { ...sweep.parameters, batches: '1,2,4,8', seconds: 0.3, rounds: 1 };
  const { figures } = await sweep.run(short, log);
  return figures.models.map((/** @type {any} */ { id, batches }) => {
    const points = batches.map((/** @type {any} */ { batch, imagesPerSecond }) => ({
      x: batch,
      y: (1e3 * batch) / imagesPerSecond.median,
    }));
    const { slope, intercept } = leastSquares(points);
    // Noise must not make a cost negative; the other then passes through the origin, as in the batcher's own fit.
    const proportional =
      sum(points.map((/** @type {any} */ { x, y }) => x * y)) /
      sum(points.map((/** @type {any} */ { x }) => x * x));
    return intercept < 0
      ? { id, perItemMs: proportional, baseMs: 0 }
      : { id, perItemMs: slope, baseMs: intercept };
  });
}
