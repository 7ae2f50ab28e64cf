import { DecodedImage } from '../image/decoded-image';
import { isTurned, measureSmear, smearFeatures } from './smear';
import smearProbe from './smear-probe.json';

test('takes the median of the turned frames', () => {
  expect(measureSmear([undefined, 3, -1, undefined, 1])).toEqual({ logOdds: 1, frames: 3 });
});

test('measures nothing without a turned frame', () => {
  expect(measureSmear([undefined])).toBeUndefined();
});

test.each([
  [17, 0, false],
  [18, 0, true],
  [-30, 20, true],
  [43, 0, false],
  [30, 26, false],
])('a yaw of %i and a pitch of %i show the side of a head: %s', (yaw, pitch, expected) => {
  expect(isTurned({ yaw, pitch })).toBe(expected);
});

const side = 200;
/** A pattern without symmetry. */
const level = (x: number, y: number) => 128 + 60 * Math.sin(x / 7 + y / 31) + 50 * Math.sin((x * y) / 900);
const imageOf = (at: (x: number, y: number) => number) =>
  DecodedImage.fromRgb(
    Uint8Array.from({ length: 3 * side * side }, (_, i) => {
      const pixel = Math.floor(i / 3);
      return at(pixel % side, Math.floor(pixel / side));
    }),
    side,
    side,
  );
const middle = (side - 1) / 2;
/** A face in the middle, of which only the outline, the top and the chin matter. */
const points = Float32Array.from({ length: 2 * 468 }, (_, i) => {
  const angle = (2 * Math.PI * Math.floor(i / 2)) / 468;
  return middle + (i % 2 === 0 ? 45 * Math.cos(angle) : 60 * Math.sin(angle));
});
points.set([middle, middle - 60], 2 * 10);
points.set([middle, middle + 60], 2 * 152);
const isInside = (x: number, y: number) => Math.hypot((x - middle) / 45, (y - middle) / 60) < 1;

test('has a weight for every feature', () => {
  expect(smearFeatures(imageOf(level), points, 30)).toHaveLength(smearProbe.weights.length);
});

test('a mirrored face that turns to the other side has the same features', () => {
  const features = smearFeatures(imageOf(level), points, 30);
  const mirrored = smearFeatures(
    imageOf((x, y) => level(side - 1 - x, y)),
    points,
    -30,
  );
  const most = Math.max(...features.map((value, i) => Math.abs(value - (mirrored[i] as number))));
  expect(most).toBeLessThan(0.02);
});

test.each([0.5, 0.2])('a face with %f of the light has the same features', (light) => {
  const features = smearFeatures(imageOf(level), points, 30);
  const darker = smearFeatures(
    imageOf((x, y) => light * level(x, y)),
    points,
    30,
  );
  const most = Math.max(...features.map((value, i) => Math.abs(value - (darker[i] as number))));
  // Whole levels of the image make a small difference.
  expect(most).toBeLessThan(0.1);
});

test('the wall behind a face does not matter', () => {
  const before = (wall: number) =>
    smearFeatures(
      imageOf((x, y) => (isInside(x, y) ? level(x, y) : wall)),
      points,
      30,
    );
  expect(before(255)).toEqual(before(0));
});

test('a flat image has neither energy nor direction', () => {
  expect(
    [
      ...smearFeatures(
        imageOf(() => 90),
        points,
        30,
      ),
    ].every((value) => Math.abs(value) < 1e-9),
  ).toBe(true);
});
