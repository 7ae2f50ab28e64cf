/**
 * Reproducible numbers in [0, 1), evenly distributed: a linear congruential generator (Numerical Recipes' constants). Each
 * call starts the same sequence.
 */
export function randomNumbers(): () => number {
  // Local, because every use of a global is slow in the context of a test.
  const { imul } = Math;
  let state = 1;
  return () => {
    state = (imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
