import { seeded, viewOf } from '../../../test/synthetic-head';
import type { Challenge } from '../../wire/frames';
import { measureMotion } from './motion';

/** Sightings every 100 ms from a yaw and a pitch for each time. */
function track(lengthMs: number, yaw: (ms: number) => number, pitch: (ms: number) => number = () => 0) {
  return Array.from({ length: lengthMs / 100 + 1 }, (_, i) =>
    viewOf('head', { yaw: yaw(100 * i), pitch: pitch(100 * i), timeMs: 100 * i }),
  );
}
/** From 0 at one time up to an angle at another, and back as fast. */
const bump = (peak: number, fromMs: number, atMs: number) => (ms: number) =>
  peak * Math.max(0, 1 - Math.abs(ms - atMs) / (atMs - fromMs));
const left: Challenge = { kind: 'left', fromMs: 500, toMs: 2500 };
const right: Challenge = { kind: 'right', fromMs: 2500, toMs: 4500 };
const respond = (sightings: ReturnType<typeof track>, challenge: Challenge) =>
  measureMotion(sightings, [challenge]).challenges[0];

test('times turns between frames', () => {
  const yaw = (ms: number) => bump(30, 800, 1400)(ms) - bump(28, 2950, 3510)(ms);
  const motion = measureMotion(track(4500, yaw), [left, right]);
  expect(motion.inOrder).toBe(true);
  const [first, second] = motion.challenges;
  expect(first).toMatchObject({ kind: 'left', reached: true, frames: 21, startDegrees: 0 });
  expect(first?.peakDegrees).toBeCloseTo(30);
  // 25 of 30 degrees at 50 degrees a second, begun at 800 ms.
  expect(first?.reachedAtMs).toBeCloseTo(1300);
  expect(first?.latencyMs).toBeCloseTo(800);
  expect(first?.monotony).toBeCloseTo(1);
  expect(first?.oppositeDegrees).toBeCloseTo(0);
  expect(second).toMatchObject({ kind: 'right', reached: true });
  expect(second?.latencyMs).toBeCloseTo(2950 + 500 - 2500, -1);
});

test.each([
  ['left', (ms: number) => bump(30, 800, 1400)(ms), () => 0],
  ['right', (ms: number) => -bump(30, 800, 1400)(ms), () => 0],
  ['up', () => 0, (ms: number) => bump(30, 800, 1400)(ms)],
  ['down', () => 0, (ms: number) => -bump(30, 800, 1400)(ms)],
] as const)('%s meets its own challenge and no other', (kind, yaw, pitch) => {
  for (const asked of ['left', 'right', 'up', 'down'] as const) {
    expect(respond(track(2500, yaw, pitch), { ...left, kind: asked })?.reached).toBe(asked === kind);
  }
});

test('a turn in the wrong direction is not in order and counts as opposite', () => {
  const yaw = (ms: number) => bump(28, 2950, 3510)(ms) - bump(30, 800, 1400)(ms);
  const motion = measureMotion(track(4500, yaw), [left, right]);
  expect(motion.inOrder).toBe(false);
  expect(motion.challenges[0]).toMatchObject({ reached: false, reachedAtMs: null, latencyMs: null });
  expect(motion.challenges[0]?.oppositeDegrees).toBeCloseTo(30);
});

test('two challenges within one span must be met in order', () => {
  const yaw = (ms: number) => bump(30, 800, 1400)(ms) - bump(30, 2950, 3510)(ms);
  const both = [left, right].map((one) => ({ ...one, fromMs: 0, toMs: 4500 }));
  expect(measureMotion(track(4500, yaw), both).inOrder).toBe(true);
  expect(measureMotion(track(4500, yaw), both.reverse()).inOrder).toBe(false);
});

test('a head that is already turned does not meet the challenge', () => {
  const early = respond(
    track(2500, (ms) => (ms >= 400 ? 30 : 0)),
    left,
  );
  expect(early).toMatchObject({ reached: false, startDegrees: 30, peakDegrees: 30, monotony: 0 });
});

test('a small or late turn does not meet the challenge', () => {
  expect(respond(track(2500, bump(23, 800, 1400)), left)?.reached).toBe(false);
  expect(respond(track(4500, bump(30, 2600, 3200)), left)?.reached).toBe(false);
});

test('shaking is less monotonous than a steady turn', () => {
  const random = seeded(5);
  const shaken = respond(
    track(2500, (ms) => bump(30, 600, 2400)(ms) + 30 * (random() - 0.5)),
    left,
  );
  const noisy = respond(
    track(2500, (ms) => bump(30, 800, 1600)(ms) + 1 * (random() - 0.5)),
    left,
  );
  expect(shaken?.monotony).toBeLessThan(0.4);
  expect(noisy?.monotony).toBeGreaterThan(0.8);
});

test('measures angles from the pose before the first challenge', () => {
  const up = { ...left, kind: 'up' } as const;
  expect(
    respond(
      track(
        2500,
        () => 0,
        () => 15,
      ),
      up,
    ),
  ).toMatchObject({ reached: false, peakDegrees: 0 });
  const nod = (ms: number) => 15 + bump(14, 800, 1400)(ms);
  expect(
    respond(
      track(2500, () => 0, nod),
      up,
    )?.reached,
  ).toBe(true);
});

test('lists stray turns, but not the way back from a turn or a slight nod', () => {
  const before = (ms: number) => (ms < 300 ? -32 : -32 * Math.max(0, 1 - (ms - 300) / 500));
  const nod = (degrees: number) => bump(degrees, 1000, 1500);
  const strays = (yaw: (ms: number) => number, pitch: (ms: number) => number) =>
    respond(track(2500, yaw, pitch), left)?.strays;
  const turned = (ms: number) => before(ms) + bump(30, 1000, 1500)(ms);
  expect(strays(turned, () => 0)).toEqual([]);
  expect(strays(turned, nod(9))).toEqual([]);
  expect(strays(turned, nod(-20))).toEqual(['down']);
  expect(strays((ms) => bump(-30, 600, 1000)(ms) + bump(30, 1500, 2000)(ms), nod(20))).toEqual([
    'right',
    'up',
  ]);
});

test('no faces within the span meet no challenge, and no challenges are in order', () => {
  expect(respond([], left)).toEqual({
    kind: 'left',
    reached: false,
    reachedAtMs: null,
    latencyMs: null,
    frames: 0,
    startDegrees: null,
    peakDegrees: null,
    oppositeDegrees: null,
    monotony: null,
    strays: [],
  });
  expect(measureMotion([], [])).toEqual({ challenges: [], inOrder: true });
});
