import { triangulate } from './delaunay';
import { randomFrom } from './random';

const crossed = ([ax, ay]: number[], [bx, by]: number[], [cx, cy]: number[]) =>
  ((bx as number) - (ax as number)) * ((cy as number) - (ay as number)) -
  ((by as number) - (ay as number)) * ((cx as number) - (ax as number));

test('covers the convex hull of the points exactly once', () => {
  const { between } = randomFrom(2);
  const corners = [0, 0, 100, 0, 0, 100, 100, 100];
  const points = [...corners, ...Array.from({ length: 120 }, () => between(1, 99))];
  const triangles = triangulate(points);
  const place = (i: number) => [points[2 * i] as number, points[2 * i + 1] as number];
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [...triangles.slice(t, t + 3)].map(place) as [number[], number[], number[]];
    area += Math.abs(crossed(a, b, c)) / 2;
  }
  expect(area).toBeCloseTo(10_000);
  // Euler: 2 n - 2 - k triangles, where k of n points lie on the hull.
  expect(triangles.length / 3).toBe(2 * 64 - 2 - 4);
});
