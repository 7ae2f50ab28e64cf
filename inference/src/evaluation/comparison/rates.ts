/** Error rates with 95 % intervals. People are the unit: images and pairs of one person are not independent. */
import { impostorPairs, intervalOverPeople } from '../../calibration/intervals';
import type { Proportion } from '../report/proportion';

/** A rate of fewer people is not reported: even without an error, ten in a hundred could fail (rule of three). */
export const minPeople = 30;

export interface Rate extends Proportion {
  readonly errors: number;
}

/**
 * A rate whose trials each belong to one person, such as pairs of one person.
 * @param errors of each person. @param trials of each person.
 * @returns null for fewer than `minPeople` people with trials.
 */
export function rateOfTrials(errors: Float64Array, trials: Float64Array): Rate | null {
  const people = positionsOf(trials);
  if (people.length < minPeople) return null;
  const rateOf = (times?: Float64Array) => {
    let [wrong, all] = [0, 0];
    for (const [i, person] of people.entries()) {
      const weight = times ? (times[i] as number) : 1;
      wrong += weight * (errors[person] as number);
      all += weight * (trials[person] as number);
    }
    return wrong / all;
  };
  const interval = intervalOverPeople(people.length, rateOf);
  const count = errors.reduce((sum, personErrors) => sum + personErrors, 0);
  return { errors: count, rate: rateOf(), interval: widened(interval, people.length) };
}

/** Pairs of different people whose rate is wanted. */
export interface ImpostorPairs {
  /** Images of each person. */
  readonly images: Float64Array;
  /** The same in each of some parts, whose inner pairs do not count: pairs across groups leave out those within each. */
  readonly parts?: readonly Float64Array[];
  /** Number of compared pairs; more pairs may exist. */
  readonly compared: number;
  /** Both people of each compared pair, if a list chose the pairs: then the images say nothing about their number. */
  readonly listed?: readonly (readonly [number, number])[] | undefined;
  /** Both people of each pair that matches wrongly. */
  readonly matches: readonly (readonly [number, number])[];
}

/** @returns null for fewer than `minPeople` people, in the images or, across parts, outside the largest part. */
export function rateOfImpostors({
  images,
  parts = [],
  compared,
  listed,
  matches,
}: ImpostorPairs): Rate | null {
  const people = positionsOf(images);
  const outside = (part: Float64Array) =>
    people.filter((person) => (images[person] as number) > (part[person] as number)).length;
  const fewest = Math.min(people.length, ...parts.map(outside));
  if (fewest < minPeople || compared === 0) return null;
  const local = new Map(people.map((person, i) => [person, i]));
  const pick = (counts: Float64Array) => Float64Array.from(people, (person) => counts[person] as number);
  const pickedImages = pick(images);
  const ownParts = parts.map(pick);
  const endsOf = (pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([a, b]) => [local.get(a) as number, local.get(b) as number] as const);
  const listedEnds = listed && endsOf(listed);
  const existing = (times: Float64Array) =>
    listedEnds
      ? drawn(listedEnds, times)
      : impostorPairs(pickedImages, times) -
        ownParts.reduce((sum, part) => sum + impostorPairs(part, times), 0);
  const ends = endsOf(matches);
  const once = new Float64Array(people.length).fill(1);
  const rate = matches.length / compared;
  // The compared pairs may be a sample; a draw changes their number as it changes the number of existing pairs.
  const perExisting = compared / existing(once);
  const interval = intervalOverPeople(people.length, (times) => {
    // A draw of a short list may have none of its pairs, and then no match.
    return drawn(ends, times) / Math.max(1, existing(times) * perExisting);
  });
  const pairsOfPeople = (people.length * (people.length - 1)) / 2;
  return { errors: matches.length, rate, interval: widened(interval, Math.min(compared, pairsOfPeople)) };
}

/** Pairs of people as often as a draw has them. */
function drawn(pairs: readonly (readonly [number, number])[], times: Float64Array): number {
  let count = 0;
  for (const [a, b] of pairs) count += (times[a] as number) * (times[b] as number);
  return count;
}

/**
 * Drawing people anew shows no spread where there is no error, and too little where there are few. So the upper limit is at
 * least that of no errors in `trials` independent trials (the exact rule of three), and the lower one mirrors it.
 */
function widened([low, high]: readonly [number, number], trials: number): [number, number] {
  const limit = 1 - 0.05 ** (1 / trials);
  return [Math.max(0, Math.min(low, 1 - limit)), Math.min(1, Math.max(high, limit))];
}

/** Positions of values above 0. */
function positionsOf(values: Float64Array): number[] {
  const positions: number[] = [];
  for (const [i, value] of values.entries()) if (value > 0) positions.push(i);
  return positions;
}
