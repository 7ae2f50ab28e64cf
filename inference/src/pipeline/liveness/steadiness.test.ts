import { seeded, viewOf } from '../../../test/synthetic-head';
import { measureSteadiness } from './steadiness';

/** A head that turns and sways as people do, 15 frames a second. */
const swaying = (noise: number) => {
  const random = seeded(9);
  return Array.from({ length: 45 }, (_, i) =>
    viewOf('head', { yaw: 20 * Math.sin(i / 8), pitch: 3 * Math.cos(i / 5), noise, random, timeMs: 66 * i }),
  );
};

test('a head that turns slowly never jumps', () => {
  const { jumps, maxTurnPerSecond, maxShiftPerSecond } = measureSteadiness(swaying(0.5));
  expect(jumps).toEqual([]);
  // 20 degrees times an eighth of a radian a frame, 15 frames a second, and a little of the nod.
  expect(maxTurnPerSecond).toBeCloseTo(38, -1);
  expect(maxShiftPerSecond).toBeLessThan(5);
});

test('a cut to another image is a jump there and back', () => {
  const track = swaying(0.5).map((one, i) =>
    i === 20 ? viewOf('head', { yaw: one.pose.yaw - 35, timeMs: one.timeMs }) : one,
  );
  expect(measureSteadiness(track).jumps).toEqual([20, 21]);
});

test('a face that appears elsewhere jumps without turning', () => {
  const track = swaying(0).map((one, i) =>
    i < 30 ? one : { ...one, points: one.points.map((value) => value + 200) },
  );
  expect(measureSteadiness(track).jumps).toEqual([30]);
});

test('frames that arrive together are not a jump', () => {
  const track = swaying(0.5).map((one, i) => ({ ...one, timeMs: i % 2 ? one.timeMs - 65 : one.timeMs }));
  expect(measureSteadiness(track).jumps).toEqual([]);
});

test('jitter is that of the landmarks, and 0 for an image that only moves', () => {
  const still = (noise: number) => {
    const random = seeded(4);
    return Array.from({ length: 20 }, (_, i) => viewOf('head', { yaw: 3, noise, random, timeMs: 66 * i }));
  };
  // The difference of two noises in x and y, over eyes 90 pixels apart: 2 noise / 90, a tenth of it fitted away.
  expect(measureSteadiness(still(1)).jitter).toBeCloseTo(0.02, 2);
  expect(measureSteadiness(still(1)).jitter).toBeGreaterThan(
    1.7 * (measureSteadiness(still(0.5)).jitter as number),
  );
  const moved = still(0).map((one, i) => ({
    ...one,
    points: one.points.map((value) => value * (1 + i / 50) + i),
  }));
  expect(measureSteadiness(moved).jitter).toBeLessThan(1e-5);
});

test('a head that is never still has no jitter, and one sighting no speed', () => {
  const track = [0, 10, 20].map((yaw, i) => viewOf('head', { yaw, timeMs: 200 * i }));
  expect(measureSteadiness(track).jitter).toBeNull();
  expect(measureSteadiness(track.slice(0, 1))).toEqual({
    jumps: [],
    maxTurnPerSecond: null,
    maxShiftPerSecond: null,
    jitter: null,
  });
});
