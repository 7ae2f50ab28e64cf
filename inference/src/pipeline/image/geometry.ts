/** Points and maps between image, crop and chip coordinates. Pixel centers are whole numbers. */

/** An affine map of the plane: (x, y) -> (a x + b y + c, d x + e y + f). */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Alternating x and y: [x0, y0, x1, y1, ...]. */
export type Points = Float32Array;

export const mapX = (m: Affine, x: number, y: number) => m[0] * x + m[1] * y + m[2];
export const mapY = (m: Affine, x: number, y: number) => m[3] * x + m[4] * y + m[5];

export function mapPoints(m: Affine, points: Points): Points {
  const mapped = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] as number;
    const y = points[i + 1] as number;
    mapped[i] = mapX(m, x, y);
    mapped[i + 1] = mapY(m, x, y);
  }
  return mapped;
}

/** Scale factor of a map without shear. */
export const scaleOf = (m: Affine) => Math.hypot(m[0], m[3]);

/**
 * The map from a square crop of `size` pixels to the image.
 * @param crop its center and side in image pixels, and its rotation in radians (positive: clockwise as displayed).
 */
export function cropMap(crop: { x: number; y: number; side: number; angle: number }, size: number): Affine {
  const scale = crop.side / size;
  return turnedMap({ ...crop, cos: Math.cos(crop.angle) * scale, sin: Math.sin(crop.angle) * scale }, size);
}

/** The same for a crop whose scale is in the cosine and sine of its rotation. */
export function turnedMap(
  { x, y, cos, sin }: { x: number; y: number; cos: number; sin: number },
  size: number,
): Affine {
  const half = (size - 1) / 2;
  return [cos, -sin, x - (cos - sin) * half, sin, cos, y - (sin + cos) * half];
}

/**
 * The similarity (rotation, scale, shift) that takes `from` closest to `to` in least squares.
 * Umeyama, "Least-squares estimation of transformation parameters between two point patterns", 1991, in two
 * dimensions, where a rotation with scale is one complex factor.
 * @param indices of the points to use in both lists.
 */
export function fitSimilarity(from: Points, to: Points, indices: readonly number[]): Affine {
  let fromX = 0;
  let fromY = 0;
  let toX = 0;
  let toY = 0;
  for (const i of indices) {
    fromX += from[2 * i] as number;
    fromY += from[2 * i + 1] as number;
    toX += to[2 * i] as number;
    toY += to[2 * i + 1] as number;
  }
  const n = indices.length;
  fromX /= n;
  fromY /= n;
  toX /= n;
  toY /= n;
  let real = 0;
  let imaginary = 0;
  let spread = 0;
  for (const i of indices) {
    const x = (from[2 * i] as number) - fromX;
    const y = (from[2 * i + 1] as number) - fromY;
    const u = (to[2 * i] as number) - toX;
    const v = (to[2 * i + 1] as number) - toY;
    real += x * u + y * v;
    imaginary += x * v - y * u;
    spread += x * x + y * y;
  }
  const a = real / spread;
  const b = imaginary / spread;
  return [a, -b, toX - a * fromX + b * fromY, b, a, toY - b * fromX - a * fromY];
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Smallest upright rectangle around points. */
export function boundsOf(points: Points): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < points.length; i += 2) {
    bounds.left = Math.min(bounds.left, points[i] as number);
    bounds.right = Math.max(bounds.right, points[i] as number);
    bounds.top = Math.min(bounds.top, points[i + 1] as number);
    bounds.bottom = Math.max(bounds.bottom, points[i + 1] as number);
  }
  return bounds;
}
