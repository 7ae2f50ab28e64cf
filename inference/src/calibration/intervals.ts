/** Confidence intervals of false-match rates. */
import { randomNumbers } from '../random';

export const draws = 500;

/**
 * The 95 % interval of a rate among people. Pairs share people, so they are not independent: people are drawn anew, with
 * all their images (the subsets bootstrap of Bolle, Ratha and Pankanti, "Error analysis of pattern recognition systems",
 * 2004).
 * @param people number of people.
 * @param rateOf the rate when each person counts as often as they were drawn.
 */
export function intervalOverPeople(
  people: number,
  rateOf: (times: Float64Array) => number,
): readonly [number, number] {
  // Local, because every use of a global is slow in the context of a test.
  const { floor } = Math;
  const random = randomNumbers();
  const rates = Array.from({ length: draws }, () => {
    const times = new Float64Array(people);
    for (let i = 0; i < people; i++) {
      const drawn = floor(random() * people);
      times[drawn] = (times[drawn] as number) + 1;
    }
    return rateOf(times);
  }).sort((a, b) => a - b);
  return [rates[Math.round(0.025 * draws)] as number, rates[Math.round(0.975 * draws) - 1] as number];
}

/**
 * Pairs of images of different people when each person counts as often as they were drawn: half of the square of all
 * images less the squares of each person's own.
 * @param images images of each person.
 */
export function impostorPairs(images: Float64Array, times: Float64Array): number {
  let all = 0;
  let withinPeople = 0;
  for (let person = 0; person < images.length; person++) {
    const weight = (images[person] as number) * (times[person] as number);
    all += weight;
    withinPeople += weight * weight;
  }
  return (all * all - withinPeople) / 2;
}

/**
 * The 95 % interval of the rate at which different people match.
 * @param people position of the person of each image among all people.
 * @param matches images of the pairs of different people that match, by position.
 */
export function matchRateInterval(
  people: Int32Array,
  matches: readonly (readonly [number, number])[],
): readonly [number, number] {
  const images = new Float64Array(people.reduce((most, person) => Math.max(most, person + 1), 0));
  for (const person of people) images[person] = (images[person] as number) + 1;
  return intervalOverPeople(images.length, (times) => {
    let matching = 0;
    for (const [a, b] of matches) {
      matching += (times[people[a] as number] as number) * (times[people[b] as number] as number);
    }
    return matching / impostorPairs(images, times);
  });
}
