/** Figures beside their targets. */
import { sampleOf } from './stats.mjs';

/** @typedef {import('./types').Figure} Figure */

/**
 * A figure that should be at most its target.
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 * @param {number} target
 * @param {import('./types').Sample} [sample]
 * @returns {Figure}
 */
export const atMost = (name, value, unit, target, sample) => ({
  what: name,
  value,
  unit,
  target,
  better: 'lower',
  ...(sample && { sample }),
});

/** A figure that should be at least its target. @param {Parameters<typeof atMost>} figure @returns {Figure} */
export const atLeast = (...figure) => ({ ...atMost(...figure), better: 'higher' });

/** A count that should be 0. @param {string} name @param {number} value @param {import('./types').Sample} [sample] */
export const zero = (name, value, sample) => atMost(name, value, '', 0, sample);

/**
 * The median of rounds, which should be at most its target.
 * @param {string} name
 * @param {{ median: number, min: number, max: number, values: readonly number[] }} taken
 * @param {string} unit
 * @param {number} target
 * @param {number} [scale] from the unit of `taken` to that of the figure
 */
export const medianAtMost = (name, { median, min, max, values }, unit, target, scale = 1) =>
  atMost(name, scale * median, unit, target, {
    n: values.length,
    items: 'rounds',
    range: [scale * min, scale * max],
  });

/** The median of rounds, which should be at least its target. @param {Parameters<typeof medianAtMost>} figure @returns {Figure} */
export const medianAtLeast = (...figure) => ({ ...medianAtMost(...figure), better: 'higher' });

/**
 * A proportion that should be at least its target, in per cent, with its interval.
 * @param {string} name
 * @param {number} hits
 * @param {number} n at least 1
 * @param {string} items see sampleOf
 * @param {number} target
 */
export const atLeastOf = (name, hits, n, items, target) =>
  atLeast(name, (100 * hits) / n, '%', target, sampleOf(hits, n, items));
