import type { Light, Rgb } from '../../wire/frames';
import { DecodedImage } from '../image/decoded-image';
import { type Chroma, faceChroma, type LitFace, measureLight } from './light';

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

const still = { yaw: 0, pitch: 0 };

/** Faint colors of the page on a face that stays where it is, some time later. */
const reflecting = (delayMs: number, gain = 0.05): LitFace[] =>
  light.shown.map(({ index, sinceMs }) => {
    const [red, greenLevel, blueLevel] = colors[sinceMs >= delayMs ? index : Math.max(0, index - 1)] as Rgb;
    const chroma: Chroma = [
      0.4 + gain * Math.log(red / greenLevel),
      -0.3 + gain * Math.log(blueLevel / greenLevel),
    ];
    return { chroma, pose: still };
  });

test('finds the delay at which a face follows the colors of the page', () => {
  const response = measureLight(reflecting(150), light);
  expect(response?.correlation).toBeGreaterThan(0.98);
  expect(response).toMatchObject({ colors: 7 });
  expect(response?.lagMs).toBeGreaterThan(20);
  expect(response?.lagMs).toBeLessThanOrEqual(220);
});

test('finds no correlation in a face that keeps its color', () => {
  const dull = light.shown.map((): LitFace => ({ chroma: [0.4, -0.3], pose: still }));
  expect(measureLight(dull, light)?.correlation).toBeCloseTo(0);
});

test('finds a low correlation in a face that follows other colors', () => {
  const other = { ...light, colors: [...colors].reverse() };
  expect(measureLight(reflecting(150), other)?.correlation).toBeLessThan(0.5);
});

/** A face whose color changes more by its turns than by the page: of highlights on dark skin. */
function turning(seen: readonly LitFace[], knowsPose: boolean): LitFace[] {
  return seen.map(({ chroma: [red, blueLevel] }, i) => {
    const yaw = [0, 0, 0, 0, 15, 28, 28, 28, 28, 12, 0, 0, 0, 0, -14, -28, -28, -28, -28, -10, 0][
      i
    ] as number;
    const shine = 0.3 * Math.sin((Math.abs(yaw) * Math.PI) / 180);
    return { chroma: [red - shine, blueLevel + shine], pose: knowsPose ? { yaw, pitch: 0 } : still };
  });
}

test('follows the colors of the page on a face whose own color changes as it turns', () => {
  const faces = reflecting(150, 0.04);
  expect(measureLight(turning(faces, true), light)?.correlation).toBeGreaterThan(0.8);
  expect(measureLight(turning(faces, false), light)?.correlation).toBeLessThan(0.6);
});

test.each([
  ['few frames show a face', reflecting(150).map((face, i) => (i < 11 ? face : undefined))],
  ['few colors are left', reflecting(150).map((face, i) => (i < 12 ? face : undefined))],
])('measures nothing where %s', (_name, faces) => {
  expect(measureLight(faces, light)).toBeUndefined();
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
