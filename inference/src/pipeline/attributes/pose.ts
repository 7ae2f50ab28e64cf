/**
 * The pose of a head: the rotation that takes a mean head closest to the mesh, including depth, split into angles. Uses
 * only points that speech, blinks and frowns do not move.
 */
import type { Pose } from '../../wire/faces';
import type { Mesh } from '../faces/mesh';

type Vector = readonly [x: number, y: number, z: number];
type Matrix = readonly (readonly number[])[];

/**
 * The mean head. Each row: a mesh point of the person's right, its twin on the left (itself on the middle line), and
 * the twin's position: x to the viewer's right, y down, z away from the camera, in units of the points' spread.
 * Estimated from the meshes of 2,320 press portraits (Labeled Faces in the Wild) by generalized Procrustes analysis and
 * made symmetric. So yaw and roll 0 are those of a symmetric face, and pitch 0 is the mean of the portraits. Any other
 * scale of the depth than the mesh's own fits worse.
 */
const meanHead: readonly (readonly [right: number, left: number, ...place: Vector])[] = [
  [33, 263, 0.785, -0.098, 0.067],
  [133, 362, 0.304, -0.076, -0.026],
  [127, 356, 1.235, -0.019, 0.928],
  [234, 454, 1.224, 0.234, 1.009],
  [93, 323, 1.212, 0.491, 1.019],
  [116, 345, 1.11, 0.199, 0.288],
  [50, 280, 0.853, 0.469, -0.032],
  [193, 417, 0.132, -0.146, -0.247],
  [122, 351, 0.1, -0.003, -0.356],
  [174, 399, 0.17, 0.175, -0.382],
  [129, 358, 0.371, 0.542, -0.198],
  [98, 327, 0.306, 0.665, -0.263],
  [48, 278, 0.337, 0.554, -0.401],
  [21, 251, 1.153, -0.493, 0.528],
  [54, 284, 1.041, -0.688, 0.314],
  [103, 332, 0.867, -0.841, 0.092],
  [67, 297, 0.607, -0.942, -0.1],
  [162, 389, 1.214, -0.284, 0.751],
  [10, 10, 0, -0.997, -0.243],
  [151, 151, 0, -0.722, -0.306],
  [9, 9, 0, -0.425, -0.355],
  [8, 8, 0, -0.28, -0.332],
  [168, 168, 0, -0.162, -0.323],
  [6, 6, 0, -0.031, -0.399],
  [197, 197, 0, 0.094, -0.485],
  [195, 195, 0, 0.212, -0.578],
  [5, 5, 0, 0.338, -0.675],
  [4, 4, 0, 0.49, -0.717],
  [1, 1, 0, 0.605, -0.68],
  [2, 2, 0, 0.713, -0.407],
  [94, 94, 0, 0.685, -0.486],
];

/** Every point of the mean head, with its mesh index. */
const headPoints: readonly { readonly index: number; readonly place: Vector }[] = meanHead.flatMap(
  ([right, left, x, y, z]) => {
    const twin = { index: left, place: [x, y, z] as const };
    return right === left ? [twin] : [twin, { index: right, place: [-x, y, z] as const }];
  },
);

const degrees = 180 / Math.PI;

/**
 * Pose of a head from its mesh. Turning the image changes only roll; mirroring it changes the signs of yaw and roll. The rotation is Rz(roll) Ry(yaw) Rx(pitch) (Tait-Bryan angles).
 */
export function poseOf({ points, depth }: Pick<Mesh, 'points' | 'depth'>): Pose {
  const seen = headPoints.map(
    ({ index }): Vector => [
      points[2 * index] as number,
      points[2 * index + 1] as number,
      depth[index] as number,
    ],
  );
  const [[xx], [yx], [zx, zy, zz]] = rotationTo(seen);
  return {
    yaw: Math.atan2(zx, Math.hypot(xx, yx)) * degrees,
    pitch: Math.atan2(-zy, zz) * degrees,
    roll: Math.atan2(yx, xx) * degrees,
  };
}

/**
 * The rotation that takes the mean head closest to points in least squares, regardless of their position and scale: Horn,
 * "Closed-form solution of absolute orientation using unit quaternions", 1987.
 */
function rotationTo(seen: readonly Vector[]): readonly [Vector, Vector, Vector] {
  // The mean head is centered, so the points need not be.
  const sum = (from: number, to: number) =>
    headPoints.reduce(
      (total, { place }, i) =>
        total + ((place[from] as number) - (center[from] as number)) * ((seen[i] as Vector)[to] as number),
      0,
    );
  const [xx, xy, xz] = [sum(0, 0), sum(0, 1), sum(0, 2)];
  const [yx, yy, yz] = [sum(1, 0), sum(1, 1), sum(1, 2)];
  const [zx, zy, zz] = [sum(2, 0), sum(2, 1), sum(2, 2)];
  const outer = principal([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ]);
  // Products of the quaternion's parts w, x, y, z.
  const q = (row: number, column: number) => outer[row]?.[column] as number;
  return [
    [1 - 2 * (q(2, 2) + q(3, 3)), 2 * (q(1, 2) - q(0, 3)), 2 * (q(1, 3) + q(0, 2))],
    [2 * (q(1, 2) + q(0, 3)), 1 - 2 * (q(1, 1) + q(3, 3)), 2 * (q(2, 3) - q(0, 1))],
    [2 * (q(1, 3) - q(0, 2)), 2 * (q(2, 3) + q(0, 1)), 1 - 2 * (q(1, 1) + q(2, 2))],
  ];
}

const center = [0, 1, 2].map(
  (axis) => headPoints.reduce((total, { place }) => total + (place[axis] as number), 0) / headPoints.length,
);

/**
 * The outer product with itself of the unit eigenvector of a symmetric matrix's largest eigenvalue, to which normalized
 * powers of the matrix converge. Each squaring doubles the power.
 */
function principal(matrix: Matrix): Matrix {
  const bound = Math.max(...matrix.map((row) => row.reduce((total, value) => total + Math.abs(value), 0)));
  // Add a bound of all eigenvalues, so that the largest is also the largest in magnitude.
  let power: Matrix = matrix.map((row, i) => row.map((value, j) => value + (i === j ? bound : 0)));
  for (let squaring = 0; squaring < 8; squaring++) {
    const squared = power.map((row) =>
      row.map((_, j) => row.reduce((total, value, k) => total + value * (power[k]?.[j] as number), 0)),
    );
    const trace = squared.reduce((total, row, i) => total + (row[i] as number), 0);
    power = squared.map((row) => row.map((value) => value / trace));
  }
  return power;
}
