import type { Evidence } from '../capture/evidence';
import { hintOf, hintOfUnfinished } from './hints';

test.each([
  ['severalFaces', 'oneFace'],
  ['tooDark', 'tooDark'],
  ['tooBright', 'lighting'],
  ['noFace', 'noFace'],
  ['tooFar', 'tooFar'],
  ['tooClose', 'movement'],
  ['turnFurther', 'movement'],
  ['ok', 'movement'],
] as const)('maps an incomplete attempt with guidance %s to %s', (guidance, hint) => {
  expect(hintOfUnfinished(guidance)).toBe(hint);
});

interface Shown {
  readonly faces?: number;
  readonly brightness?: number;
  readonly sharpness?: number;
  readonly size?: number;
}

const evidence = (shown: readonly Shown[], reached = true) =>
  ({
    signals: {
      frames: shown.map(({ faces = 1, brightness = 0.5, sharpness = 0.5, size = 0.4 }) => ({
        ok: true,
        faceCount: faces,
        face:
          faces > 0
            ? { quality: { brightness, sharpness }, boundingBox: { width: size / 2, height: size } }
            : null,
      })),
      motion: { challenges: [{ reached: true }, { reached }] },
    },
  }) as unknown as Pick<Evidence, 'signals'>;

/** @param count of four frames */
const some = (count: number, shown: Shown) => [0, 1, 2, 3].map((i) => (i < count ? shown : {}));

test.each([
  ['a second face in half of the frames', some(2, { faces: 2 }), true, 'oneFace'],
  ['a passer-by', some(1, { faces: 2 }), true, 'retry'],
  ['dark', some(2, { brightness: 0.04 }), true, 'tooDark'],
  ['dark skin', some(4, { brightness: 0.06 }), true, 'retry'],
  ['far', some(2, { size: 0.2 }), true, 'tooFar'],
  ['a face that left for a while', some(2, { faces: 0 }), false, 'noFace'],
  [
    'a face that left for a second of many',
    Array.from({ length: 40 }, (_, i) => (i >= 20 && i < 25 ? { faces: 0 } : {})),
    true,
    'noFace',
  ],
  ['a face that the detector lost once', some(1, { faces: 0 }), true, 'retry'],
  ['bright', some(2, { brightness: 0.9 }), true, 'lighting'],
  ['blurred', some(2, { sharpness: 0.05 }), true, 'lighting'],
  ['missed turns', some(0, {}), false, 'movement'],
  ['no visible problem', some(0, {}), true, 'retry'],
  ['no face in any frame', some(4, { faces: 0 }), false, 'noFace'],
] as const)('gives a hint for %s', (_name, shown, reached, hint) => {
  expect(hintOf(evidence(shown, reached))).toBe(hint);
});
