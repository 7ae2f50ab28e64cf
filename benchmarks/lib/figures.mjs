/** Figures beside their targets. */

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
