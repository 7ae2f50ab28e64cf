import { groupCells, overallCell } from './cells';

/** All pairs of images, with the similarities in this order: 1 with 2, 1 with 3, ..., 2 with 3, ... */
function compared(people: readonly number[], similarities: readonly number[]) {
  const pairs = people.flatMap((_, i) => people.slice(i + 1).map((_, k) => [i, i + 1 + k] as const));
  const counts = { existing: 0, compared: 0 };
  return {
    people: Int32Array.from(people),
    thresholds: [0.7, 0.9],
    pairs: {
      source: Int32Array.from(pairs, ([i]) => i),
      target: Int32Array.from(pairs, ([, j]) => j),
      similarity: Float64Array.from(similarities),
      genuine: counts,
      impostor: counts,
    },
  };
}

test('pairs belong to the group of both images, or lie across groups', () => {
  // Images of the people 0, 0, 1, 2, 2; the last one states no group.
  const input = compared([0, 0, 1, 2, 2], [0.95, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]);
  const { within, across } = groupCells(input, Int32Array.of(0, 1, 0, 1, -1), 2);
  expect(within).toMatchObject([
    { genuine: { people: 0, pairs: 0 }, impostor: { people: 2, pairs: 1 } },
    { genuine: { people: 0, pairs: 0 }, impostor: { people: 2, pairs: 1 } },
  ]);
  // The only pair of one person across groups, such as one photographed by two devices.
  expect(across).toMatchObject({ genuine: { people: 1, pairs: 1 }, impostor: { people: 3, pairs: 3 } });
  expect(overallCell(input)).toMatchObject({
    genuine: { people: 2, pairs: 2 },
    impostor: { people: 3, pairs: 8 },
  });
});

test('a similarity equal to the threshold matches', () => {
  // Forty people with one image, and forty with two.
  const people = [...Array(40).keys(), ...Array(40).keys()];
  const length = (80 * 79) / 2;
  const similarities = Array<number>(length).fill(0.5);
  const input = compared(people, similarities);
  let misses = 0;
  input.pairs.similarity.forEach((_, pair) => {
    const isSame = people[input.pairs.source[pair] as number] === people[input.pairs.target[pair] as number];
    input.pairs.similarity[pair] = isSame ? (misses++ % 2 === 0 ? 0.7 : 0.9) : pair % 3 === 0 ? 0.7 : 0.69;
  });
  const { rates, genuine } = overallCell(input);
  expect(genuine).toEqual({ people: 40, pairs: 40 });
  const [lenient, strict] = rates;
  expect(lenient?.falseNonMatch).toMatchObject({ errors: 0, rate: 0 });
  expect(strict?.falseNonMatch).toMatchObject({ errors: 20, rate: 0.5 });
  expect(strict?.falseMatch).toMatchObject({ errors: 0, rate: 0 });
  expect(lenient?.falseMatch?.rate).toBeCloseTo(1 / 3, 1);
});
