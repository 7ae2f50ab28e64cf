import { type Embedded, pairsOf } from './distances';

const unit = (...values: number[]) => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};

test('pairs every image with every later one', () => {
  const images: Embedded[] = [
    { person: 'a', embedding: unit(1, 0) },
    { person: 'b', embedding: unit(0, 1) },
    { person: 'a', embedding: unit(1, 1) },
  ];
  const { people, same, distances } = pairsOf(images);
  expect([...people]).toEqual([0, 1, 0]);
  expect([...same]).toEqual([0, 1, 0]);
  const expected = [1, 1 - Math.SQRT1_2, 1 - Math.SQRT1_2];
  for (const [pair, distance] of expected.entries()) expect(distances[pair]).toBeCloseTo(distance);
});
