/**
 * Adversarial perturbation: a pattern of bounded amplitude that gradient steps add to the luma of a frame until no model of
 * the verdict refuses it. The steps are those of projected gradient descent (PGD, Madry et al., 2018), and the gradient is an
 * expectation over transformations (EOT, Athalye et al., 2018): without it, a shift of the crop or the noise of a camera
 * undoes a pattern.
 */
import { grain } from './grain.mjs';
import { cropOf, smearOf } from './smear-target.mjs';

/**
 * A part of the verdict that the attacker optimizes against. The list below has all of them: a model or probe that the
 * verdict gains needs an entry, or this attack no longer knows the check.
 * @typedef {object} Target
 * @property {string} name
 * @property {(face: Face) => boolean} applies whether the verdict measures a face like this
 * @property {(luma: Luma, face: Face, random: Random) => Scored} score under one random transformation
 * @property {number} goal a score at which the attacker stops: below every limit, with a margin
 */
/** @typedef {import('./smear-target.mjs').Luma} Luma */
/** @typedef {{ next(): number, between(from: number, to: number): number }} Random */
/** @typedef {{ points: readonly (readonly number[])[], pose: { yaw: number, pitch: number } }} Face */
/** @typedef {{ value: number, addGradient: (into: Float32Array, factor: number) => void }} Scored */

/** How the attacker expects the crop of the server to differ from his own. */
const CROP = { shift: 0.05, scale: 0.1, angle: 0.05 };

/**
 * The probe for smeared faces, over crops that are moved, scaled and turned.
 * @param {{ bias: number, weights: ArrayLike<number> }} probe
 * @param {number} limit log-odds above which the strictest policy refuses
 * @param {(pose: Face['pose']) => boolean} isTurned whether the tier measures a pose
 * @returns {Target}
 */
export const smearTarget = (probe, limit, isTurned) => ({
  name: 'smear',
  goal: limit - MARGIN,
  applies: ({ pose }) => isTurned(pose),
  score(luma, { points, pose }, random) {
    const crop = cropOf(points, pose.yaw);
    const shift = () => CROP.shift * crop.side * random.between(-1, 1);
    const { logOdds, addGradient } = smearOf(probe, luma, {
      ...crop,
      x: crop.x + shift(),
      y: crop.y + shift(),
      side: crop.side * (1 + CROP.scale * random.between(-1, 1)),
      angle: crop.angle + CROP.angle * random.between(-1, 1),
    });
    return { value: logOdds, addGradient };
  },
});

/** Log-odds: compression and noise raise a score again. */
const MARGIN = 1.5;

/** Share by which the last direction of a step lives on. */
const MOMENTUM = 0.8;

/**
 * @typedef {object} Effort
 * @property {number} amplitude of the pattern, in levels of 0 to 255
 * @property {number} steps at most
 * @property {number} samples transformations for each step
 * @property {number} noise standard deviation of the noise in each transformation, in levels
 */

/**
 * A pattern that lowers the scores of all targets that apply to a face.
 * @param {Luma} luma of the part of the frame around the face
 * @param {Face} face its points in pixels of the luma
 * @param {readonly Target[]} targets
 * @param {Effort} effort
 * @param {Random} random
 * @returns {Float32Array | undefined} undefined if no target applies
 */
export function patternFor(luma, face, targets, { amplitude, steps, samples, noise }, random) {
  const active = targets.filter((target) => target.applies(face));
  if (active.length === 0) return undefined;
  const pattern = new Float32Array(luma.values.length);
  const direction = new Float32Array(pattern.length);
  const gradient = new Float32Array(pattern.length);
  const stepSize = Math.max(0.5, (2.5 * amplitude) / steps);
  for (let step = 0; step < steps; step++) {
    gradient.fill(0);
    let isDone = true;
    for (const target of active) {
      for (let i = 0; i < samples; i++) {
        const seen = { ...luma, values: transformed(luma.values, pattern, noise, random) };
        const { value, addGradient } = target.score(seen, face, random);
        if (value <= target.goal) continue;
        isDone = false;
        addGradient(gradient, 1 / samples);
      }
    }
    if (isDone) break;
    let size = 0;
    for (const value of gradient) size += Math.abs(value);
    for (let i = 0; i < pattern.length; i++) {
      direction[i] = MOMENTUM * direction[i] + gradient[i] / Math.max(size, 1e-12);
      const moved = pattern[i] - stepSize * Math.sign(direction[i]);
      pattern[i] = Math.max(-amplitude, Math.min(amplitude, moved));
    }
  }
  return pattern;
}

/** The luma with its pattern and other noise. */
function transformed(values, pattern, noise, random) {
  const seen = new Float32Array(values.length);
  const at = grain(random);
  for (let i = 0; i < seen.length; i++) {
    const value = values[i] + pattern[i] + noise * at(i);
    seen[i] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  return seen;
}

/** Space around the mesh in which the pattern lies, in sizes of the face. */
const AROUND = 0.45;

/**
 * Adds the pattern to each frame after it is rendered.
 * @param {{ readRgb: (image: Rgb) => Promise<Face | undefined> }} faces the models, which the attacker runs as well
 * @param {readonly Target[]} targets
 * @param {Effort} effort
 * @param {(ms: number) => Random} randomAt the random numbers of a moment
 */
export const perturbed =
  (faces, targets, effort, randomAt) => async (/** @type {Rgb} */ frame, /** @type {number} */ ms) => {
    const face = await faces.readRgb(frame);
    if (!face) return frame;
    const { area, luma } = lumaAround(frame, face.points);
    const moved = { ...face, points: face.points.map(([x, y]) => [x - area.left, y - area.top]) };
    const pattern = patternFor(luma, moved, targets, effort, randomAt(ms));
    return pattern ? added(frame, area, pattern) : frame;
  };

/** @typedef {{ data: Uint8Array, width: number, height: number }} Rgb */

/** @param {Rgb} frame @param {readonly (readonly number[])[]} points */
function lumaAround({ data, width, height }, points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const margin = AROUND * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  // Multiples of 8 keep the grid on which the tier halves an image.
  const down = (value) => Math.max(0, 8 * Math.floor((value - margin) / 8));
  const up = (value, most) => Math.min(most, 8 * Math.ceil((value + margin) / 8));
  const [left, top] = [down(Math.min(...xs)), down(Math.min(...ys))];
  const area = {
    left,
    top,
    width: up(Math.max(...xs), width) - left,
    height: up(Math.max(...ys), height) - top,
  };
  const values = new Float32Array(area.width * area.height);
  for (let i = 0; i < values.length; i++) {
    const at = 3 * ((top + Math.floor(i / area.width)) * width + left + (i % area.width));
    values[i] = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  }
  return { area, luma: { values, width: area.width, height: area.height } };
}

/** The frame with the pattern on all three channels alike. */
function added(frame, { left, top, width }, pattern) {
  const data = new Uint8Array(frame.data);
  for (let i = 0; i < pattern.length; i++) {
    const at = 3 * ((top + Math.floor(i / width)) * frame.width + left + (i % width));
    for (let channel = 0; channel < 3; channel++) {
      data[at + channel] = Math.max(0, Math.min(255, Math.round(data[at + channel] + pattern[i])));
    }
  }
  return { ...frame, data };
}
