import { type GuidanceContext, type GuidedFace, guide } from './guidance';

const context: GuidanceContext = { before: 'ok', frontal: true, neutral: { yaw: 0, pitch: 0 } };

interface Look {
  readonly size?: number;
  readonly x?: number;
  readonly brightness?: number;
  readonly yaw?: number;
}

/** As a camera shows somebody who sits well, but for what is said. */
const face = ({ size = 0.5, x = 0.5, brightness = 0.5, yaw = 0 }: Look = {}): GuidedFace => ({
  boundingBox: { left: x - size / 3, top: 0.5 - size / 2, width: (size * 2) / 3, height: size },
  quality: { brightness, sharpness: 0.5 },
  attributes: { pose: { yaw, pitch: 0, roll: 0 } },
});

const tells = (look: Look, more: Partial<GuidanceContext> = {}) =>
  guide([face(look)], { ...context, ...more }).guidance;

test('who is well placed hears nothing to change, and the pose goes with it', () => {
  expect(guide([face({ yaw: 5 })], context)).toEqual({ guidance: 'ok', pose: { yaw: 5, pitch: 0 } });
});

test('no face', () => {
  expect(guide([], context)).toEqual({ guidance: 'noFace' });
});

test('a second person near the camera, but not somebody far behind', () => {
  expect(guide([face(), face({ size: 0.3 })], context)).toEqual({ guidance: 'severalFaces' });
  expect(guide([face(), face({ size: 0.2 })], context).guidance).toBe('ok');
});

// Beyond the limit, and between the limit and where it is taken back.
test.each([
  ['tooFar', { size: 0.2 }, { size: 0.26 }],
  ['tooClose', { size: 0.95 }, { size: 0.88 }],
  ['offCentre', { x: 0.75 }, { x: 0.32 }],
  ['tooDark', { brightness: 0.1 }, { brightness: 0.13 }],
  ['tooBright', { brightness: 0.9 }, { brightness: 0.85 }],
  ['turned', { yaw: -20 }, { yaw: 12 }],
] as const)('%s', (guidance, beyond: Look, between: Look) => {
  expect(tells(beyond)).toBe(guidance);
  expect(tells(between)).toBe('ok');
  expect(tells(between, { before: guidance })).toBe(guidance);
  expect(tells({}, { before: guidance })).toBe('ok');
});

test('of several faults the first is told', () => {
  expect(tells({ size: 0.2, brightness: 0.05, yaw: 50 })).toBe('tooFar');
  expect(tells({ brightness: 0.05, yaw: 50 })).toBe('tooDark');
});

test('turned is from the neutral pose', () => {
  expect(tells({ yaw: 20 }, { neutral: { yaw: 15, pitch: 0 } })).toBe('ok');
});

test('while a turn is asked for, a head may turn, shift and take shade', () => {
  expect(tells({ yaw: 50, x: 0.8, brightness: 0.1 }, { frontal: false })).toBe('ok');
  expect(tells({ size: 0.2 }, { frontal: false })).toBe('tooFar');
});
