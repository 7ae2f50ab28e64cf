/** Reproducible random numbers: each seed gives one sequence. */

export interface Random {
  /** Uniform from 0 to below 1. */
  next(): number;
  between(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  /** Standard normal: Box and Muller, 1958. */
  gaussian(): number;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + (to - from) * next(),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
