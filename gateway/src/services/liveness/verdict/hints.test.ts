import type { Evidence } from '../capture/evidence';
import { hintOf, hintOfUnfinished } from './hints';

test.each([
  ['severalFaces', 'oneFace'],
  ['tooDark', 'lighting'],
  ['tooBright', 'lighting'],
  ['noFace', 'movement'],
  ['ok', 'movement'],
] as const)('maps an incomplete attempt with guidance %s to %s', (guidance, hint) => {
  expect(hintOfUnfinished(guidance)).toBe(hint);
});

interface Shown {
  readonly faces?: number;
  readonly brightness?: number;
  readonly sharpness?: number;
}

const evidence = (shown: readonly Shown[], inOrder = true) =>
  ({
    signals: {
      frames: shown.map(({ faces = 1, brightness = 0.5, sharpness = 0.5 }) => ({
        ok: true,
        faceCount: faces,
        face: faces > 0 ? { quality: { brightness, sharpness } } : null,
      })),
      motion: { inOrder },
    },
  }) as unknown as Pick<Evidence, 'signals'>;

/** @param count of four frames */
const some = (count: number, shown: Shown) => [0, 1, 2, 3].map((i) => (i < count ? shown : {}));

test.each([
  ['a second face in half of the frames', some(2, { faces: 2 }), true, 'oneFace'],
  ['a passer-by', some(1, { faces: 2 }), true, 'retry'],
  ['dark', some(2, { brightness: 0.1 }), true, 'lighting'],
  ['bright', some(2, { brightness: 0.9 }), true, 'lighting'],
  ['blurred', some(2, { sharpness: 0.05 }), true, 'lighting'],
  ['missed turns', some(0, {}), false, 'movement'],
  ['no visible problem', some(0, {}), true, 'retry'],
  ['no face in any frame', some(4, { faces: 0 }), false, 'movement'],
] as const)('gives a hint for %s', (_name, shown, inOrder, hint) => {
  expect(hintOf(evidence(shown, inOrder))).toBe(hint);
});
