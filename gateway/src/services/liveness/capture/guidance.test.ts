import { type GuidanceContext, type GuidedFace, guide } from './guidance';

const context: GuidanceContext = { before: 'ok', frontal: true, neutral: { yaw: 0, pitch: 0 } };

interface Look {
  readonly size?: number;
  readonly x?: number;
  readonly brightness?: number;
  readonly yaw?: number;
  readonly roll?: number;
}

/** A well-placed face with the given changes. */
const face = ({ size = 0.5, x = 0.5, brightness = 0.5, yaw = 0, roll = 0 }: Look = {}): GuidedFace => ({
  boundingBox: { left: x - size / 3, top: 0.5 - size / 2, width: (size * 2) / 3, height: size },
  quality: { brightness, sharpness: 0.5 },
  attributes: { pose: { yaw, pitch: 0, roll } },
});

const guidanceFor = (looks: Look, more: Partial<GuidanceContext> = {}) =>
  guide([face(looks)], { ...context, ...more }).guidance;

test('returns ok and the pose for a well-placed face', () => {
  expect(guide([face({ yaw: 5 })], context)).toEqual({ guidance: 'ok', pose: { yaw: 5, pitch: 0 } });
});

test('reports a missing face', () => {
  expect(guide([], context)).toEqual({ guidance: 'noFace' });
});

test('reports a second person near the camera, but not in the background', () => {
  expect(guide([face(), face({ size: 0.23 })], context)).toEqual({ guidance: 'severalFaces' });
  expect(guide([face(), face({ size: 0.22 })], context).guidance).toBe('ok');
});

test('asks a person who is too close to move back before it reports a second face', () => {
  const faces = [face({ size: 0.95 }), face({ size: 0.5 })];
  expect(guide(faces, context)).toEqual({ guidance: 'tooClose' });
  expect(guide(faces, { ...context, frontal: false })).toEqual({ guidance: 'severalFaces' });
});

test.each([-180, -90, 45, 90, 180])('makes no progress with a face that is tilted by %i degrees', (roll) => {
  expect(guide([face({ roll })], context)).toEqual({ guidance: 'turned' });
  expect(guide([face({ roll })], { ...context, frontal: false })).toEqual({ guidance: 'turned' });
  expect(guide([face({ roll, size: 0.2 })], context)).toEqual({ guidance: 'tooFar' });
});

// Over the limit, and within its slack.
test.each([
  ['tooFar', { size: 0.2 }, { size: 0.26 }],
  ['tooClose', { size: 0.85 }, { size: 0.78 }],
  ['offCentre', { x: 0.75 }, { x: 0.32 }],
  ['tooDark', { brightness: 0.04 }, { brightness: 0.055 }],
  ['tooBright', { brightness: 0.9 }, { brightness: 0.85 }],
  ['turned', { yaw: -20 }, { yaw: 12 }],
  ['turned', { roll: -35 }, { roll: 28 }],
] as const)('applies %s with hysteresis', (guidance, over: Look, between: Look) => {
  expect(guidanceFor(over)).toBe(guidance);
  expect(guidanceFor(between)).toBe('ok');
  expect(guidanceFor(between, { before: guidance })).toBe(guidance);
  expect(guidanceFor({}, { before: guidance })).toBe('ok');
});

test('reports the first of several problems', () => {
  expect(guidanceFor({ size: 0.2, brightness: 0.05, yaw: 50 })).toBe('tooFar');
  expect(guidanceFor({ brightness: 0.04, yaw: 50 })).toBe('tooDark');
});

test('measures turned from the neutral pose', () => {
  expect(guidanceFor({ yaw: 20 }, { neutral: { yaw: 15, pitch: 0 } })).toBe('ok');
});

test('ignores rotation, shift and shade during a turn', () => {
  expect(guidanceFor({ yaw: 50, x: 0.8, brightness: 0.1 }, { frontal: false })).toBe('ok');
  expect(guidanceFor({ size: 0.2 }, { frontal: false })).toBe('tooFar');
});
