import { viewOf } from '../../../test/synthetic-head';
import { measureForeshortening } from './foreshortening';

/** Sightings at true angles, with a pose that believes in a part of them. */
const track = (shape: 'head' | 'plane', turns: readonly number[], believed = 1) =>
  turns.map((yaw, i) => {
    const view = viewOf(shape, { yaw, distance: 600, timeMs: 200 * i });
    return { ...view, pose: { ...view.pose, yaw: believed * yaw } };
  });

test('a head narrows with its turn', () => {
  const measured = measureForeshortening(track('head', [0, 2, 12, 25, 31, 35, -28, -33]));
  expect(measured?.frames).toBe(5);
  expect(measured?.ratio).toBeGreaterThan(0.95);
  expect(measured?.ratio).toBeLessThan(1.1);
});

test('a print is narrower than its apparent turn explains', () => {
  const measured = measureForeshortening(track('plane', [0, 3, 50, 52, 55, -50], 0.5));
  expect(measured?.frames).toBe(4);
  expect(measured?.ratio).toBeLessThan(0.8);
});

describe('straight frames that look up', () => {
  const raised = [0, 1, 2, 3, 4].map((i) =>
    viewOf('head', { yaw: i, pitch: 18, distance: 600, timeMs: 2000 + 200 * i }),
  );
  const level = track('head', [0, 30, 32]);

  test('do not count next to level ones', () => {
    expect(measureForeshortening([...level, ...raised])).toEqual(measureForeshortening(level));
  });

  test('count where no others exist', () => {
    const turned = level.slice(1);
    expect(measureForeshortening([...turned, ...raised])?.frames).toBe(turned.length);
  });
});

test('turning the image changes nothing', () => {
  const upright = track('head', [0, 30]);
  const turned = upright.map((view) => ({
    ...view,
    points: view.points.map((_, i) => (i % 2 ? 1 : -1) * (view.points[i ^ 1] as number)),
  }));
  expect(measureForeshortening(turned)?.ratio).toBeCloseTo(
    measureForeshortening(upright)?.ratio as number,
    4,
  );
});

test.each([
  ['no turned frame', [0, 3, 8, 20]],
  ['none that looks straight on', [25, 30]],
  ['no frame at all', []],
])('%s: nothing to measure', (_name, turns) => {
  expect(measureForeshortening(track('head', turns))).toBeUndefined();
});
