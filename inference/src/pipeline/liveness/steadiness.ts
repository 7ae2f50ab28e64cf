/** How a face moves from frame to frame: jumps that no neck makes, and the jitter of landmarks while it is still. */
import type { Steadiness } from '../../wire/frames';
import { type Affine, fitSimilarity, mapX, mapY, type Points } from '../image/geometry';
import { centerOf, eyeCorners, facePlane, interOcularDistance, noseRidge } from './landmarks';
import { median } from './median';
import type { Sighting, Track } from './track';

/** Turns of the head toward a target peak at 100 to 400 degrees per second. */
const maxTurnPerSecond = 400;
/** About 1.5 meters per second at 63 millimeters between the eyes; a faster head is another head. */
const maxShiftPerSecond = 25;
/** Least time between two frames, because arrival times are uneven. */
const minStepMs = 33;
/** A head is still if it turns less than this between two sightings within this time. */
const still = { degrees: 2, ms: 500 };

const rigid = [...facePlane, ...noseRidge];
const eyes = [...eyeCorners.right, ...eyeCorners.left];

export function measureSteadiness(track: Track): Steadiness {
  const steps = track.slice(1).map((after, i) => stepBetween(track[i] as Sighting, after));
  const jumps = steps.flatMap(({ turn, shift }, i) =>
    turn > maxTurnPerSecond || shift > maxShiftPerSecond ? [i + 1] : [],
  );
  const jitters = steps.flatMap(({ jitter }) => jitter ?? []);
  const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null);
  return {
    jumps,
    maxTurnPerSecond: most(steps.map(({ turn }) => turn)),
    maxShiftPerSecond: most(steps.map(({ shift }) => shift)),
    jitter: median(jitters) ?? null,
  };
}

function stepBetween(before: Sighting, after: Sighting) {
  const ms = after.timeMs - before.timeMs;
  const seconds = Math.max(ms, minStepMs) / 1000;
  const degrees = Math.hypot(after.pose.yaw - before.pose.yaw, after.pose.pitch - before.pose.pitch);
  const scale = interOcularDistance(before.points);
  const [x0, y0] = centerOf(before.points, eyes);
  const [x1, y1] = centerOf(after.points, eyes);
  const isStill = degrees < still.degrees && ms <= still.ms;
  return {
    turn: degrees / seconds,
    shift: Math.hypot(x1 - x0, y1 - y0) / scale / seconds,
    jitter: isStill ? residual(before.points, after.points) / scale : undefined,
  };
}

/** Root mean square distance in pixels that is left after the best shift, rotation and scale. */
function residual(from: Points, to: Points): number {
  const map: Affine = fitSimilarity(to, from, rigid);
  const squares = rigid.map((i) => {
    const [x, y] = [to[2 * i] as number, to[2 * i + 1] as number];
    return (
      (mapX(map, x, y) - (from[2 * i] as number)) ** 2 + (mapY(map, x, y) - (from[2 * i + 1] as number)) ** 2
    );
  });
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / rigid.length);
}
