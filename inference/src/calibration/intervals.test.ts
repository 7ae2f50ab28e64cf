import { matchRateInterval } from './intervals';

test('contains the rate and widens with fewer people', () => {
  // One image a person; every tenth pair of neighbors matches.
  const intervalOf = (count: number) => {
    const people = Int32Array.from({ length: count }, (_, i) => i);
    const matches = Array.from({ length: count / 10 }, (_, i): [number, number] => [10 * i, 10 * i + 1]);
    const rate = matches.length / ((count * (count - 1)) / 2);
    return matchRateInterval(people, matches).map((limit) => limit / rate) as [number, number];
  };
  const [low, high] = intervalOf(2000);
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1);
  const [lower, higher] = intervalOf(200);
  expect(higher - lower).toBeGreaterThan(high - low);
});

test('one person who resembles everybody makes the rate uncertain', () => {
  const people = Int32Array.from({ length: 100 }, (_, i) => i);
  const others = Array.from({ length: 50 }, (_, i) => i);
  const spread = matchRateInterval(
    people,
    others.map((i): [number, number] => [2 * i, 2 * i + 1]),
  );
  const lookalike = matchRateInterval(
    people,
    others.map((i): [number, number] => [0, i + 1]),
  );
  expect(lookalike[0]).toBe(0);
  expect(lookalike[1]).toBeGreaterThan(1.3 * spread[1]);
});
