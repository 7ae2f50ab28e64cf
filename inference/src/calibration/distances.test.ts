import { type Embedded, fitWeights, fuse, pairsOf } from './distances';

const unit = (...values: number[]) => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};

test('pairs every image with every later one', () => {
  const images: Embedded[] = [
    { person: 'a', parts: [unit(1, 0)] },
    { person: 'b', parts: [unit(0, 1)] },
    { person: 'a', parts: [unit(1, 1)] },
  ];
  const { people, same, distances } = pairsOf(images);
  expect([...people]).toEqual([0, 1, 0]);
  expect([...same]).toEqual([0, 1, 0]);
  const expected = [1, 1 - Math.SQRT1_2, 1 - Math.SQRT1_2];
  for (const [pair, distance] of expected.entries()) expect(distances[0]?.[pair]).toBeCloseTo(distance);
});

test('a fused distance is the weighted mean of its parts', () => {
  const fused = fuse([Float32Array.of(0.1, 0.5), Float32Array.of(0.3, 1)], [0.75, 0.25]);
  expect(fused[0]).toBeCloseTo(0.15);
  expect(fused[1]).toBeCloseTo(0.625);
});

describe('weights', () => {
  // Two pairs of one person, four of different people.
  const same = Uint8Array.of(1, 1, 0, 0, 0, 0);
  const people = Int32Array.of();

  test('favor the part that separates people by more of its own variance', () => {
    const sharp = Float32Array.of(0.1, 0.1, 0.9, 1.1, 0.9, 1.1);
    const vague = Float32Array.of(0.1, 0.1, 0.5, 1.5, 0.5, 1.5);
    // Both differ by 0.9 in the mean; the variances are 0.01 and 0.25.
    expect(fitWeights({ people, same, distances: [sharp, vague] })).toEqual([0.9615, 0.0385]);
  });

  test('need pairs of one person and a part that separates them', () => {
    const distances = [Float32Array.of(1, 1, 0.1, 0.2, 0.1, 0.2)];
    expect(() => fitWeights({ people, same, distances })).toThrow('a model does not distinguish people');
    const none = new Uint8Array(6);
    expect(() => fitWeights({ people, same: none, distances })).toThrow('two images or more');
  });
});
