import { viewOf } from '../../../test/synthetic-head';
import type { Challenge } from '../../wire/frames';
import { measureMotion } from './motion';

/** Sightings every 100 ms from a yaw and a pitch for each time. */
function track(lengthMs: number, yaw: (ms: number) => number, pitch: (ms: number) => number = () => 0) {
  return Array.from({ length: lengthMs / 100 + 1 }, (_, i) =>
    viewOf('head', { yaw: yaw(100 * i), pitch: pitch(100 * i), timeMs: 100 * i }),
  );
}
/** An angle that rises from 0 between two times and falls back as fast. */
const bump = (peak: number, fromMs: number, atMs: number) => (ms: number) =>
  peak * Math.max(0, 1 - Math.abs(ms - atMs) / (atMs - fromMs));
const left: Challenge = { kind: 'left', fromMs: 500, toMs: 2500 };
const right: Challenge = { kind: 'right', fromMs: 2500, toMs: 4500 };
const respond = (sightings: ReturnType<typeof track>, challenge: Challenge) =>
  measureMotion(sightings, [challenge]).challenges[0];

test('times turns between frames', () => {
  const yaw = (ms: number) => bump(30, 800, 1400)(ms) - bump(28, 2950, 3510)(ms);
  const motion = measureMotion(track(4500, yaw), [left, right]);
  const [first, second] = motion.challenges;
  expect(first).toMatchObject({ kind: 'left', reached: true });
  // 25 of 30 degrees at 50 degrees a second, begun at 800 ms.
  expect(first?.latencyMs).toBeCloseTo(800);
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

test('turns in the wrong order meet no challenge', () => {
  const yaw = (ms: number) => bump(28, 2950, 3510)(ms) - bump(30, 800, 1400)(ms);
  const missed = { reached: false, latencyMs: null };
  expect(measureMotion(track(4500, yaw), [left, right]).challenges).toMatchObject([missed, missed]);
});

test('a head that is already turned does not meet the challenge', () => {
  const early = respond(
    track(2500, (ms) => (ms >= 400 ? 30 : 0)),
    left,
  );
  expect(early?.reached).toBe(false);
});

test('a small or late turn does not meet the challenge', () => {
  expect(respond(track(2500, bump(23, 800, 1400)), left)?.reached).toBe(false);
  expect(respond(track(4500, bump(30, 2600, 3200)), left)?.reached).toBe(false);
});

test('measures angles from the pose before the first challenge', () => {
  const up = { ...left, kind: 'up' } as const;
  const raised = track(
    2500,
    () => 0,
    () => 15,
  );
  expect(respond(raised, up)?.reached).toBe(false);
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

test('no faces within the span meet no challenge', () => {
  expect(respond([], left)).toEqual({
    kind: 'left',
    reached: false,
    latencyMs: null,
    strays: [],
  });
  expect(measureMotion([], [])).toEqual({ challenges: [] });
});
