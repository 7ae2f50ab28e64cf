/** Statistics of results, on d3-array, simple-statistics and jStat. No function changes its input. */
import { deviation as deviationOf, max, mean as meanOf, min, quantile } from 'd3-array';
import jstat from 'jstat';
import { linearRegression, linearRegressionLine, sum } from 'simple-statistics';

export { sum };

/** @param {readonly number[]} values */
export const mean = (values) => meanOf(values) ?? Number.NaN;

/**
 * Linear interpolation between the two nearest ranks (Hyndman and Fan's type 7).
 * @param {readonly number[]} values at least one
 * @param {number} percent 0 to 100
 */
export function percentile(values, percent) {
  const found = quantile(values, percent / 100);
  if (found === undefined) throw new RangeError('A percentile needs at least one value.');
  return found;
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 50);

/** Sample standard deviation; 0 for a single value. @param {readonly number[]} values */
export const deviation = (values) => deviationOf(values) ?? 0;

/** The median of repetitions and their range. @param {readonly number[]} values */
export const spread = (values) => ({
  median: median(values),
  min: min(values) ?? Number.NaN,
  max: max(values) ?? Number.NaN,
  values: [...values],
});

/** @param {readonly number[]} milliseconds */
export const latencies = (milliseconds) => ({
  requests: milliseconds.length,
  p50Ms: percentile(milliseconds, 50),
  p95Ms: percentile(milliseconds, 95),
  p99Ms: percentile(milliseconds, 99),
  maxMs: max(milliseconds) ?? Number.NaN,
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
  const means = Array.from({ length: count }, (_, i) => {
    const stretch = points.slice(edge(i), edge(i + 1));
    return [mean(stretch.map(({ x }) => x)), mean(stretch.map(({ y }) => y))];
  });
  const line = linearRegression(means);
  const at = linearRegressionLine(line);
  const centre = mean(means.map(([x]) => x));
  const squaresOfX = sum(means.map(([x]) => (x - centre) ** 2));
  const residual = sum(means.map(([x, y]) => (y - at(x)) ** 2));
  const standardError = Math.sqrt(residual / (count - 2) / squaresOfX);
  return { slope: line.m, error: jstat.studentt.inv(0.975, count - 2) * standardError };
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
 * Clopper and Pearson's exact 95 % interval of a proportion. With no hits, or only hits, one side of the interval is
 * closed and the other takes all 5 %: none of 30 gives an upper bound of 9.5 %.
 * @param {number} hits
 * @param {number} trials at least 1
 * @returns {[low: number, high: number]}
 */
export function clopperPearson(hits, trials) {
  if (hits === 0) return [0, 1 - 0.05 ** (1 / trials)];
  if (hits === trials) return [0.05 ** (1 / trials), 1];
  return [jstat.beta.inv(0.025, hits, trials - hits + 1), jstat.beta.inv(0.975, hits + 1, trials - hits)];
}

/**
 * The sample behind a proportion in per cent.
 * @param {number} hits
 * @param {number} n at least 1
 * @param {string} of what was counted, such as `pairs`
 * @returns {import('./types').Sample & { hits: number, interval: [low: number, high: number] }}
 */
export function sampleOf(hits, n, of) {
  const [low, high] = clopperPearson(hits, n);
  return { n, of, hits, interval: [100 * low, 100 * high] };
}
