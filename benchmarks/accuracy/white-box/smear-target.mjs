/**
 * The probe for smeared faces as an attacker sees it: the log-odds of `inference/src/pipeline/liveness/smear.ts` and their
 * gradient with respect to the pixels. A test holds both to the code of the tier. The weights are public, as is the code.
 */

import { cropMap } from '../../../inference/dist/pipeline/image/geometry.js';
import { maskOf } from '../../../inference/dist/pipeline/liveness/outline.js';

/**
 * The luma of a part of a frame. Levels are not rounded, so that small changes count.
 * @typedef {{ values: Float32Array, width: number, height: number }} Luma
 */

/**
 * Where the attacker expects the server to cut the face: the tier's own crop, moved, scaled and turned by a little.
 * @typedef {object} Crop
 * @property {number} x center in pixels of the luma
 * @property {number} y
 * @property {number} side in pixels
 * @property {number} angle in radians
 * @property {Float32Array} points of the mesh, whose outline bounds what counts
 * @property {boolean} mirror whether the near side of the face has to change sides
 */

/** Points of the mesh, and the numbers, of the tier's crop. */
const [TOP, CHIN] = [10, 152];
const SPAN = 1.3;
const SIZE = 96;
const CELLS = 6;
const PER_CELL = SIZE / CELLS;
const FLOOR = 8;
const DEPTH = 1;
const LEAST_PIXELS = 24;
const COUNT = CELLS ** 2;

/** The crop of the tier. @param {readonly (readonly number[])[]} points x and y of the mesh @param {number} yaw @returns {Crop} */
export function cropOf(points, yaw) {
  const [topX, topY] = points[TOP];
  const [chinX, chinY] = points[CHIN];
  return {
    x: (topX + chinX) / 2,
    y: (topY + chinY) / 2,
    side: SPAN * Math.hypot(chinX - topX, chinY - topY),
    angle: Math.atan2(topX - chinX, chinY - topY),
    points: Float32Array.from(points.flatMap((point) => point.slice(0, 2))),
    mirror: yaw < 0,
  };
}

/**
 * The log-odds of a linear probe, and a function that adds their gradient.
 * @param {{ bias: number, weights: ArrayLike<number> }} probe
 * @param {Luma} luma
 * @param {Crop} crop
 * @returns {{ logOdds: number, addGradient: (into: Float32Array, factor: number) => void }} `into`: one value per pixel of
 *   the luma
 */
export function smearOf({ bias, weights }, luma, crop) {
  const sampled = sample(luma, crop);
  const mask = maskIn(crop);
  const { values: fine, back: unexposed } = exposed(sampled.values, mask);
  const smooth = (values) => smoothed(values, mask);
  const coarse = smooth(smooth(smooth(fine)));
  const scales = [fine, coarse].map((values, scale) => ({
    values,
    ...cellsOf(values, mask),
    from: 3 * COUNT * scale,
  }));
  const logOdds = scales.reduce(
    (sum, { features, from }) => features.reduce((total, value, i) => total + value * weights[from + i], sum),
    bias,
  );
  return {
    logOdds,
    addGradient(into, factor) {
      const [ofFine, ofCoarse] = scales.map(({ values, means, from }) =>
        gradientOfCells(values, { means, mask, weights, from }),
      );
      const back = [1, 2, 3].reduce((gradient) => adjointSmoothed(gradient, mask), ofCoarse);
      sampled.scatter(unexposed(ofFine.map((value, i) => factor * (value + back[i]))), into);
    },
  };
}

/** Exposure of the crop: see the tier's code. */
const EXPOSURE = { mean: 128, max: 255, min: 8 };

/** The mask selects the pixels of a crop that count. @param {Crop} crop */
function maskIn({ points, mirror, ...place }) {
  const mask = maskOf(points, cropMap(place, SIZE), SIZE, DEPTH);
  return mirror ? mask.map((_, i) => mask[i - 2 * (i % SIZE) + SIZE - 1]) : mask;
}

