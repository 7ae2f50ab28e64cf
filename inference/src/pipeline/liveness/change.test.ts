import { gaussian, seeded } from '../../../test/synthetic-head';
import { DecodedImage } from '../image/decoded-image';
import { changeBetween, duplicateChange } from './change';

const noisy = (seed: number, noise: number) => {
  const random = seeded(seed);
  return DecodedImage.fromRgb(
    Uint8Array.from({ length: 64 * 48 * 3 }, () => Math.round(120 + noise * gaussian(random))),
    64,
    48,
  );
};

test('a repeated image has no change, and the faintest camera noise has', () => {
  expect(changeBetween(noisy(1, 1), noisy(1, 1))).toBe(0);
  // The mean difference of two normal numbers is 2 / sqrt(pi) of their deviation.
  expect(changeBetween(noisy(1, 3), noisy(2, 3))).toBeCloseTo((2 / Math.sqrt(Math.PI)) * 3, 0);
  expect(changeBetween(noisy(1, 0.5), noisy(2, 0.5))).toBeGreaterThan(2 * duplicateChange);
});

test('does not compare images of different sizes', () => {
  expect(
    changeBetween(noisy(1, 1), DecodedImage.fromRgb(new Uint8Array(48 * 64 * 3), 48, 64)),
  ).toBeUndefined();
});
