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
 * Clopper and Pearson's exact 95 % interval of a proportion. Where none or all are hits only one side is open, so the
 * bound takes the whole 5 %: none of 30 leaves room for 9.5 %.
 * @param {number} hits
 * @param {number} trials at least 1
 * @returns {[low: number, high: number]}
 */
export function clopperPearson(hits, trials) {
  if (hits === 0) return [0, 1 - 0.05 ** (1 / trials)];
  if (hits === trials) return [0.05 ** (1 / trials), 1];
  return [solve((p) => atMost(hits - 1, trials, p), 0.975), solve((p) => atMost(hits, trials, p), 0.025)];
}

/** The p at which a function that falls from 1 to 0 takes a value. @param {(p: number) => number} falling @param {number} value */
function solve(falling, value) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (falling(middle) > value) low = middle;
    else high = middle;
  }
  return low;
}

/** Probability of at most so many hits. @param {number} hits @param {number} trials @param {number} p between 0 and 1 */
function atMost(hits, trials, p) {
  let log = trials * Math.log1p(-p);
  let total = Math.exp(log);
  for (let k = 1; k <= hits; k++) {
    log += Math.log((trials - k + 1) / k) + Math.log(p) - Math.log1p(-p);
    total += Math.exp(log);
  }
  return total;
}

/**
 * What a proportion rests on, as a bar in per cent states it.
 * @param {number} hits
 * @param {number} n at least 1
 * @param {string} of what was counted, such as `pairs`
 * @returns {import('./types').Sample}
 */
export function sampleOf(hits, n, of) {
  const [low, high] = clopperPearson(hits, n);
  return { n, of, hits, interval: [100 * low, 100 * high] };
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