/** The crop as if the camera had exposed for the face, and the way back of a gradient. */
function exposed(/** @type {Float32Array} */ luma, /** @type {Uint8Array} */ mask) {
  const inside = Array.from(luma.keys()).filter((i) => mask[i]);
  const mean = inside.reduce((sum, i) => sum + luma[i], 0) / inside.length;
  const gain = EXPOSURE.mean / Math.max(EXPOSURE.min, mean);
  const values = luma.map((value) => Math.min(EXPOSURE.max, gain * value));
  return {
    values,
    back(/** @type {Float32Array} */ gradient) {
      const isCutOff = (/** @type {number} */ i) => gain * luma[i] > EXPOSURE.max;
      const back = gradient.map((value, i) => (isCutOff(i) ? 0 : gain * value));
      if (mean <= EXPOSURE.min) return back;
      const ofGain = gradient.reduce((sum, value, i) => sum + (isCutOff(i) ? 0 : value * luma[i]), 0);
      const ofMean = (-ofGain * gain) / mean / inside.length;
      for (const i of inside) back[i] += ofMean;
      return back;
    },
  };
}

/** The crop of the luma, halved as often as the tier halves the image, and the way back of a gradient. */
function sample({ values, width, height }, { x, y, side, angle, mirror }) {
  const levels = [{ values, width, height }];
  let scale = side / SIZE;
  let [centerX, centerY] = [x, y];
  while (scale >= 2) {
    levels.push(halved(levels[levels.length - 1]));
    scale /= 2;
    [centerX, centerY] = [centerX / 2 - 0.25, centerY / 2 - 0.25];
  }
  const level = levels[levels.length - 1];
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const half = (SIZE - 1) / 2;
  const taps = new Int32Array(SIZE * SIZE);
  const shares = new Float32Array(2 * SIZE * SIZE);
  const crop = new Float32Array(SIZE * SIZE);
  const [right, bottom] = [level.width - 1, level.height - 1];
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const i = row * SIZE + (mirror ? SIZE - 1 - column : column);
      const [u, v] = [column - half, row - half];
      const px = centerX + cos * u - sin * v;
      const py = centerY + sin * u + cos * v;
      if (px < 0 || py < 0 || px >= right || py >= bottom) {
        taps[i] = -1;
        continue;
      }
      const [left, top] = [Math.floor(px), Math.floor(py)];
      const [fx, fy] = [px - left, py - top];
      const at = top * level.width + left;
      taps[i] = at;
      shares[2 * i] = fx;
      shares[2 * i + 1] = fy;
      const upper = level.values[at] * (1 - fx) + level.values[at + 1] * fx;
      const lower = level.values[at + level.width] * (1 - fx) + level.values[at + level.width + 1] * fx;
      crop[i] = upper * (1 - fy) + lower * fy;
    }
  }
  return {
    values: crop,
    scatter(gradient, into) {
      let now = levels.length === 1 ? into : new Float32Array(level.values.length);
      for (let i = 0; i < taps.length; i++) {
        const at = taps[i];
        if (at < 0) continue;
        const [fx, fy] = [shares[2 * i], shares[2 * i + 1]];
        now[at] += gradient[i] * (1 - fx) * (1 - fy);
        now[at + 1] += gradient[i] * fx * (1 - fy);
        now[at + level.width] += gradient[i] * (1 - fx) * fy;
        now[at + level.width + 1] += gradient[i] * fx * fy;
      }
      for (let l = levels.length - 1; l > 0; l--) {
        const larger = levels[l - 1];
        const next = l === 1 ? into : new Float32Array(larger.values.length);
        addDoubled(now, levels[l], next, larger.width);
        now = next;
      }
    },
  };
}

/** @param {Luma} luma @returns {Luma} */
function halved({ values, width, height }) {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Float32Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const i = 2 * (y * width + x);
      half[y * w + x] = (values[i] + values[i + 1] + values[i + width] + values[i + width + 1]) / 4;
    }
  }
  return { values: half, width: w, height: h };
}

/** Adds a quarter of each value to the four pixels that it is the mean of. */
function addDoubled(gradient, { width, height }, into, intoWidth) {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const quarter = gradient[y * width + x] / 4;
      const i = 2 * (y * intoWidth + x);
      into[i] += quarter;
      into[i + 1] += quarter;
      into[i + intoWidth] += quarter;
      into[i + intoWidth + 1] += quarter;
    }
  }
}

/** Weights 1, 2, 1 in both directions; borders of the mask repeat. @param {Float32Array} values @param {Uint8Array} mask */
function smoothed(values, mask) {
  const pass = (from, step) =>
    from.map((value, i) => {
      const at = (j) => (mask[j] ? from[j] : value);
      return (at(i - step) + 2 * value + at(i + step)) / 4;
    });
  return pass(pass(values, 1), SIZE);
}

