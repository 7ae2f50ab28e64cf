/** Groups of points of the face mesh. Left and right are the person's own. */
import type { Points } from '../image/geometry';

/** Corners of the eyes, outer first. */
export const eyeCorners = { right: [33, 133], left: [263, 362] } as const;

/**
 * Points that expression moves little and that lie near one plane: corners of the eyes, forehead, cheekbones, and the
 * sides of the nose's base.
 */
export const facePlane: readonly number[] = [
  33, 133, 362, 263, 151, 9, 108, 337, 69, 299, 117, 346, 50, 280, 205, 425,
];

/** The nose from its tip halfway up the bridge, the part furthest from that plane. */
export const noseRidge: readonly number[] = [1, 4, 5, 45, 275];

const coordinate = (points: Points, i: number) => points[i] as number;

/** Mean of some points. */
export function centerOf(points: Points, indices: readonly number[]): readonly [x: number, y: number] {
  let x = 0;
  let y = 0;
  for (const i of indices) {
    x += coordinate(points, 2 * i) / indices.length;
    y += coordinate(points, 2 * i + 1) / indices.length;
  }
  return [x, y];
}

/** Distance between the middles of the eyes, in pixels. It shrinks as the head turns. */
export function interOcularDistance(points: Points): number {
  const [x0, y0] = centerOf(points, eyeCorners.right);
  const [x1, y1] = centerOf(points, eyeCorners.left);
  return Math.hypot(x1 - x0, y1 - y0);
}
