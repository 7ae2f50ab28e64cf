/** Seeded randomness: the same seed gives the same choices in every run. */

/** @param {number} seed any whole number; near seeds give unrelated values */
export function randomFrom(seed) {
  let state = Math.imul(seed + 1, 2654435761);
  /** Returns a number from 0 to below 1 (Numerical Recipes' linear congruential generator). */
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  /** Returns a whole number from `from` to below `to`. @param {number} from @param {number} to */
  const whole = (from, to) => from + Math.floor(next() * (to - from));
  /** @template T @param {readonly T[]} items @returns {T} */
  const pick = (items) => /** @type {T} */ (items[whole(0, items.length)]);
  /** @template T @param {readonly T[]} items @returns {T[]} */
  const shuffled = (items) => {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i--) {
      const j = whole(0, i + 1);
      [order[i], order[j]] = [/** @type {T} */ (order[j]), /** @type {T} */ (order[i])];
    }
    return order;
  };
  return { next, whole, pick, shuffled };
}