/** The transpose of `smoothed`. @param {Float32Array} gradient @param {Uint8Array} mask */
function adjointSmoothed(gradient, mask) {
  const pass = (from, step) => {
    const back = new Float32Array(from.length);
    from.forEach((value, i) => {
      back[i] += value / 2;
      for (const j of [i - step, i + step]) back[mask[j] ? j : i] += value / 4;
    });
    return back;
  };
  return pass(pass(gradient, SIZE), 1);
}

const isCounted = (mask, i) => mask[i] && mask[i - 1] && mask[i + 1] && mask[i - SIZE] && mask[i + SIZE];

/**
 * Calls back with each counted pixel, its cell, and the gradient of the luma there.
 * @param {Float32Array} luma @param {Uint8Array} mask
 * @param {(pixel: number, cell: number, dx: number, dy: number) => void} use
 */
function forEachGradient(luma, mask, use) {
  for (let y = 1; y < SIZE - 1; y++) {
    for (let x = 1; x < SIZE - 1; x++) {
      const i = y * SIZE + x;
      if (!isCounted(mask, i)) continue;
      const cell = CELLS * Math.floor(y / PER_CELL) + Math.floor(x / PER_CELL);
      use(i, cell, luma[i + 1] - luma[i - 1], luma[i + SIZE] - luma[i - SIZE]);
    }
  }
}

/**
 * The features of one scale, and the mean products of gradients in each cell; undefined where too few pixels count.
 * @param {Float32Array} luma @param {Uint8Array} mask
 */
function cellsOf(luma, mask) {
  const sums = Array.from({ length: COUNT }, () => ({ xx: 0, yy: 0, xy: 0, pixels: 0 }));
  forEachGradient(luma, mask, (_, at, dx, dy) => {
    const cell = sums[at];
    cell.xx += dx * dx;
    cell.yy += dy * dy;
    cell.xy += dx * dy;
    cell.pixels += 1;
  });
  const means = sums.map(({ xx, yy, xy, pixels }) =>
    pixels < LEAST_PIXELS ? undefined : { xx: xx / pixels, yy: yy / pixels, xy: xy / pixels, pixels },
  );
  const energies = means.map((cell) => cell && Math.log(cell.xx + cell.yy + FLOOR));
  const seen = energies.filter((energy) => energy !== undefined);
  const mean = seen.reduce((sum, energy) => sum + energy, 0) / seen.length;
  const features = [
    ...energies.map((energy) => (energy === undefined ? 0 : energy - mean)),
    ...means.map((cell) => (cell ? (cell.xx - cell.yy) / (cell.xx + cell.yy + FLOOR) : 0)),
    ...means.map((cell) => (cell ? (2 * cell.xy) / (cell.xx + cell.yy + FLOOR) : 0)),
  ];
  return { features, means };
}

/** The gradient of the weighted features of one scale with respect to its luma. */
function gradientOfCells(luma, { means, mask, weights, from }) {
  const seen = [...means.keys()].filter((i) => means[i]);
  const energyMean = seen.reduce((sum, i) => sum + weights[from + i], 0) / seen.length;
  const slopes = means.map((cell, i) => {
    if (!cell) return { xx: 0, yy: 0, xy: 0 };
    const { xx, yy, xy, pixels } = cell;
    const total = xx + yy + FLOOR;
    const energy = (weights[from + i] - energyMean) / total;
    const [straight, diagonal] = [weights[from + COUNT + i], weights[from + 2 * COUNT + i]];
    const shrinks = (straight * (xx - yy) + diagonal * 2 * xy) / total ** 2;
    return {
      xx: (energy + straight / total - shrinks) / pixels,
      yy: (energy - straight / total - shrinks) / pixels,
      xy: (2 * diagonal) / total / pixels,
    };
  });
  const gradient = new Float32Array(luma.length);
  forEachGradient(luma, mask, (i, cell, dx, dy) => {
    const { xx, yy, xy } = slopes[cell];
    const alongX = 2 * xx * dx + xy * dy;
    const alongY = 2 * yy * dy + xy * dx;
    gradient[i + 1] += alongX;
    gradient[i - 1] -= alongX;
    gradient[i + SIZE] += alongY;
    gradient[i - SIZE] -= alongY;
  });
  return gradient;
}
