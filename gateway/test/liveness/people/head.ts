/**
 * A 3D head from one photograph: the face's mesh, turned to the front, with rings around it that bend back like hair and
 * ears and fade out. The photograph is the texture. One taken from the side shows cheek and ear of one half only, so the
 * head may use that half, mirrored, for the other.
 */
import { triangulate } from './delaunay';
import type { Fit } from './fits';
import type { Rgb } from './image';
import { rotation, type Solid } from './solid';

/** Points of the mesh around the face, from the forehead clockwise as displayed. */
export const outline: readonly number[] = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/** Outer corners of the eyes. */
export const eyeCorners = [33, 263] as const;
/** Between them, in an adult, in millimeters. */
export const eyeCornerMm = 90;
/** The joint of the neck lies behind and below the eyes. */
const joint = { y: 50, z: 90 };
/** The rings: width relative to the face, distance behind its edge in millimeters, opacity. */
const rings = [
  { factor: 1.12, back: 12, alpha: 1 },
  { factor: 1.25, back: 30, alpha: 1 },
  { factor: 1.42, back: 55, alpha: 0 },
] as const;

type Vector = readonly [x: number, y: number, z: number];

export function headFrom(texture: Rgb, { points, pose }: Fit, { mirrored = false } = {}): Solid {
  const r = rotation(pose);
  const unit = eyeCornerMm / length(minus(points[eyeCorners[0]] as Vector, points[eyeCorners[1]] as Vector));
  const origin = middle(eyeCorners.map((i) => points[i] as Vector));
  const back = (p: Vector): Vector => {
    const d = minus(p, origin).map((value) => value * unit) as unknown as Vector;
    // The inverse of a rotation is its transpose.
    return [0, 1, 2].map((k) =>
      r.reduce((sum, value, i) => sum + (i % 3 === k ? value * (d[Math.floor(i / 3)] as number) : 0), 0),
    ) as unknown as Vector;
  };
  const face = points.map((p) => back(p));
  const center = middle(outline.map((i) => face[i] as Vector));
  const around = rings.flatMap(({ factor, back: behind }) =>
    outline.map((i): Vector => {
      const [x, y, z] = face[i] as Vector;
      return [center[0] + (x - center[0]) * factor, center[1] + (y - center[1]) * factor, z + behind];
    }),
  );
  const all = [...face, ...around];
  // A head that is turned to its left shows its right half, which lies on the left.
  const isHidden = ([x]: Vector) => mirrored && (pose.yaw > 0 ? x > 0 : x < 0);
  const shown = ([x, y, z]: Vector): Vector => (isHidden([x, y, z]) ? [-x, y, z] : [x, y, z]);
  return {
    points: Float64Array.from(all.flatMap(([x, y, z]) => [x, y - joint.y, z - joint.z])),
    uv: Float64Array.from(all.flatMap((p) => inPhotograph(shown(p), { r, unit, origin }))),
    alpha: Float64Array.from([
      ...face.map(() => 1),
      ...rings.flatMap(({ alpha }) => outline.map(() => alpha)),
    ]),
    triangles: triangulate(all.flatMap((p) => [p[0], p[1]])),
    texture,
  };
}

/** The position of a point of the head in the photograph. */
function inPhotograph(
  [x, y, z]: Vector,
  { r, unit, origin }: { r: readonly number[]; unit: number; origin: Vector },
): [number, number] {
  const along = (row: number) =>
    ((r[3 * row] as number) * x + (r[3 * row + 1] as number) * y + (r[3 * row + 2] as number) * z) / unit;
  return [origin[0] + along(0), origin[1] + along(1)];
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const length = (v: Vector) => Math.hypot(...v);
const middle = (points: readonly Vector[]): Vector =>
  [0, 1, 2].map(
    (k) => points.reduce((sum, p) => sum + (p[k] as number), 0) / points.length,
  ) as unknown as Vector;
