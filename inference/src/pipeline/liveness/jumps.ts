/** Jumps of a face from frame to frame that no neck makes. */
import { centerOf, eyeCorners, interOcularDistance } from './landmarks';
import type { Sighting, Track } from './track';

/** Turns of the head toward a target peak at 100 to 400 degrees per second. */
const maxTurnPerSecond = 400;
/** In inter-ocular distances: about 1.5 meters per second at 63 millimeters. A faster head is another head. */
const maxShiftPerSecond = 25;
/** Least time between two frames, because arrival times are uneven. */
const minStepMs = 33;

const eyes = [...eyeCorners.right, ...eyeCorners.left];

/** @returns places in the track of sightings that cannot follow from the one before */
export const findJumps = (track: Track): number[] =>
  track.flatMap((after, i) => {
    const before = track[i - 1];
    return before && isJump(before, after) ? [i] : [];
  });

function isJump(before: Sighting, after: Sighting): boolean {
  const seconds = Math.max(after.timeMs - before.timeMs, minStepMs) / 1000;
  const degrees = Math.hypot(after.pose.yaw - before.pose.yaw, after.pose.pitch - before.pose.pitch);
  const [x0, y0] = centerOf(before.points, eyes);
  const [x1, y1] = centerOf(after.points, eyes);
  const shift = Math.hypot(x1 - x0, y1 - y0) / interOcularDistance(before.points);
  return degrees / seconds > maxTurnPerSecond || shift / seconds > maxShiftPerSecond;
}
