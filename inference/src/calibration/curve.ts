/** Calibrates an embedding model from the distances between images of known people. */
import type { Calibration } from '../catalogue/manifest-parts';

/**
 * Defines the similarities of the API: the proportion of pairs of different people that reach each. The recommended
 * thresholds rely on these points, so the curve of every model must contain them.
 */
const falseMatchRates = [
  [1e-5, 0.95],
  [1e-4, 0.9],
  [1e-3, 0.8],
  [1e-2, 0.7],
  [0.1, 0.5],
  [0.5, 0.25],
] as const;

/** Pairs that must reach a rate before it counts as measured; ten pairs measure it within about a third. */
const minMatches = 10;
/** The rate of the default threshold. */
const neededRate = 1e-3;

export const minPairs = minMatches / neededRate;
/** People who make so many pairs with one image each, n (n - 1) / 2. */
const minPeople = Math.ceil((1 + Math.sqrt(1 + 8 * minPairs)) / 2);

export interface Distances {
  /** Cosine distances between different people. */
  readonly different: Float32Array;
  /** Cosine distances between images of one person. */
  readonly same: Float32Array;
}

/**
 * @returns the curve and a description of its source.
 * @throws Error if there are too few pairs of different people for the rate of the default threshold.
 */
export function fitCalibration({ different, same }: Distances): Calibration {
  if (different.length < minPairs) {
    throw new Error(
      `${different.length} pairs of different people are too few: at least ${minPairs} show a false-match rate of ${neededRate}, which takes images of ${minPeople} people`,
    );
  }
  const sorted = different.toSorted();
  const measured = falseMatchRates.filter(([rate]) => rate * sorted.length >= minMatches);
  const points = measured.map(([rate, similarity]) => [round(quantile(sorted, rate)), similarity] as const);
  const end = round(sorted.at(-1) as number);
  // Equal distances, which a broken model returns, would make a step of the curve.
  const curve = [[0, 1] as const, ...points, [end, 0] as const].filter(
    ([distance], i, all) => i === 0 || distance > (all[i - 1] as readonly [number, number])[0],
  );
  if (curve.length < measured.length + 2) {
    throw new Error('different people have the same distance: the model does not distinguish them');
  }
  const rates = measured.map(([rate, similarity]) => `${rate} at ${similarity}`).join(', ');
  return {
    source: `${sorted.length} pairs of different people and ${same.length} of one person; false-match rates ${rates}`,
    curve,
  };
}

const round = (distance: number) => Number(distance.toPrecision(4));

/** The distance that the given proportion of the pairs does not exceed. */
const quantile = (sorted: Float32Array, proportion: number) =>
  sorted[Math.round(proportion * sorted.length) - 1] as number;
