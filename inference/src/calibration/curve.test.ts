import { similarityOf } from '../pipeline/faces/similarity';
import { fitCalibration, minPairs } from './curve';

/** Distances spread evenly between 0 and 1, in no order. */
const even = (count: number) =>
  Float32Array.from({ length: count }, (_, i) => ((i * 7919) % count) / count + 0.5 / count);
const same = Float32Array.of(0.001, 0.002);

test('the right proportion of pairs reaches each similarity', () => {
  const different = even(1_000_000);
  const { curve, source } = fitCalibration({ different, same });
  const calibration = { curve, source };
  const similarities = Float64Array.from(different, (distance) => similarityOf(distance, calibration));
  for (const [similarity, rate] of [
    [0.95, 1e-5],
    [0.9, 1e-4],
    [0.8, 1e-3],
    [0.7, 1e-2],
    [0.5, 0.1],
    [0.25, 0.5],
  ] as const) {
    const reached = similarities.filter((value) => value >= similarity);
    const expected = rate * different.length;
    expect(Math.abs(reached.length - expected)).toBeLessThanOrEqual(Math.max(1, 1e-3 * expected));
  }
  expect(curve[0]).toEqual([0, 1]);
  expect(curve.at(-1)).toEqual([1, 0]);
  expect(source).toBe(
    '1000000 pairs of different people and 2 of one person; false-match rates 0.00001 at 0.95, 0.0001 at 0.9, 0.001 at 0.8, 0.01 at 0.7, 0.1 at 0.5, 0.5 at 0.25',
  );
});

test('omits rates with too few pairs', () => {
  const { curve } = fitCalibration({ different: even(minPairs), same });
  expect(curve.map(([, similarity]) => similarity)).toEqual([1, 0.8, 0.7, 0.5, 0.25, 0]);
  expect(() => fitCalibration({ different: even(minPairs - 1), same })).toThrow(
    `${minPairs - 1} pairs of different people are too few: at least ${minPairs} show a false-match rate of 0.001`,
  );
});

test('refuses a model that gives all pairs one distance', () => {
  expect(() => fitCalibration({ different: new Float32Array(minPairs).fill(0.5), same })).toThrow(
    'does not distinguish them',
  );
});
