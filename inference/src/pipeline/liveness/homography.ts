/**
 * Homographies: how the view of a plane changes when camera or plane moves. Hartley and Zisserman, "Multiple View
 * Geometry in Computer Vision", 2nd edition, chapter 4: the normalized direct linear transform.
 */
import type { Points } from '../image/geometry';

/** A map of the projective plane: nine values, row-major, the last one 1. */
export type Homography = Float64Array;

/** The image of the point (x, y). */
export function project(h: Homography, x: number, y: number): [number, number] {
  const w = at(h, 6) * x + at(h, 7) * y + at(h, 8);
  return [(at(h, 0) * x + at(h, 1) * y + at(h, 2)) / w, (at(h, 3) * x + at(h, 4) * y + at(h, 5)) / w];
}

/**
 * The homography that takes `from` closest to `to`, by least squares over normalized coordinates (algorithm 4.2; the
 * last value is 1, which is safe because normalizing puts the origin among the points).
 * @param indices of the points to use in both lists; at least four.
 * @returns undefined if there are too few points, or too many of them on one line.
 */
export function fitHomography(from: Points, to: Points, indices: readonly number[]): Homography | undefined {
  const source = normalizer(from, indices);
  const target = normalizer(to, indices);
  if (indices.length < 4 || !source || !target) return undefined;
  // Normal equations of two rows per point.
  const size = 8;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const i of indices) {
    const [x, y] = normalized(source, from, i);
    const [u, v] = normalized(target, to, i);
    addRow(matrix, [x, y, 1, 0, 0, 0, -u * x, -u * y], u);
    addRow(matrix, [0, 0, 0, x, y, 1, -v * x, -v * y], v);
  }
  const solution = solve(matrix);
  return solution && denormalized(Float64Array.of(...solution, 1), source, target);
}

const at = (values: ArrayLike<number>, i: number) => values[i] as number;

/** Center and scale that move points to the origin at a mean distance of the square root of two. */
interface Normalizer {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

function normalizer(points: Points, indices: readonly number[]): Normalizer | undefined {
  let x = 0;
  let y = 0;
  for (const i of indices) {
    x += at(points, 2 * i) / indices.length;
    y += at(points, 2 * i + 1) / indices.length;
  }
  let distance = 0;
  for (const i of indices) {
    distance += Math.hypot(at(points, 2 * i) - x, at(points, 2 * i + 1) - y) / indices.length;
  }
  return distance > 0 ? { x, y, scale: Math.SQRT2 / distance } : undefined;
}

const normalized = ({ x, y, scale }: Normalizer, points: Points, i: number) =>
  [(at(points, 2 * i) - x) * scale, (at(points, 2 * i + 1) - y) * scale] as const;

function addRow(matrix: readonly Float64Array[], row: readonly number[], value: number): void {
  const extended = [...row, value];
  row.forEach((factor, r) => {
    const into = matrix[r] as Float64Array;
    extended.forEach((term, c) => {
      into[c] = at(into, c) + factor * term;
    });
  });
}

/** Gaussian elimination with partial pivoting of an augmented square matrix. */
function solve(matrix: readonly Float64Array[]): Float64Array | undefined {
  const rows = [...matrix];
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let r = column + 1; r < size; r++) {
      if (Math.abs(at(rows[r] as Float64Array, column)) > Math.abs(at(rows[best] as Float64Array, column))) {
        best = r;
      }
    }
    const pivot = rows[best] as Float64Array;
    // Entries are sums over points of products near one.
    if (Math.abs(at(pivot, column)) < 1e-9) return undefined;
    rows[best] = rows[column] as Float64Array;
    rows[column] = pivot;
    for (let r = 0; r < size; r++) {
      if (r === column) continue;
      const row = rows[r] as Float64Array;
      const factor = at(row, column) / at(pivot, column);
      for (let c = column; c <= size; c++) row[c] = at(row, c) - factor * at(pivot, c);
    }
  }
  return Float64Array.from(rows, (row, i) => at(row, size) / at(row, i));
}

/** The homography between the original coordinates: target^-1 * h * source. */
function denormalized(h: Homography, source: Normalizer, target: Normalizer): Homography | undefined {
  const { x, y, scale } = source;
  const s = [scale, 0, -scale * x, 0, scale, -scale * y, 0, 0, 1];
  const t = [1 / target.scale, 0, target.x, 0, 1 / target.scale, target.y, 0, 0, 1];
  const whole = multiply(t, multiply(h, s));
  const last = at(whole, 8);
  return Math.abs(last) > 1e-12 ? whole.map((value) => value / last) : undefined;
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) => {
    const row = 3 * Math.floor(i / 3);
    const column = i % 3;
    return (
      at(a, row) * at(b, column) + at(a, row + 1) * at(b, column + 3) + at(a, row + 2) * at(b, column + 6)
    );
  });
}
