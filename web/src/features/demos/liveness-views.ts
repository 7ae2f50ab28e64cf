/** The poses of the walk-through, and the way from one to the next. */

/** Degrees, as the drawings take them. */
export interface Turn {
  yaw: number;
  pitch: number;
}

const FRONT: Turn = { yaw: 0, pitch: 0 };

/** To the person's left is to the viewer's right. */
const TURNS: Readonly<Record<string, Turn>> = {
  left: { yaw: 34, pitch: 0 },
  right: { yaw: -34, pitch: 0 },
  up: { yaw: 0, pitch: 24 },
};

export const turnOf = (view: string): Turn => TURNS[view] ?? FRONT;

/** How long a head takes from one pose to the next, in milliseconds. */
export const TURN_MS = 700;

/** Between two poses: slow at both ends, as necks move. @param progress 0 to 1; what lies outside is cut */
export function between(from: Turn, to: Turn, progress: number): Turn {
  const t = Math.min(1, Math.max(0, progress));
  const eased = t * t * (3 - 2 * t);
  return {
    yaw: from.yaw + (to.yaw - from.yaw) * eased,
    pitch: from.pitch + (to.pitch - from.pitch) * eased,
  };
}
