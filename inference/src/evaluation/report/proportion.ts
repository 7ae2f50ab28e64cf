/** A proportion, from 0 to 1, with its 95 % interval. */
export interface Proportion {
  readonly rate: number;
  readonly interval: readonly [low: number, high: number];
}
