/**
 * What a person is told to change after an attempt that was not passed. It speaks of what everyone can see in the
 * picture, never of what the verdict weighed: an attacker learns nothing from it.
 */
import type { Evidence } from '../capture/evidence';
import type { Guidance } from '../capture/guidance';

export type Hint = 'lighting' | 'movement' | 'oneFace' | 'retry';

/** Of an attempt that ended before all steps were done. @param last what the person was told last */
export function hintOfUnfinished(last: Guidance): Hint {
  if (last === 'severalFaces') return 'oneFace';
  return last === 'tooDark' || last === 'tooBright' ? 'lighting' : 'movement';
}

/** Part of the frames in which there has to be a fault for it to be told. */
const part = 1 / 4;
/** Mean luma of a face, and its fine detail, beyond which light is bad; live guidance lets a little more pass. */
const light = { min: 0.18, max: 0.82, minSharpness: 0.12 };

export function hintOf({ signals }: Pick<Evidence, 'signals'>): Hint {
  const seen = signals.frames.flatMap((frame) => (frame.ok ? [frame] : []));
  const often = (fault: (frame: (typeof seen)[number]) => boolean) =>
    seen.filter(fault).length > part * seen.length;
  if (often(({ faceCount }) => faceCount > 1)) return 'oneFace';
  if (often(({ face }) => face !== null && isBadlyLit(face.quality))) return 'lighting';
  return signals.motion.inOrder ? 'retry' : 'movement';
}

const isBadlyLit = ({ brightness, sharpness }: { brightness: number; sharpness: number }) =>
  brightness < light.min || brightness > light.max || sharpness < light.minSharpness;
