/** A head that needs no model of faces. */
import { triangulate } from './delaunay';
import { eyeCornerMm, eyeCorners } from './head';
import type { Solid } from './solid';

/** Half axes of an oval head around the eyes' height, and its nose, in millimeters. */
const oval = { x: 82, y: 115, z: 95, below: 22, noseHeight: 22, noseWidth: 13, noseBelow: 38 } as const;

/** The photo on an oval with a nose, the same for every victim: hair and ears included, and no model of the face needed. */
export function ovalHead({ points, uv, alpha, texture }: Solid): Solid {
  const [right, left] = eyeCorners;
  const at = (values: Float64Array, step: number, axis: number) =>
    ((values[step * right + axis] as number) + (values[step * left + axis] as number)) / 2;
  const pxPerMm =
    Math.hypot(
      (uv[2 * right] as number) - (uv[2 * left] as number),
      (uv[2 * right + 1] as number) - (uv[2 * left + 1] as number),
    ) / eyeCornerMm;
  const rings = 14;
  const spokes = 36;
  const places = [
    [0, 0] as const,
    ...Array.from({ length: rings * spokes }, (_, i) => {
      const radius = (1 + Math.floor(i / spokes)) / rings;
      const angle = (2 * Math.PI * ((i % spokes) + 0.5 * (Math.floor(i / spokes) % 2))) / spokes;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    }),
  ];
  const surface = places.map(([u, v]) => {
    const [x, y] = [oval.x * u, oval.y * v + oval.below];
    const nose = Math.exp(
      -((x / oval.noseWidth) ** 2) - ((y - oval.noseBelow) / (1.6 * oval.noseWidth)) ** 2,
    );
    return [x, y, oval.z * (1 - Math.sqrt(Math.max(0, 1 - u * u - v * v))) - oval.noseHeight * nose] as const;
  });
  return {
    points: Float64Array.from(
      surface.flatMap(([x, y, z]) => [x + at(points, 3, 0), y + at(points, 3, 1), z + at(points, 3, 2)]),
    ),
    uv: Float64Array.from(
      surface.flatMap(([x, y]) => [at(uv, 2, 0) + pxPerMm * x, at(uv, 2, 1) + pxPerMm * y]),
    ),
    alpha: Float64Array.from(places, ([u, v]) => (Math.hypot(u, v) > 0.99 ? 0 : (alpha[0] as number))),
    triangles: triangulate(places.flat()),
    texture,
  };
}
