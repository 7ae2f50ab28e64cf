/** Arrivals of requests in an open model: as with many users, they do not depend on earlier requests. */

/** @typedef {ReturnType<typeof import('../../lib/random.mjs').randomFrom>} Random */

/**
 * Poisson, or evenly spaced like k6's arrival rates, each as late as the next of `latenessMs`: these repeat in their order,
 * from a random one on.
 * @typedef {'poisson' | { readonly latenessMs: readonly number[] }} Pattern
 */

/**
 * @param {{ pattern: Pattern, perSecond: number, random: Random }} options
 * @returns {() => number} milliseconds to the next arrival
 */
export function arrivals({ pattern, perSecond, random }) {
  const meanMs = 1e3 / perSecond;
  if (pattern === 'poisson') return () => exponential(random, meanMs);
  return late(pattern.latenessMs, meanMs, random);
}

/** @param {readonly number[]} latenessMs @param {number} meanMs @param {Random} random */
function late(latenessMs, meanMs, random) {
  const begin = random.whole(0, latenessMs.length);
  /** Candidates for the next arrival: a request that is due later may come earlier. @type {number[]} */
  const coming = [];
  let due = 0;
  let now = 0;
  return () => {
    while (coming.length === 0 || due * meanMs <= coming[0]) {
      coming.push(due * meanMs + latenessMs[(begin + due) % latenessMs.length]);
      coming.sort((a, b) => a - b);
      due += 1;
    }
    const wait = coming[0] - now;
    now = coming[0];
    coming.shift();
    return wait;
  };
}

/** Exponentially distributed, by inversion. @param {Random} random @param {number} mean */
export const exponential = (random, mean) => -mean * Math.log(1 - random.next());
