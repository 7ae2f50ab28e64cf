/** Closes eyes by moving the points of the upper lids to the lower ones. */
import type { Solid } from './solid';

/** Points of the upper lids and of the lower lids, from corner to corner. */
const lids = [
  [246, 7],
  [161, 163],
  [160, 144],
  [159, 145],
  [158, 153],
  [157, 154],
  [173, 155],
  [466, 249],
  [388, 390],
  [387, 373],
  [386, 374],
  [385, 380],
  [384, 381],
  [398, 382],
] as const;

/** @param share how far the eyes are closed, 0 to 1 */
export function blinking(head: Solid, share: number): Solid {
  if (share === 0) return head;
  const points = head.points.slice();
  for (const [upper, lower] of lids) {
    for (let axis = 0; axis < 3; axis++) {
      const from = points[3 * upper + axis] as number;
      points[3 * upper + axis] = from + share * ((points[3 * lower + axis] as number) - from);
    }
  }
  return { ...head, points };
}

const everyMs = 3100;
const lastsMs = 300;

/** How far the eyes of a person who sometimes blinks are closed at a time. */
export const blinkAt = (ms: number, seed: number): number => {
  const into = (ms + 977 * (seed % 16)) % everyMs;
  return into < lastsMs ? Math.sin((Math.PI * into) / lastsMs) : 0;
};
