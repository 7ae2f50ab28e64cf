import type { Light, Rgb } from '../../wire/frames';
import { DecodedImage } from '../image/decoded-image';
import { type Chroma, faceChroma, measureLight } from './light';

const [amber, green, blue, white]: readonly Rgb[] = [
  [255, 176, 64],
  [96, 255, 96],
  [64, 160, 255],
  [255, 255, 255],
];
const colors = [amber, blue, green, white, blue, amber, green] as Rgb[];

/** Five frames a second under colors that change every 600 ms. */
const light: Light = {
  colors,
  shown: Array.from({ length: 21 }, (_, i) => ({ index: Math.floor(i / 3), sinceMs: 200 * (i % 3) + 20 })),
};

/** Faint colors of the page on a face, some time later. */
const reflecting = (delayMs: number, gain = 0.05): Chroma[] =>
  light.shown.map(({ index, sinceMs }) => {
    const [red, greenLevel, blueLevel] = colors[sinceMs >= delayMs ? index : Math.max(0, index - 1)] as Rgb;
    return [0.4 + gain * Math.log(red / greenLevel), -0.3 + gain * Math.log(blueLevel / greenLevel)];
  });

test('finds the delay at which a face follows the colors of the page', () => {
  const response = measureLight(reflecting(150), light);
  expect(response?.correlation).toBeGreaterThan(0.98);
  expect(response).toMatchObject({ colors: 7 });
  expect(response?.lagMs).toBeGreaterThan(20);
  expect(response?.lagMs).toBeLessThanOrEqual(220);
});

test('finds no correlation in a face that keeps its color', () => {
  const still = light.shown.map((): Chroma => [0.4, -0.3]);
  expect(measureLight(still, light)?.correlation).toBeCloseTo(0);
});

test('finds a low correlation in a face that follows other colors', () => {
  const other = { ...light, colors: [...colors].reverse() };
  expect(measureLight(reflecting(150), other)?.correlation).toBeLessThan(0.5);
});

test.each([
  ['few frames show a face', reflecting(150).map((one, i) => (i < 11 ? one : undefined))],
  ['few colors are left', reflecting(150).map((one, i) => (i < 12 ? one : undefined))],
])('measures nothing where %s', (_name, chromas) => {
  expect(measureLight(chromas, light)).toBeUndefined();
});

/** A gray room with a square face of a color in its middle. */
function scene(face: Rgb, room: Rgb): DecodedImage {
  const [width, height] = [120, 90];
  const bytes = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    bytes.set(Math.abs(x - 60) < 20 && Math.abs(y - 45) < 25 ? face : room, 3 * i);
  }
  return DecodedImage.fromRgb(bytes, width, height);
}

const box = { left: 40, top: 20, width: 40, height: 50 };
/** All points of the mesh near the middle of the face. */
const points = Float32Array.from({ length: 2 * 468 }, (_, i) => (i % 2 === 0 ? 60 + (i % 5) : 45));

test('measures the color of a face against its background, so that white balance cancels', () => {
  const [red, blueLevel] = faceChroma(scene([180, 140, 120], [128, 128, 128]), points, box) as Chroma;
  expect(red).toBeGreaterThan(0.4);
  expect(blueLevel).toBeLessThan(-0.2);
  const same = faceChroma(scene([180, 140, 120], [180, 140, 120]), points, box) as Chroma;
  expect(Math.hypot(...same)).toBeLessThan(1e-6);
});

test('measures no color without background', () => {
  const whole = { left: 0, top: 0, width: 120, height: 90 };
  expect(faceChroma(scene([180, 140, 120], [128, 128, 128]), points, whole)).toBeUndefined();
});
