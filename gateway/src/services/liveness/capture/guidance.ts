/**
 * What to tell the person in front of the camera, from the faces that the inference tier finds in a frame. Each limit
 * comes as two: guidance begins beyond the first and ends only within the second, so that it does not flicker.
 */
import type { DetectReply } from '@presenza/inference/wire';
import type { Angles } from './steps';

export const guidances = [
  'ok',
  'noFace',
  'severalFaces',
  'tooFar',
  'tooClose',
  'offCentre',
  'tooDark',
  'tooBright',
  'turned',
] as const;
export type Guidance = (typeof guidances)[number];

export type GuidedFace = Pick<DetectReply['faces'][number], 'boundingBox' | 'quality' | 'attributes'>;

/** What a frame means for the person: for all but none and several faces, with the pose of the one. */
export interface Guided {
  readonly guidance: Guidance;
  readonly pose?: Angles;
}

export interface GuidanceContext {
  /** What was said last. */
  readonly before: Guidance;
  /** Whether the face should look straight on now. */
  readonly frontal: boolean;
  readonly neutral: Angles;
}

interface Measures {
  /** The face's share of the picture, in the direction in which it is larger. */
  readonly size: number;
  /** Distance of its middle from that of the picture, as a share of the picture, the larger of both directions. */
  readonly shift: number;
  /** Mean luma of the face, 0 to 1. */
  readonly brightness: number;
  /** Turn from the neutral pose in degrees. */
  readonly turn: number;
}

/** A face this much smaller than the largest, in height, is somebody in the background. */
const background = 0.5;

/**
 * In the order in which they are told: what comes first makes those after it worse. `frontalOnly`: a face that turns
 * moves and takes shade, so these hold it to nothing then.
 *
 * Size: below a quarter, a face in a picture of 480 lines has fewer than 120 of them, and screens cannot be told any
 * more; beyond nine tenths a nod leaves the picture. Brightness: dark skin in good light measures about 0.2, so the
 * limit lies where a picture holds too few levels to show a face, whatever its skin. Turn: the tier takes faces within
 * 15 degrees as frontal.
 */
const limits: readonly {
  readonly guidance: Guidance;
  readonly frontalOnly: boolean;
  readonly excess: (measures: Measures) => number;
  readonly slack: number;
}[] = [
  { guidance: 'tooFar', frontalOnly: false, excess: ({ size }) => 0.25 - size, slack: 0.03 },
  { guidance: 'tooClose', frontalOnly: true, excess: ({ size }) => size - 0.9, slack: 0.04 },
  { guidance: 'offCentre', frontalOnly: true, excess: ({ shift }) => shift - 0.2, slack: 0.04 },
  { guidance: 'tooDark', frontalOnly: true, excess: ({ brightness }) => 0.12 - brightness, slack: 0.03 },
  { guidance: 'tooBright', frontalOnly: true, excess: ({ brightness }) => brightness - 0.88, slack: 0.04 },
  { guidance: 'turned', frontalOnly: true, excess: ({ turn }) => turn - 14, slack: 3 },
];

/** @param faces largest first, with their pose */
export function guide(faces: readonly GuidedFace[], { before, frontal, neutral }: GuidanceContext): Guided {
  const [face, second] = faces;
  const pose = face?.attributes?.pose;
  if (!face || !pose) return { guidance: 'noFace' };
  if (second && second.boundingBox.height > background * face.boundingBox.height) {
    return { guidance: 'severalFaces' };
  }
  const measures = measure(face, { yaw: pose.yaw - neutral.yaw, pitch: pose.pitch - neutral.pitch });
  const beyond = limits.find(
    ({ guidance, frontalOnly, excess, slack }) =>
      (frontal || !frontalOnly) && excess(measures) > (guidance === before ? -slack : 0),
  );
  return { guidance: beyond?.guidance ?? 'ok', pose: { yaw: pose.yaw, pitch: pose.pitch } };
}

function measure({ boundingBox, quality }: GuidedFace, { yaw, pitch }: Angles): Measures {
  const { left, top, width, height } = boundingBox;
  return {
    size: Math.max(width, height),
    shift: Math.max(Math.abs(left + width / 2 - 0.5), Math.abs(top + height / 2 - 0.5)),
    brightness: quality.brightness,
    turn: Math.hypot(yaw, pitch),
  };
}
