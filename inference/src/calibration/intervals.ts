/** Confidence intervals of false-match rates. */
import { randomNumbers } from '../random';

const draws = 500;

/**
 * The 95 % interval of the rate at which different people match. Pairs share people, so they are not independent: people
 * are drawn anew, with all their images (the subsets bootstrap of Bolle, Ratha and Pankanti, "Error analysis of pattern
 * recognition systems", 2004). A draw counts each pair as often as it has both people.
 * @param people position of the person of each image among all people.
 * @param matches images of the pairs of different people that match, by position.
 */
export function matchRateInterval(
  people: Int32Array,
  matches: readonly (readonly [number, number])[],
): readonly [number, number] {
  const images = new Float64Array(people.reduce((most, person) => Math.max(most, person + 1), 0));
  for (const person of people) images[person] = (images[person] as number) + 1;
  const random = randomNumbers();
  const rates = Array.from({ length: draws }, () => {
    const times = new Float64Array(images.length);
    for (let i = 0; i < images.length; i++) {
      const drawn = Math.floor(random() * images.length);
      times[drawn] = (times[drawn] as number) + 1;
    }
    // The number of pairs of different people is half of `all` squared less the squares of each person's images.
    let all = 0;
    let own = 0;
    images.forEach((count, person) => {
      const weight = count * (times[person] as number);
      all += weight;
      own += weight * weight;
    });
    let matching = 0;
    for (const [a, b] of matches) {
      matching += (times[people[a] as number] as number) * (times[people[b] as number] as number);
    }
    return (2 * matching) / (all * all - own);
  }).sort((a, b) => a - b);
  return [rates[Math.round(0.025 * draws)] as number, rates[Math.round(0.975 * draws) - 1] as number];
}
