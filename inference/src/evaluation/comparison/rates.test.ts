import { minPeople, rateOfImpostors, rateOfTrials } from './rates';

const filled = (people: number, value: number) => new Float64Array(people).fill(value);
const allPairs = (people: number) => (people * (people - 1)) / 2;

describe('trials of single people', () => {
  test('count over all people, with an interval around the rate', () => {
    const errors = filled(100, 0);
    errors.fill(1, 0, 10);
    const rate = rateOfTrials(errors, filled(100, 2));
    expect(rate).toMatchObject({ errors: 10, rate: 0.05 });
    const [low, high] = rate?.interval ?? [];
    expect(low).toBeGreaterThan(0.01);
    expect(low).toBeLessThan(0.05);
    expect(high).toBeGreaterThan(0.05);
    expect(high).toBeLessThan(0.1);
  });

  test('have a wider interval where one person has all errors', () => {
    const trials = filled(50, 4);
    const [spread, lumped] = [filled(50, 0), filled(50, 0)];
    spread.fill(1, 0, 4);
    lumped[0] = 4;
    const widthOf = (errors: Float64Array) => {
      const [low = 0, high = 0] = rateOfTrials(errors, trials)?.interval ?? [];
      return high - low;
    };
    expect(widthOf(lumped)).toBeGreaterThan(1.3 * widthOf(spread));
  });

  test('without an error have the upper bound of the rule of three, over people', () => {
    const rate = rateOfTrials(filled(100, 0), filled(100, 50));
    expect(rate?.interval[0]).toBe(0);
    expect(rate?.interval[1]).toBeCloseTo(3 / 100, 3);
    const failed = rateOfTrials(filled(100, 50), filled(100, 50));
    expect(failed?.interval).toEqual([expect.closeTo(1 - 3 / 100, 3), 1]);
  });

  test('trials of too few people have no rate', () => {
    const trials = filled(100, 1);
    trials.fill(0, minPeople - 1);
    expect(rateOfTrials(filled(100, 0), trials)).toBeNull();
    trials[minPeople] = 1;
    expect(rateOfTrials(filled(100, 0), trials)).not.toBeNull();
  });
});

describe('pairs of different people', () => {
  const people = 200;
  const images = filled(people, 1);
  const matches = Array.from({ length: 40 }, (_, i): [number, number] => [2 * i, 2 * i + 1]);

  test('count over all compared pairs', () => {
    const rate = rateOfImpostors({ images, compared: allPairs(people), matches });
    expect(rate).toMatchObject({ errors: 40, rate: 40 / allPairs(people) });
    const [low, high] = rate?.interval ?? [];
    expect(low).toBeLessThan(rate?.rate ?? 0);
    expect(high).toBeGreaterThan(rate?.rate ?? 1);
  });

  test('have the same interval when a tenth of the pairs is compared and a tenth matches', () => {
    const tenth = { images, compared: allPairs(people) / 10, matches: matches.slice(0, 4) };
    const all = { images, compared: allPairs(people), matches: matches.slice(0, 4) };
    const [few, many] = [rateOfImpostors(tenth)?.interval, rateOfImpostors(all)?.interval];
    expect(few?.[1]).toBeCloseTo(10 * (many?.[1] ?? 0));
  });

  test('without a match have the upper bound of the rule of three, over pairs of people', () => {
    // Ten images of each person are a hundred pairs of images for a pair of people.
    const rate = rateOfImpostors({
      images: filled(people, 10),
      compared: 100 * allPairs(people),
      matches: [],
    });
    expect(rate?.interval[0]).toBe(0);
    expect(rate?.interval[1]).toBeCloseTo(3 / allPairs(people), 6);
  });

  test('a list of all pairs has the same interval as all pairs', () => {
    const listed = Array.from({ length: people }, (_, a) => a).flatMap((a) =>
      Array.from({ length: a }, (_, b) => [a, b] as const),
    );
    const all = { images, compared: allPairs(people), matches };
    expect(rateOfImpostors({ ...all, listed })).toEqual(rateOfImpostors(all));
  });

  test('across groups leave out the pairs within each', () => {
    const parts = [0, 1].map((part) => images.map((_, person) => Number(person % 2 === part)));
    const across = rateOfImpostors({ images, parts, compared: 100 * 100, matches });
    expect(across?.rate).toBe(40 / 10_000);
    const within = rateOfImpostors({ images, compared: allPairs(people), matches });
    // A draw changes both numbers of pairs alike, so the intervals differ by the share of pairs across.
    const ratio = (across?.interval[1] ?? 0) / (within?.interval[1] ?? 1);
    expect(ratio).toBeCloseTo(allPairs(people) / 10_000, 1);
  });

  test('pairs of too few people have no rate, also on one side of a boundary', () => {
    const few = filled(minPeople - 1, 1);
    expect(rateOfImpostors({ images: few, compared: allPairs(few.length), matches: [] })).toBeNull();
    const large = images.map((_, person) => Number(person >= 5));
    const small = images.map((_, person) => Number(person < 5));
    const parts = [large, small];
    expect(rateOfImpostors({ images, parts, compared: 5 * (people - 5), matches: [] })).toBeNull();
  });
});
