/** The poses of the walk-through and the transitions between them. */

/** Degrees, as in the drawings. */
export interface Turn {
  yaw: number;
  pitch: number;
}

const FRONT: Turn = { yaw: 0, pitch: 0 };

/** The person's left is the viewer's right. */
const TURNS: Readonly<Record<string, Turn>> = {
  left: { yaw: 34, pitch: 0 },
  right: { yaw: -34, pitch: 0 },
  up: { yaw: 0, pitch: 24 },
};

export const turnOf = (view: string): Turn => TURNS[view] ?? FRONT;

/** Duration of a turn in milliseconds. */
export const TURN_MS = 700;

/** A pose between two others, eased at both ends. @param progress clamped to 0 to 1 */
export function between(from: Turn, to: Turn, progress: number): Turn {
  const t = Math.min(1, Math.max(0, progress));
  const eased = t * t * (3 - 2 * t);
  return {
    yaw: from.yaw + (to.yaw - from.yaw) * eased,
    pitch: from.pitch + (to.pitch - from.pitch) * eased,
  };
}
