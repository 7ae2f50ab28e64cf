/** Delaunay triangulation by Bowyer and Watson, 1981. Quadratic, for a few hundred points. */

type Triangle = readonly [a: number, b: number, c: number];

/**
 * @param points alternating x and y of distinct points.
 * @returns the positions of the corners, three for each triangle.
 */
export function triangulate(points: ArrayLike<number>): Int32Array {
  const count = points.length / 2;
  const bound = 1e4 * Math.max(...Array.from(points, Math.abs));
  const corners = [0, -bound, bound, bound, -bound, bound];
  const x = (i: number) => (i < count ? points[2 * i] : corners[2 * (i - count)]) as number;
  const y = (i: number) => (i < count ? points[2 * i + 1] : corners[2 * (i - count) + 1]) as number;
  let triangles = [withCircle([count, count + 1, count + 2], x, y)];
  for (let i = 0; i < count; i++) {
    const [px, py] = [x(i), y(i)];
    const hit = triangles.filter(
      (triangle) => (triangle.x - px) ** 2 + (triangle.y - py) ** 2 < triangle.squared,
    );
    triangles = triangles.filter((triangle) => !hit.includes(triangle));
    for (const [a, b] of outline(hit)) triangles.push(withCircle([a, b, i], x, y));
  }
  return Int32Array.from(triangles.filter(({ at }) => Math.max(...at) < count).flatMap(({ at }) => at));
}

interface Circled {
  readonly at: Triangle;
  readonly x: number;
  readonly y: number;
  readonly squared: number;
}

function withCircle(at: Triangle, x: (i: number) => number, y: (i: number) => number): Circled {
  const [a, b, c] = at;
  const [bx, by, cx, cy] = [x(b) - x(a), y(b) - y(a), x(c) - x(a), y(c) - y(a)];
  const d = 2 * (bx * cy - by * cx);
  const ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d;
  const uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
  return { at, x: x(a) + ux, y: y(a) + uy, squared: ux * ux + uy * uy };
}

/** Edges that belong to one of the triangles only. */
function outline(triangles: readonly Circled[]): [number, number][] {
  const edges = new Map<string, [number, number]>();
  for (const { at } of triangles) {
    for (const [i, a] of at.entries()) {
      const b = at[(i + 1) % 3] as number;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!edges.delete(key)) edges.set(key, [a, b]);
    }
  }
  return [...edges.values()];
}
