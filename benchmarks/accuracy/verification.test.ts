import { accuracyAt, bestThreshold, crossValidate, ratesAt, tarAt } from './verification.mjs';

const pairs = (fold: number, genuine: number[], impostor: number[]) => [
  ...genuine.map((score) => ({ fold, same: true, score })),
  ...impostor.map((score) => ({ fold, same: false, score })),
];

test('the best threshold lies in the middle of the gap between impostors and genuine pairs', () => {
  expect(bestThreshold(pairs(1, [0.8, 0.9], [0.1, 0.4]))).toBeCloseTo(0.6);
  // One impostor scores high: rejecting one genuine pair instead would decide no more pairs correctly.
  expect(bestThreshold(pairs(1, [0.6, 0.9, 1], [0.1, 0.7]))).toBeCloseTo(0.35);
});

test.each([
  ['most are genuine', pairs(1, [0.5, 0.5], [0.5])],
  ['most are impostors', pairs(1, [0.5], [0.5, 0.5])],
])('equal scores are accepted or rejected together: %s', (_, equal) => {
  expect(accuracyAt(equal, bestThreshold(equal))).toBeCloseTo(2 / 3);
});

test('a fold is decided with the threshold of the others', () => {
  const { folds, accuracy } = crossValidate([...pairs(1, [0.8], [0.2]), ...pairs(2, [0.4], [0.1])]);
  expect(folds.map(({ threshold }) => threshold)).toEqual([0.25, 0.5]);
  expect(folds.map((fold) => fold.accuracy)).toEqual([1, 0.5]);
  expect(accuracy).toBe(0.75);
});

test('TAR counts genuine pairs above the impostors that must be rejected', () => {
  const some = pairs(1, [0.3, 0.5, 0.7, 0.9], [0.1, 0.2, 0.4, 0.6]);
  expect(tarAt(some, 0)).toMatchObject({ allowed: 0, barrier: 0.6, tar: 0.5 });
  expect(tarAt(some, 0.25)).toMatchObject({ allowed: 1, barrier: 0.4, tar: 0.75 });
  // A score equal to the highest impostor is indistinguishable from it.
  expect(tarAt(pairs(1, [0.6, 0.9], [0.6]), 0)).toMatchObject({ tar: 0.5 });
});

test('rates follow their definitions', () => {
  expect(ratesAt(pairs(1, [0.3, 0.8], [0.1, 0.8]), 0.8)).toEqual({ threshold: 0.8, fmr: 0.5, fnmr: 0.5 });
});
