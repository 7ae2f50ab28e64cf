import jstat from 'jstat';

/**
 * Clopper and Pearson's exact 95 % interval of a proportion. With no hits, or only hits, one side of the interval is
 * closed and the other takes all 5 %: none of 30 gives an upper bound of 9.5 %.
 * @param {number} hits
 * @param {number} trials at least 1
 * @returns {[low: number, high: number]}
 */
export function clopperPearson(hits, trials) {
  if (hits === 0) return [0, 1 - 0.05 ** (1 / trials)];
  if (hits === trials) return [0.05 ** (1 / trials), 1];
  return [jstat.beta.inv(0.025, hits, trials - hits + 1), jstat.beta.inv(0.975, hits + 1, trials - hits)];
}
