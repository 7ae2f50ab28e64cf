/**
 * How far the eyes are open, and blinks. Soukupova and Cech, "Real-time eye blink detection using facial landmarks",
 * 2016: the eye aspect ratio is the height of the eye over its width.
 */
import type { EyeOpenness } from '../../wire/frames';
import type { Points } from '../image/geometry';
import { distanceOf } from './landmarks';
import { median } from './median';

/** The paper's six points: outer corner, two of the upper lid, inner corner, two of the lower lid. */
const lids = { right: [33, 160, 158, 133, 153, 144], left: [263, 387, 385, 362, 380, 373] } as const;

export const eyeOpenness = (points: Points): EyeOpenness => ({
  left: aspectRatio(points, lids.left),
  right: aspectRatio(points, lids.right),
});

function aspectRatio(points: Points, [p1, p2, p3, p4, p5, p6]: (typeof lids)['left' | 'right']): number {
  return (distanceOf(points, p2, p6) + distanceOf(points, p3, p5)) / (2 * distanceOf(points, p1, p4));
}

/** Eyes are closed below this proportion of the person's own median, because the shape of open eyes varies. */
const closedShare = 0.7;

/**
 * Counts runs of frames with closed eyes between frames with open ones. A blink lasts 100 to 400 ms, so a low frame rate
 * misses some, and blinks may only support other signals.
 * @param openness mean eye aspect ratio of each frame, in the order of time.
 */
export function countBlinks(openness: readonly number[]): number {
  const limit = closedShare * (median(openness) ?? 0);
  const closed = openness.map((one) => one < limit);
  return closed.filter((now, i) => now && i > 0 && !closed[i - 1] && closed.indexOf(false, i) > 0).length;
}
