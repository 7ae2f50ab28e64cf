import { type Shape, seeded, viewOf } from '../../../test/synthetic-head';
import { measurePlanarity, parallaxBetween } from './planarity';

/** A face that turns evenly from one side to the other in 21 frames. */
function turning(
  shape: Shape,
  { degrees, distance, noise, seed }: Record<'degrees' | 'distance' | 'noise' | 'seed', number>,
) {
  const random = seeded(seed);
  return Array.from({ length: 21 }, (_, i) =>
    viewOf(shape, { yaw: (degrees * (i - 10)) / 20, distance, noise, random, timeMs: 66 * i }),
  );
}

const distances = [250, 400, 800];
const seeds = [1, 2, 3, 4, 5];
const parallaxes = (shape: Shape, degrees: number, noise: number) =>
  distances.flatMap((distance) =>
    seeds.map(
      (seed) => measurePlanarity(turning(shape, { degrees, distance, noise, seed }))?.parallax as number,
    ),
  );

describe.each([15, 20, 25, 30, 40])('a turn of %i degrees', (degrees) => {
  test.each([0.5, 1])(
    'noise of %d pixels: every head is at least three times as deep as any plane',
    (noise) => {
      const heads = parallaxes('head', degrees, noise);
      const planes = parallaxes('plane', degrees, noise);
      expect(Math.min(...heads)).toBeGreaterThan(3 * Math.max(...planes));
      expect(Math.max(...planes)).toBeLessThan(0.04);
    },
  );
});

test('a nod measures as well as a turn', () => {
  const nod = (shape: Shape) => [-12, 12].map((pitch) => viewOf(shape, { yaw: 0, pitch }));
  expect(measurePlanarity(nod('head'))?.parallax).toBeGreaterThan(0.05);
  expect(measurePlanarity(nod('plane'))?.parallax).toBeLessThan(0.001);
});

test('without noise a plane has no parallax, in either order of the views', () => {
  const [a, b] = [viewOf('plane', { yaw: -20 }), viewOf('plane', { yaw: 25 })];
  expect(parallaxBetween(a.points, b.points)).toBeLessThan(1e-4);
  const [c, d] = [viewOf('head', { yaw: 0 }), viewOf('head', { yaw: 25 })];
  expect(parallaxBetween(c.points, d.points)).toBe(parallaxBetween(d.points, c.points));
});

test('measures only wide turns, and no view past 45 degrees', () => {
  const track = (...yaws: number[]) => yaws.map((yaw) => viewOf('head', { yaw }));
  expect(measurePlanarity([])).toBeUndefined();
  expect(measurePlanarity(track(0, 5, 14))).toBeUndefined();
  expect(measurePlanarity(track(0, 60))).toBeUndefined();
  expect(measurePlanarity(track(-10, 0, 20))).toMatchObject({ turnDegrees: 30, pairs: 2 });
  expect(measurePlanarity(track(...Array.from({ length: 64 }, (_, i) => i / 2)))?.pairs).toBe(9);
});

test('one bad mesh does not move the median', () => {
  const track = turning('plane', { degrees: 40, distance: 500, noise: 0.5, seed: 7 });
  const bad = viewOf('head', { yaw: 20.5, timeMs: 2000 });
  expect(measurePlanarity([...track, { ...bad, pose: { ...bad.pose, yaw: 5 } }])?.parallax).toBeLessThan(
    0.04,
  );
});
