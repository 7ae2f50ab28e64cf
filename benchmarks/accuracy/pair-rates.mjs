/**
 * Error rates over all pairs of images of known people. Pairs share people, so they are not independent: the intervals
 * come from drawing the people anew, with all their images (the subsets bootstrap of Bolle, Ratha and Pankanti, "Error
 * analysis of pattern recognition systems", 2004).
 */
import { randomFrom } from '../../gateway/harness/random.mjs';
import { clopperPearson, percentile } from '../lib/stats.mjs';

/**
 * @typedef {object} DescribedImage
 * @property {string} name
 * @property {number} person position among all people
 * @property {Float32Array} embedding a unit vector
 * @property {readonly string[]} warnings
 */

/**
 * @typedef {object} Rate
 * @property {number} n pairs
 * @property {number} errors
 * @property {number} silent errors in pairs without a warning
 * @property {number} rate
 * @property {[low: number, high: number]} interval of the rate, 95 %
 */

/** @typedef {readonly [DescribedImage, DescribedImage]} Pair */
/** How many times each person was drawn. @typedef {Float64Array} Draw */

const DRAWS = 500;

/**
 * Compares each reference with each probe of another image.
 * @param {readonly DescribedImage[]} references
 * @param {readonly DescribedImage[]} probes the same list compares each pair once
 * @param {(distance: number) => boolean} isMatch
 * @returns {{ fmr: Rate, fnmr: Rate }}
 */
export function pairRates(references, probes, isMatch) {
  const once = references === probes;
  /** @type {Pair[]} */ const genuine = [];
  /** @type {Pair[]} */ const misses = [];
  /** @type {Pair[]} */ const falseMatches = [];
  let impostors = 0;
  for (const [i, reference] of references.entries()) {
    for (let j = once ? i + 1 : 0; j < probes.length; j++) {
      const probe = probes[j];
      if (reference.name === probe.name) continue;
      const matches = isMatch(distanceBetween(reference.embedding, probe.embedding));
      if (reference.person === probe.person) {
        genuine.push([reference, probe]);
        if (!matches) misses.push([reference, probe]);
      } else {
        impostors++;
        if (matches) falseMatches.push([reference, probe]);
      }
    }
  }
  const draws = drawPeople(1 + Math.max(...references.map(({ person }) => person)));
  return {
    fnmr: rateOf(
      misses,
      genuine.length,
      draws.map((times) => weightOf(misses, times) / weightOf(genuine, times)),
    ),
    fmr: rateOf(
      falseMatches,
      impostors,
      draws.map(
        (times) =>
          weightOf(falseMatches, times) / (impostorWeight(references, probes, times) / (once ? 2 : 1)),
      ),
    ),
  };
}

/** Cosine distance of unit vectors. @param {Float32Array} a @param {Float32Array} b */
export function distanceBetween(a, b) {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i] * b[i];
  return 1 - dot;
}

/** @param {number} count @returns {Draw[]} */
function drawPeople(count) {
  const { whole } = randomFrom(1);
  return Array.from({ length: DRAWS }, () => {
    const times = new Float64Array(count);
    for (let i = 0; i < count; i++) times[whole(0, count)]++;
    return times;
  });
}

/** A pair counts as often as a draw has its people, both for strangers. @param {readonly Pair[]} pairs @param {Draw} times */
const weightOf = (pairs, times) =>
  pairs.reduce((sum, [{ person: a }, { person: b }]) => sum + (a === b ? times[a] : times[a] * times[b]), 0);

/**
 * The weight of all pairs of different people: all pairs less those of one person.
 * @param {readonly DescribedImage[]} references @param {readonly DescribedImage[]} probes @param {Draw} times
 */
function impostorWeight(references, probes, times) {
  const [a, b] = [references, probes].map((images) => {
    const weights = new Float64Array(times.length);
    for (const { person } of images) weights[person] += times[person];
    return weights;
  });
  const total = (/** @type {Float64Array} */ weights) => weights.reduce((sum, weight) => sum + weight, 0);
  return total(a) * total(b) - a.reduce((sum, weight, person) => sum + weight * b[person], 0);
}

/**
 * @param {readonly Pair[]} errors @param {number} n @param {readonly number[]} drawn rates; not numbers where a draw has no pair
 * @returns {Rate}
 */
function rateOf(errors, n, drawn) {
  return {
    n,
    errors: errors.length,
    silent: errors.filter((pair) => pair.every(({ warnings }) => warnings.length === 0)).length,
    rate: errors.length / n,
    interval: intervalOf(
      errors.length,
      n,
      drawn.filter((rate) => Number.isFinite(rate)),
    ),
  };
}

/** The exact interval of independent pairs, because every draw has a rate of 0 without errors. @returns {[number, number]} */
function intervalOf(errors, n, drawn) {
  if (n === 0) return [0, 1];
  return errors === 0 ? clopperPearson(0, n) : [percentile(drawn, 2.5), percentile(drawn, 97.5)];
}
