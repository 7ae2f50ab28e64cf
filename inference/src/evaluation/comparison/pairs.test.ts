import { type ComparableImage, comparePairs } from './pairs';

/** Similarity falls from 1 at distance 0 to 0 at distance 2. */
const calibration = {
  source: '',
  curve: [
    [0, 1],
    [2, 0],
  ],
} as const;
const [east, north, west] = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(-1, 0)] as const;

test('compares the largest face of the earlier image with the most similar face of the later one', () => {
  const images: ComparableImage[] = [
    { person: 0, faces: [east, north] },
    { person: 1, faces: [west, north] },
    { person: 0, faces: [west, east] },
  ];
  const { source, target, similarity, genuine, impostor } = comparePairs(images, {
    calibration,
    maxPairs: 100,
  });
  expect([...source]).toEqual([0, 0, 1]);
  expect([...target]).toEqual([1, 2, 2]);
  expect([...similarity]).toEqual([0.5, 1, 1]);
  expect(genuine).toEqual({ existing: 1, compared: 1 });
  expect(impostor).toEqual({ existing: 2, compared: 2 });
});

test('compares the pairs of a list only, in their order', () => {
  const images: ComparableImage[] = [
    { person: 0, faces: [east, north] },
    { person: 1, faces: [west, north] },
    { person: 0, faces: [west, east] },
  ];
  const listed = [
    [2, 0],
    [1, 0],
  ] as const;
  const { source, target, similarity, genuine, impostor } = comparePairs(images, {
    calibration,
    maxPairs: 100,
    listed,
  });
  expect([...source]).toEqual([2, 1]);
  expect([...target]).toEqual([0, 0]);
  expect([...similarity]).toEqual([0.5, 0.5]);
  expect([genuine, impostor]).toEqual([
    { existing: 1, compared: 1 },
    { existing: 1, compared: 1 },
  ]);
});

describe('with more pairs than are compared', () => {
  // 3 images of each of 40 people: 120 genuine and 7020 impostor pairs.
  const images = Array.from({ length: 120 }, (_, i) => ({ person: i % 40, faces: [east] }));
  const maxPairs = 60;
  const compared = comparePairs(images, { calibration, maxPairs });

  test('takes as many of each kind as are wanted, each pair once', () => {
    const { source, target, genuine, impostor } = compared;
    expect(genuine).toEqual({ existing: 120, compared: maxPairs });
    expect(impostor).toEqual({ existing: 7020, compared: maxPairs });
    const pairs = Array.from(source, (i, pair) => `${i} ${target[pair]}`);
    expect(new Set(pairs).size).toBe(2 * maxPairs);
    const same = Array.from(
      source,
      (i, pair) => images[i]?.person === images[target[pair] as number]?.person,
    );
    expect(same.filter(Boolean)).toHaveLength(maxPairs);
  });

  test('takes the same pairs in each run, spread over all images', () => {
    expect(comparePairs(images, { calibration, maxPairs })).toEqual(compared);
    const inFirstHalf = compared.source.filter((i) => i < 35).length;
    // Half of the pairs have a source among the first 35 images.
    expect(inFirstHalf).toBeGreaterThan(0.35 * 2 * maxPairs);
    expect(inFirstHalf).toBeLessThan(0.65 * 2 * maxPairs);
  });
});
