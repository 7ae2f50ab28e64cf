/**
 * Hints for users after a failed attempt. They describe only what anyone can see in the image, never what the verdict
 * measured, so that attackers learn nothing.
 */
import type { Evidence } from '../capture/evidence';
import type { Guidance } from '../capture/guidance';
import type { Hint } from '../session/session';

/** All other guidance asks for a movement. */
const hintsOfGuidance: Readonly<Partial<Record<Guidance, Hint>>> = {
  noFace: 'noFace',
  severalFaces: 'oneFace',
  tooFar: 'tooFar',
  tooDark: 'tooDark',
  tooBright: 'lighting',
};

/** The hint after an attempt with incomplete steps. @param last guidance */
export const hintOfUnfinished = (last: Guidance): Hint => hintsOfGuidance[last] ?? 'movement';

/** Share of the frames that must show a problem. */
const minShare = 1 / 4;
/** Selected frames in a row without a face: the detector loses heads for a frame or two during wide turns. */
const awayFrames = 5;
/** Limits of a face's mean luma and sharpness for good light. The lower one is that of the live guidance. */
const light = { min: 0.05, max: 0.82, minSharpness: 0.12 };
/** Least size of a face, as the live guidance measures and asks for it. */
const minSize = 0.25;

export function hintOf({ signals }: Pick<Evidence, 'signals'>): Hint {
  const seen = signals.frames.flatMap((frame) => (frame.ok ? [frame] : []));
  const often = (problem: (frame: (typeof seen)[number]) => boolean) =>
    seen.filter(problem).length > minShare * seen.length;
  const oftenOfFace = (problem: (face: Face) => boolean) =>
    often(({ face }) => face !== null && problem(face));
  if (often(({ faceCount }) => faceCount > 1)) return 'oneFace';
  if (often(({ face }) => face === null) || isAway(seen)) return 'noFace';
  if (oftenOfFace(({ boundingBox: { width, height } }) => Math.max(width, height) < minSize)) return 'tooFar';
  if (oftenOfFace(({ quality }) => quality.brightness < light.min)) return 'tooDark';
  if (oftenOfFace(isBadlyLit)) return 'lighting';
  return signals.motion.challenges.every(({ reached }) => reached) ? 'retry' : 'movement';
}

/** Whether the face left for a while. @param seen frames in their order */
function isAway(seen: readonly { readonly face: Face | null }[]): boolean {
  let run = 0;
  return seen.some(({ face }) => {
    run = face === null ? run + 1 : 0;
    return run >= awayFrames;
  });
}

type Face = NonNullable<Extract<Evidence['signals']['frames'][number], { ok: true }>['face']>;

const isBadlyLit = ({ quality: { brightness, sharpness } }: Face) =>
  brightness > light.max || sharpness < light.minSharpness;
