/** The few statistics that results need. Arrays are never changed. */

/** @param {readonly number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values */
export const mean = (values) => sum(values) / values.length;

/** @param {readonly number[]} values */
const ascending = (values) => [...values].sort((a, b) => a - b);

/**
 * Percentile by linear interpolation between the two nearest ranks (Hyndman and Fan's type 7).
 * @param {readonly number[]} values at least one
 * @param {number} percent 0 to 100
 */
export function percentile(values, percent) {
  if (values.length === 0) throw new RangeError('A percentile needs at least one value');
  const sorted = ascending(values);
  const rank = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 50);

/** Sample standard deviation; 0 for a single value. @param {readonly number[]} values */
export function deviation(values) {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/**
 * A figure seen several times: what to quote, and how far the repetitions lie apart.
 * @param {readonly number[]} values
 */
export function spread(values) {
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    deviation: deviation(values),
    values: [...values],
  };
}

/** @param {readonly number[]} milliseconds */
export function latencies(milliseconds) {
  return {
    requests: milliseconds.length,
    meanMs: mean(milliseconds),
    minMs: Math.min(...milliseconds),
    p50Ms: percentile(milliseconds, 50),
    p95Ms: percentile(milliseconds, 95),
    p99Ms: percentile(milliseconds, 99),
    maxMs: Math.max(...milliseconds),
  };
}

/**
 * Ordinary least squares, with the standard error of the slope: a slope within two of them is no trend.
 * @param {readonly { x: number, y: number }[]} points at least three, not all at one x
 */
export function leastSquares(points) {
  const centre = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  const xx = sum(points.map(({ x }) => (x - centre.x) ** 2));
  if (points.length < 3 || xx === 0) throw new RangeError('A line needs three points at different x');
  const slope = sum(points.map(({ x, y }) => (x - centre.x) * (y - centre.y))) / xx;
  const intercept = centre.y - slope * centre.x;
  const residual = sum(points.map(({ x, y }) => (y - intercept - slope * x) ** 2));
  return { slope, intercept, slopeError: Math.sqrt(residual / (points.length - 2) / xx) };
}

/** Neighbouring samples say nearly the same; means over so many stretches are as good as independent. */
const MOST_STRETCHES = 12;
const LEAST_STRETCHES = 6;

/** Student's t of a two-sided 95 % interval, from 4 degrees of freedom on: stretches less the two of a line. */
const STUDENTS_T = [2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/**
 * How fast something grows that is looked at again and again: a line through the means of equal stretches.
 * @param {readonly { x: number, y: number }[]} points in the order of x, at least 6
 * @returns {{ slope: number, error: number }} `error`: half of the 95 % interval
 * @throws RangeError where there are too few
 */
export function growthOf(points) {
  const count = Math.min(MOST_STRETCHES, points.length);
  if (count < LEAST_STRETCHES) {
    throw new RangeError(
      `Growth needs ${LEAST_STRETCHES} samples or more and there are ${points.length}: measure for longer`,
    );
  }
  const edge = (/** @type {number} */ i) => Math.round((i * points.length) / count);
  const stretches = Array.from({ length: count }, (_, i) => {
    const own = points.slice(edge(i), edge(i + 1));
    return { x: mean(own.map(({ x }) => x)), y: mean(own.map(({ y }) => y)) };
  });
  const { slope, slopeError } = leastSquares(stretches);
  return { slope, error: STUDENTS_T[count - LEAST_STRETCHES] * slopeError };
}

/**
 * Wilson's 95 % interval of a proportion.
 * @param {number} successes
 * @param {number} trials
 * @returns {[number, number]}
 */
export function wilson(successes, trials) {
  const z = 1.96;
  const p = successes / trials;
  const centre = p + z ** 2 / (2 * trials);
  const half = z * Math.sqrt((p * (1 - p)) / trials + z ** 2 / (4 * trials ** 2));
  const scale = 1 + z ** 2 / trials;
  return [Math.max(0, (centre - half) / scale), Math.min(1, (centre + half) / scale)];
}

/**
 * Mann and Whitney's test of whether values of one sample tend to be larger than those of another, ties counted half.
 * @param {readonly number[]} first
 * @param {readonly number[]} second
 * @returns {{ auc: number, z: number }} the probability that one of the first is larger than one of the second, and how
 *   many standard errors that lies from a half (normal approximation, without the correction for ties)
 */
export function mannWhitney(first, second) {
  const all = [
    ...first.map((value) => ({ value, own: true })),
    ...second.map((value) => ({ value, own: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to].value === all[from].value) to++;
    const shared = (from + 1 + to) / 2;
    ranks += shared * all.slice(from, to).filter(({ own }) => own).length;
  }
  const [n, m] = [first.length, second.length];
  const auc = (ranks - (n * (n + 1)) / 2) / (n * m);
  return { auc, z: (auc - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m)) };
}
