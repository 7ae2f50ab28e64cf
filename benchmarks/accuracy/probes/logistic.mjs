/** Logistic regression on standardized features, with an L2 penalty, by Nesterov's accelerated gradient descent. */

/**
 * @param {readonly Float32Array[]} rows features of the examples
 * @param {readonly boolean[]} labels
 * @param {{ penalty: number, steps: number }} options
 * @returns {{ weights: number[], bias: number }} for the features as they are
 */
export function fitLogistic(rows, labels, { penalty, steps }) {
  const width = rows[0].length;
  const { mean, scale } = spreadOf(rows);
  const examples = rows.map((row) => Float64Array.from(row, (value, j) => (value - mean[j]) / scale[j]));
  // Largest curvature of the loss: a quarter of the largest eigenvalue of the features' second moments, and of 1.
  const step = 1 / (0.25 * (1.1 * largestEigenvalue(examples) + 1) + penalty);
  // The last place is the bias, which carries no penalty.
  let at = new Float64Array(width + 1);
  let ahead = at.slice();
  for (let k = 1; k <= steps; k++) {
    const gradient = new Float64Array(width + 1);
    examples.forEach((row, i) => {
      const error = (1 / (1 + Math.exp(-dot(row, ahead) - ahead[width])) - Number(labels[i])) / rows.length;
      for (let j = 0; j < width; j++) gradient[j] += error * row[j];
      gradient[width] += error;
    });
    const next = ahead.map((value, j) => value - step * (gradient[j] + (j < width ? penalty * value : 0)));
    const momentum = (k - 1) / (k + 2);
    ahead = next.map((value, j) => value + momentum * (value - at[j]));
    at = next;
  }
  const weights = Array.from({ length: width }, (_, j) => at[j] / scale[j]);
  return { weights, bias: at[width] - dot(weights, mean) };
}

function dot(a, b) {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}

function spreadOf(rows) {
  const width = rows[0].length;
  const mean = new Float64Array(width);
  const scale = new Float64Array(width);
  for (const row of rows) for (let j = 0; j < width; j++) mean[j] += row[j] / rows.length;
  for (const row of rows) for (let j = 0; j < width; j++) scale[j] += (row[j] - mean[j]) ** 2 / rows.length;
  // A feature that hardly varies must not be blown up.
  return { mean, scale: scale.map((variance) => Math.sqrt(variance) + 1e-3) };
}

/** Of the mean outer product of the rows, by power iteration. @param {readonly Float64Array[]} rows */
function largestEigenvalue(rows) {
  let vector = Float64Array.from(rows[0], (_, j) => Math.sin(j + 1));
  let length = 0;
  for (let k = 0; k < 12; k++) {
    const next = new Float64Array(vector.length);
    for (const row of rows) {
      const projection = dot(row, vector) / rows.length;
      for (let j = 0; j < next.length; j++) next[j] += projection * row[j];
    }
    length = Math.hypot(...next);
    vector = next.map((value) => value / length);
  }
  return length;
}
