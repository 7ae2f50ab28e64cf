/** Logistic regression with a penalty on the squares of the weights, for a few hundred features. */

/**
 * @param {readonly Float64Array[]} rows features
 * @param {readonly boolean[]} truths both classes weigh the same, however many rows they have
 * @param {{ penalty: number, steps?: number }} options the penalty applies to features of variance 1
 * @returns {{ bias: number, weights: Float64Array }} for the features as they are
 */
export function fitLogistic(rows, truths, { penalty, steps = 400 }) {
  const count = rows[0].length;
  const { means, deviations } = spreadOf(rows);
  const scaled = rows.map((row) => row.map((value, i) => (value - means[i]) / deviations[i]));
  const hits = truths.filter(Boolean).length;
  const share = truths.map((truth) => 0.5 / (truth ? hits : truths.length - hits));
  // Nesterov's accelerated gradient with the largest safe step: a quarter of the largest eigenvalue, plus the penalty.
  const step = 1 / (largestEigenvalue(scaled, share) / 4 + penalty);
  let weights = new Float64Array(count);
  let ahead = weights;
  let [bias, biasAhead, pace] = [0, 0, 1];
  for (let n = 0; n < steps; n++) {
    const gradient = ahead.map((weight) => penalty * weight);
    let biasGradient = 0;
    scaled.forEach((row, r) => {
      const error = share[r] * (logistic(dot(row, ahead) + biasAhead) - Number(truths[r]));
      for (let i = 0; i < count; i++) gradient[i] += error * row[i];
      biasGradient += error;
    });
    const next = ahead.map((weight, i) => weight - step * gradient[i]);
    const nextBias = biasAhead - step * biasGradient;
    const nextPace = (1 + Math.sqrt(1 + 4 * pace ** 2)) / 2;
    const momentum = (pace - 1) / nextPace;
    ahead = next.map((weight, i) => weight + momentum * (weight - weights[i]));
    biasAhead = nextBias + momentum * (nextBias - bias);
    [weights, bias, pace] = [next, nextBias, nextPace];
  }
  const unscaled = weights.map((weight, i) => weight / deviations[i]);
  return { bias: bias - dot(unscaled, means), weights: unscaled };
}

/** @param {{ bias: number, weights: ArrayLike<number> }} model @param {Float64Array} row */
export const logOdds = ({ bias, weights }, row) => bias + dot(weights, row);

const logistic = (/** @type {number} */ value) => 1 / (1 + Math.exp(-value));

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @param {readonly Float64Array[]} rows */
function spreadOf(rows) {
  const means = new Float64Array(rows[0].length);
  const squares = new Float64Array(rows[0].length);
  for (const row of rows) {
    row.forEach((value, i) => {
      means[i] += value / rows.length;
      squares[i] += value ** 2 / rows.length;
    });
  }
  const deviations = squares.map((square, i) => Math.sqrt(Math.max(1e-12, square - means[i] ** 2)));
  return { means, deviations };
}

/** The largest eigenvalue of the weighted covariance, by power iteration. @param {readonly Float64Array[]} rows @param {readonly number[]} share */
function largestEigenvalue(rows, share) {
  let vector = new Float64Array(rows[0].length).fill(1);
  let value = 1;
  for (let n = 0; n < 30; n++) {
    const next = new Float64Array(vector.length);
    rows.forEach((row, r) => {
      const along = share[r] * dot(row, vector);
      for (let i = 0; i < next.length; i++) next[i] += along * row[i];
    });
    value = Math.hypot(...next);
    vector = next.map((component) => component / value);
  }
  return value;
}
