import { seeded, viewOf } from '../../../test/synthetic-head';
import { findJumps } from './jumps';

/** A head that turns and sways as people do, 15 frames a second. */
const swaying = (noise: number) => {
  const random = seeded(9);
  return Array.from({ length: 45 }, (_, i) =>
    viewOf('head', { yaw: 20 * Math.sin(i / 8), pitch: 3 * Math.cos(i / 5), noise, random, timeMs: 66 * i }),
  );
};

test('a head that turns slowly never jumps', () => {
  expect(findJumps(swaying(0.5))).toEqual([]);
});

test('a cut to another image is a jump there and back', () => {
  const track = swaying(0.5).map((one, i) =>
    i === 20 ? viewOf('head', { yaw: one.pose.yaw - 35, timeMs: one.timeMs }) : one,
  );
  expect(findJumps(track)).toEqual([20, 21]);
});

test('a face that appears elsewhere jumps without turning', () => {
  const track = swaying(0).map((one, i) =>
    i < 30 ? one : { ...one, points: one.points.map((value) => value + 200) },
  );
  expect(findJumps(track)).toEqual([30]);
});

test('frames that arrive together are not a jump', () => {
  const track = swaying(0.5).map((one, i) => ({ ...one, timeMs: i % 2 ? one.timeMs - 65 : one.timeMs }));
  expect(findJumps(track)).toEqual([]);
});

test('one sighting is not a jump', () => {
  expect(findJumps(swaying(0.5).slice(0, 1))).toEqual([]);
});
