import { DecodedImage } from '../image/decoded-image';
import type { Points } from '../image/geometry';
import { fingerprintOf } from './fingerprint';

const [width, height] = [400, 360];
const turned = { yaw: 25, pitch: 0 };

/** A scene of overlapping discs, which have edges of all directions, with levels between its pixels. */
function discs(seed: number): Scene {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const levels = new Float64Array(width * height).fill(128);
  for (let disc = 0; disc < 120; disc++) {
    const [x, y, radius, level] = [next() * width, next() * height, 8 + 40 * next(), 255 * next()];
    for (let row = Math.max(0, Math.ceil(y - radius)); row < Math.min(height, y + radius); row++) {
      const half = Math.sqrt(Math.max(0, radius ** 2 - (row - y) ** 2));
      levels.fill(
        level,
        row * width + Math.max(0, Math.ceil(x - half)),
        row * width + Math.min(width, Math.ceil(x + half)),
      );
    }
  }
  const at = (x: number, y: number) =>
    levels[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))] as number;
  return (x, y) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - left, y - top];
    const above = (1 - right) * at(left, top) + right * at(left + 1, top);
    const below = (1 - right) * at(left, top + 1) + right * at(left + 1, top + 1);
    return (1 - down) * above + down * below;
  };
}

type Scene = (x: number, y: number) => number;

function imageOf(scene: Scene): DecodedImage {
  const pixels = Int32Array.from({ length: width * height }, (_, i) => {
    const level = Math.max(0, Math.min(255, Math.round(scene(i % width, Math.floor(i / width)))));
    return level | (level << 8) | (level << 16);
  });
  return new DecodedImage(pixels, width, height);
}

/** A mesh around a point. */
const meshAt = (x: number, y: number, radius = 50): Points =>
  Float32Array.from(
    Array.from({ length: 468 }, (_, i) => [x + radius * Math.cos(i), y + radius * Math.sin(i)]).flat(),
  );

const scene = discs(1);
const original = fingerprintOf(imageOf(scene), meshAt(200, 180), turned) as string[];
const shared = (other: readonly string[] | undefined) =>
  (other ?? []).filter((part, i) => part === original[i]).length;

test('has eight parts of six hexadecimal digits', () => {
  expect(original).toHaveLength(8);
  for (const part of original) expect(part).toMatch(/^[0-9a-f]{6}$/);
  expect(new Set(original).size).toBe(8);
});

test.each([
  ['shifted', (x, y) => scene(x - 11, y + 7), meshAt(211, 173)],
  ['darker and with less contrast', (x, y) => 0.7 * scene(x, y) + 20, meshAt(200, 180)],
  ['with noise', (x, y) => scene(x, y) + 12 * Math.sin(91 * x + 57 * y * y), meshAt(200, 180)],
  ['larger', (x, y) => scene(200 + (x - 200) / 1.1, 180 + (y - 180) / 1.1), meshAt(200, 180, 55)],
] as const satisfies readonly (readonly [string, Scene, Points])[])(
  'an image that is %s shares three parts and more',
  (_, changed, points) => {
    expect(shared(fingerprintOf(imageOf(changed), points, turned))).toBeGreaterThanOrEqual(3);
  },
);

test('a mirrored image with the opposite turn has the same', () => {
  const mirrored = imageOf((x, y) => scene(width - 1 - x, y));
  const points = meshAt(200, 180).map((value, i) => (i % 2 === 0 ? width - 1 - value : value));
  expect(shared(fingerprintOf(mirrored, points, { yaw: -25, pitch: 0 }))).toBe(8);
  expect(shared(fingerprintOf(mirrored, points, turned))).toBe(0);
});

test('an image of another place of the head before the same room shares none', () => {
  expect(shared(fingerprintOf(imageOf(scene), meshAt(212, 180), turned))).toBe(0);
  expect(shared(fingerprintOf(imageOf(discs(2)), meshAt(200, 180), turned))).toBe(0);
});

test('a head that faces the camera has none', () => {
  expect(fingerprintOf(imageOf(scene), meshAt(200, 180), { yaw: 8, pitch: -8 })).toBeUndefined();
});
