/**
 * Responses to challenges: whether each turn came, and when. A recording turns at the wrong time or in the wrong
 * direction.
 */
import type { Pose } from '../../wire/faces';
import type { Challenge, ChallengeResponse, Motion } from '../../wire/frames';
import { median } from './median';
import type { Track } from './track';

/** Directions as the person sees them. */
export const challengeKinds = ['left', 'right', 'up', 'down'] as const;

/**
 * Least angle of a turn, in degrees from the neutral pose. Necks nod less far than they turn. A flat print waved by 40
 * degrees seems to turn by 10 at most, one bent to a radius of 0.7 face widths by 20 in the median and 25 at most (30
 * portraits each).
 */
const reach = { left: 25, right: 25, up: 12, down: 12 } as const;

/**
 * Least angle and rise of a stray turn, in degrees. A turn to a side seems to nod by up to 8 degrees (8 rendered heads, 35
 * degrees to each side).
 */
const stray = {
  left: { reach: 25, rise: 15 },
  right: { reach: 25, rise: 15 },
  up: { reach: 15, rise: 10 },
  down: { reach: 15, rise: 10 },
} as const;

const angleOf: Readonly<Record<Challenge['kind'], (pose: Angles) => number>> = {
  left: ({ yaw }) => yaw,
  right: ({ yaw }) => -yaw,
  up: ({ pitch }) => pitch,
  down: ({ pitch }) => -pitch,
};

type Angles = Pick<Pose, 'yaw' | 'pitch'>;

export function measureMotion(track: Track, challenges: readonly Challenge[]): Motion {
  const neutral = neutralPose(track, challenges);
  return { challenges: challenges.map((challenge) => respond(track, challenge, neutral)) };
}

/** The pose before the first challenge, since a camera above or below the eyes shifts pitch. 0 without such frames. */
function neutralPose(track: Track, challenges: readonly Challenge[]): Angles {
  const begin = Math.min(...challenges.map(({ fromMs }) => fromMs));
  const before = track.filter(({ timeMs }) => timeMs <= begin).map(({ pose }) => pose);
  return {
    yaw: median(before.map(({ yaw }) => yaw)) ?? 0,
    pitch: median(before.map(({ pitch }) => pitch)) ?? 0,
  };
}

function respond(track: Track, { kind, fromMs, toMs }: Challenge, neutral: Angles): ChallengeResponse {
  const poses = track
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
    .map(({ timeMs, pose: { yaw, pitch } }) => ({
      timeMs,
      pose: { yaw: yaw - neutral.yaw, pitch: pitch - neutral.pitch },
    }));
  const seen = poses.map(({ timeMs, pose }) => ({ timeMs, degrees: angleOf[kind](pose) }));
  const strays = challengeKinds.filter(
    (other) =>
      other !== kind &&
      rises(
        poses.map(({ pose }) => angleOf[other](pose)),
        stray[other],
      ),
  );
  const reachedAtMs = crossing(seen, reach[kind]);
  return {
    kind,
    reached: reachedAtMs !== null,
    latencyMs: reachedAtMs === null ? null : reachedAtMs - fromMs,
    strays,
  };
}

/** When an angle first rises to a limit, linear between frames; null if it never does or starts above. */
function crossing(
  seen: readonly { readonly timeMs: number; readonly degrees: number }[],
  limit: number,
): number | null {
  for (const [i, after] of seen.entries()) {
    const before = seen[i - 1];
    if (!before || before.degrees >= limit || after.degrees < limit) continue;
    const share = (limit - before.degrees) / (after.degrees - before.degrees);
    return before.timeMs + share * (after.timeMs - before.timeMs);
  }
  return null;
}

/** Whether an angle gets to `reach` after a rise of `rise`. */
function rises(degrees: readonly number[], { reach: far, rise }: { reach: number; rise: number }): boolean {
  let least = Number.POSITIVE_INFINITY;
  return degrees.some((angle) => {
    least = Math.min(least, angle);
    return angle >= far && angle - least >= rise;
  });
}
