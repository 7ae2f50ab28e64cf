/** Statistics of results, on jStat. No function changes its input. */
import jstat from 'jstat';
import { clopperPearson } from '../../inference/src/evaluation/liveness/clopper-pearson.mjs';

export { clopperPearson };

/** @param {readonly number[]} values */
export const sum = (values) => jstat.sum(values);

/** @param {readonly number[]} values @returns {number} NaN without values */
export const mean = (values) => jstat.mean(values);

/**
 * Linear interpolation between the two nearest ranks (Hyndman and Fan's type 7).
 * @param {readonly number[]} values at least one
 * @param {number} percent 0 to 100
 */
export function percentile(values, percent) {
  if (values.length === 0) throw new RangeError('A percentile needs at least one value.');
  // jStat's percentile does not interpolate below the largest value.
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (percent / 100) * (sorted.length - 1);
  const low = sorted[Math.floor(rank)];
  return low + (rank % 1) * (sorted[Math.ceil(rank)] - low);
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 50);

/** Sample standard deviation; 0 for a single value. @param {readonly number[]} values */
export const deviation = (values) => (values.length < 2 ? 0 : jstat.stdev(values, true));

/** The median of repetitions and their range. @param {readonly number[]} values */
export const spread = (values) => ({
  median: median(values),
  min: jstat.min(values),
  max: jstat.max(values),
  values: [...values],
});

/** @param {readonly number[]} milliseconds */
export const latencies = (milliseconds) => ({
  requests: milliseconds.length,
  p50Ms: percentile(milliseconds, 50),
  p95Ms: percentile(milliseconds, 95),
  p99Ms: percentile(milliseconds, 99),
  maxMs: jstat.max(milliseconds),
});

/** Adjacent samples are correlated; the means of a dozen stretches are nearly independent. */
const MOST_STRETCHES = 12;
const LEAST_STRETCHES = 6;

/**
 * The growth of a quantity that is sampled repeatedly: the slope of a least-squares line through the means of equal
 * stretches.
 * @param {readonly { x: number, y: number }[]} points ordered by x, at least 6
 * @returns {{ slope: number, error: number }} `error`: half of the 95 % interval
 * @throws RangeError for fewer points
 */
export function growthOf(points) {
  const count = Math.min(MOST_STRETCHES, points.length);
  if (count < LEAST_STRETCHES)
    throw new RangeError(`Growth needs ${LEAST_STRETCHES} samples and there are ${points.length}.`);
  const edge = (/** @type {number} */ i) => Math.round((i * points.length) / count);
  const stretches = Array.from({ length: count }, (_, i) => points.slice(edge(i), edge(i + 1)));
  const xs = stretches.map((stretch) => mean(stretch.map(({ x }) => x)));
  const ys = stretches.map((stretch) => mean(stretch.map(({ y }) => y)));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const squaresOfX = sum(xs.map((x) => (x - meanX) ** 2));
  const slope = sum(xs.map((x, i) => (x - meanX) * (ys[i] - meanY))) / squaresOfX;
  const residual = sum(xs.map((x, i) => (ys[i] - meanY - slope * (x - meanX)) ** 2));
  const standardError = Math.sqrt(residual / (count - 2) / squaresOfX);
  return { slope, error: jstat.studentt.inv(0.975, count - 2) * standardError };
}

/**
 * A mean with the 95 % interval of Student's t, for values of different people.
 * @param {readonly number[]} values at least two
 * @returns {{ mean: number, interval: [low: number, high: number] }}
 * @throws RangeError for fewer values
 */
export function meanInterval(values) {
  if (values.length < 2) throw new RangeError('The interval of a mean needs at least two values.');
  const middle = mean(values);
  const half = (jstat.studentt.inv(0.975, values.length - 1) * deviation(values)) / Math.sqrt(values.length);
  return { mean: middle, interval: [middle - half, middle + half] };
}

/**
 * The sample behind a proportion in per cent.
 * @param {number} hits
 * @param {number} n at least 1
 * @param {string} items what was counted, such as `pairs`
 * @returns {import('./types').Sample & { hits: number, interval: [low: number, high: number] }}
 */
export function sampleOf(hits, n, items) {
  const [low, high] = clopperPearson(hits, n);
  return { n, items, hits, interval: [100 * low, 100 * high] };
}
