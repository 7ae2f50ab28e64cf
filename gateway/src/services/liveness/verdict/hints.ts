/**
 * Hints for users after a failed attempt. They describe only what anyone can see in the image, never what the verdict
 * measured, so that attackers learn nothing.
 */
import type { Evidence } from '../capture/evidence';
import type { Guidance } from '../capture/guidance';
import type { Hint } from '../session/session';

/** For an attempt with incomplete steps. @param last guidance */
export function hintOfUnfinished(last: Guidance): Hint {
  if (last === 'severalFaces') return 'oneFace';
  return last === 'tooDark' || last === 'tooBright' ? 'lighting' : 'movement';
}

/** Share of the frames that must show a problem. */
const minShare = 1 / 4;
/** Limits of a face's mean luma and sharpness for good light; the live guidance is slightly more tolerant. */
const light = { min: 0.18, max: 0.82, minSharpness: 0.12 };

export function hintOf({ signals }: Pick<Evidence, 'signals'>): Hint {
  const seen = signals.frames.flatMap((frame) => (frame.ok ? [frame] : []));
  const often = (problem: (frame: (typeof seen)[number]) => boolean) =>
    seen.filter(problem).length > minShare * seen.length;
  if (often(({ faceCount }) => faceCount > 1)) return 'oneFace';
  if (often(({ face }) => face !== null && isBadlyLit(face.quality))) return 'lighting';
  return signals.motion.inOrder ? 'retry' : 'movement';
}

const isBadlyLit = ({ brightness, sharpness }: { brightness: number; sharpness: number }) =>
  brightness < light.min || brightness > light.max || sharpness < light.minSharpness;
