/** When requests come. Open: they come whatever became of those before, as the requests of many users do. */

/** @typedef {ReturnType<typeof import('../../lib/random.mjs').randomFrom>} Random */
/** @typedef {'poisson' | 'even'} Pattern `even`: one exactly after the other, as k6's arrival rates are */

/**
 * @param {{ pattern: Pattern, perSecond: number, random: Random }} options
 * @returns {() => number} milliseconds to the next arrival
 */
export function arrivals({ pattern, perSecond, random }) {
  const meanMs = 1e3 / perSecond;
  return pattern === 'even' ? () => meanMs : () => exponential(random, meanMs);
}

/** Exponentially distributed, by inversion. @param {Random} random @param {number} mean */
export const exponential = (random, mean) => -mean * Math.log(1 - random.next());
