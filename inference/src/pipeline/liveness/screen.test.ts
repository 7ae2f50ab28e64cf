import { gaussian, seeded } from '../../../test/synthetic-head';
import { DecodedImage } from '../image/decoded-image';
import { screenScore } from './screen';

const side = 200;
const face = { left: 20, top: 20, width: 160, height: 160 };

/** A gray image with the noise of a camera and a pattern. */
function image(pattern: (x: number, y: number) => number): DecodedImage {
  const random = seeded(11);
  const data = new Uint8Array(3 * side * side);
  for (let i = 0; i < side * side; i++) {
    const level = 120 + 4 * gaussian(random) + pattern(i % side, Math.floor(i / side));
    data.fill(Math.round(level), 3 * i, 3 * i + 3);
  }
  return DecodedImage.fromRgb(data, side, side);
}
const waves = (amplitude: number, perPixelX: number, perPixelY: number) =>
  image((x, y) => amplitude * Math.cos(2 * Math.PI * (perPixelX * x + perPixelY * y)));

test('noise scores close to 0, and a slanted pattern of two gray levels scores 1', () => {
  expect(
    screenScore(
      image(() => 0),
      face,
    ),
  ).toBeLessThan(0.2);
  expect(screenScore(waves(2, 0.21, 0.13), face)).toBe(1);
  expect(screenScore(waves(2, -0.11, 0.32), face)).toBe(1);
});

test('a stronger pattern scores higher', () => {
  const scores = [0.3, 0.6, 1].map((amplitude) => screenScore(waves(amplitude, 0.21, 0.13), face) as number);
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
  expect(scores[2]).toBeGreaterThan(scores[0] as number);
});

test.each([
  ['along a row', 0.25, 0],
  ['along a column', 0, 0.125],
  ['coarse, as faces are', 0.03, 0.02],
])('a pattern %s is no trace', (_name, perPixelX, perPixelY) => {
  expect(screenScore(waves(10, perPixelX, perPixelY), face)).toBeLessThan(0.2);
});

test('small faces and small images have no score', () => {
  expect(
    screenScore(
      image(() => 0),
      { ...face, width: 40, height: 50 },
    ),
  ).toBeUndefined();
  expect(screenScore(DecodedImage.fromRgb(new Uint8Array(3 * 100 * 100), 100, 100), face)).toBeUndefined();
});
