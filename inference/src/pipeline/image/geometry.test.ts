import { type Affine, boundsOf, cropMap, fitSimilarity, mapPoints, mapX, mapY, scaleOf } from './geometry';

const points = Float32Array.of(0, 0, 10, 0, 10, 5, 3, 8, -4, 6);
const all = [0, 1, 2, 3, 4];

function expectClose(actual: Float32Array, expected: Float32Array) {
  for (const [i, value] of actual.entries()) expect(value).toBeCloseTo(expected[i] as number, 3);
}

test.each([
  [0, 1, 0, 0],
  [0.7, 2.5, 100, -40],
  [-2.9, 0.1, -3, 7],
])('a similarity of angle %f and scale %f is found again', (angle, scale, x, y) => {
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const moved = mapPoints([cos, -sin, x, sin, cos, y], points);
  const fitted = fitSimilarity(points, moved, all);
  expectClose(mapPoints(fitted, points), moved);
  expect(scaleOf(fitted)).toBeCloseTo(scale, 4);
});

test('the fit is optimal: no small change improves it', () => {
  const noisy = points.map((value, i) => 2 * value + Math.sin(7 * i));
  const best = fitSimilarity(points, noisy, all);
  const error = (m: Affine) =>
    mapPoints(m, points).reduce((sum, value, i) => sum + (value - (noisy[i] as number)) ** 2, 0);
  const [a, b, c, d, e, f] = best;
  for (const step of [-0.01, 0.01]) {
    expect(error([a + step, b, c, d, e + step, f])).toBeGreaterThan(error(best));
    expect(error([a, b - step, c, d + step, e, f])).toBeGreaterThan(error(best));
    expect(error([a, b, c + step, d, e, f])).toBeGreaterThan(error(best));
    expect(error([a, b, c, d, e, f + step])).toBeGreaterThan(error(best));
  }
});

test('only the chosen points count', () => {
  const moved = points.map((value) => value + 5);
  moved[8] = 1e6;
  expectClose(
    mapPoints(fitSimilarity(points, moved, [0, 1, 2, 3]), points).subarray(0, 8),
    moved.subarray(0, 8),
  );
});

test('a crop map moves the middle of the crop to its center and turns clockwise', () => {
  const map = cropMap({ x: 50, y: 20, side: 30, angle: Math.PI / 2 }, 11);
  expect([mapX(map, 5, 5), mapY(map, 5, 5)]).toEqual([50, 20]);
  // Right in the crop is down in the image.
  expect(mapX(map, 10, 5)).toBeCloseTo(50);
  expect(mapY(map, 10, 5)).toBeGreaterThan(20);
});

test('bounds', () => {
  expect(boundsOf(points)).toEqual({ left: -4, top: 0, right: 10, bottom: 8 });
});
