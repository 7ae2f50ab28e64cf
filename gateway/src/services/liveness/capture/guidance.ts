/**
 * Live guidance for the user, from the faces that the inference tier detects in a frame. Each limit has hysteresis:
 * guidance starts over the limit and ends only below the limit minus its slack, so that it does not flicker.
 */
import type { LivenessGuidance } from '@presenza/contract/client/types.d.ts';
import type { DetectReply } from '@presenza/inference/wire';
import type { Angles } from './steps';

export type Guidance = LivenessGuidance;

export type GuidedFace = Pick<DetectReply['faces'][number], 'boundingBox' | 'quality' | 'attributes'>;

type Pose = NonNullable<NonNullable<GuidedFace['attributes']>['pose']>;

export interface Guided {
  readonly guidance: Guidance;
  /** Present if the frame shows one upright face, apart from the background. */
  readonly pose?: Angles;
}

export interface GuidanceContext {
  /** The guidance of the last frame. */
  readonly before: Guidance;
  /** Whether the user should look straight ahead now. */
  readonly frontal: boolean;
  readonly neutral: Angles;
}

interface FaceMeasurements {
  /** Larger of the face's width and height, as a share of the image. */
  readonly size: number;
  /** Larger of the horizontal and vertical distance between the face's and the image's center, as a share of the image. */
  readonly shift: number;
  /** Mean luma of the face, 0 to 1. */
  readonly brightness: number;
  /** Angle to the neutral pose, in degrees. */
  readonly turn: number;
  /** Tilt to either side, in degrees: 0 upright, 180 upside down. */
  readonly tilt: number;
}

/**
 * A face whose height is less than this share of the largest face's height belongs to the background. The inference tier
 * counts faces from a half on, so this guidance reports every face that would make the verdict refuse.
 */
const backgroundHeight = 0.45;

/**
 * Largest tilt in degrees. The verdict reads frames upright: of 240 portraits tilted by 30 degrees it found 239 with the
 * right tilt, at 45 degrees 187, and lying on a side hardly any. Upside down, strangers look alike.
 */
const maxTilt = 30;

/**
 * The checks are in order of priority: earlier problems cause the later ones. `frontalOnly` limits do not apply to turned
 * faces, which move and cast shadows.
 *
 * Size: below a quarter, a face in an image of 480 lines has fewer than 120 of them, too few to detect a screen; over four
 * fifths, a nod leaves the image. The mesh of a face that the image cuts off is too small: 60 portraits that just filled an
 * image measured 0.94 in the median, and those with margins of a tenth of the face 0.82. Brightness: it depends on the skin
 * tone, and rendered faces of the darkest tone in good light measure 0.11, so the limit lies where the detector begins to lose
 * faces of any tone: it found all of 84 rendered frames at 0.06, and 39 of 84 at 0.04. Turn: the tier counts faces within 15
 * degrees as frontal.
 */
const guidanceLimits: readonly {
  readonly guidance: Guidance;
  readonly frontalOnly: boolean;
  readonly excess: (face: FaceMeasurements) => number;
  readonly slack: number;
}[] = [
  { guidance: 'tooFar', frontalOnly: false, excess: ({ size }) => 0.25 - size, slack: 0.03 },
  { guidance: 'tooClose', frontalOnly: true, excess: ({ size }) => size - 0.8, slack: 0.04 },
  { guidance: 'offCentre', frontalOnly: true, excess: ({ shift }) => shift - 0.2, slack: 0.04 },
  { guidance: 'tooDark', frontalOnly: true, excess: ({ brightness }) => 0.05 - brightness, slack: 0.01 },
  { guidance: 'tooBright', frontalOnly: true, excess: ({ brightness }) => brightness - 0.88, slack: 0.04 },
  { guidance: 'turned', frontalOnly: false, excess: ({ tilt }) => tilt - maxTilt, slack: 5 },
  { guidance: 'turned', frontalOnly: true, excess: ({ turn }) => turn - 14, slack: 3 },
];

/** @param faces largest first, with their pose */
export function guide(faces: readonly GuidedFace[], { before, frontal, neutral }: GuidanceContext): Guided {
  const [face, second] = faces;
  const pose = face?.attributes?.pose;
  if (!face || !pose) return { guidance: 'noFace' };
  const measurements = measureFace(face, pose, neutral);
  const problem = guidanceLimits.find(
    ({ guidance, frontalOnly, excess, slack }) =>
      (frontal || !frontalOnly) && excess(measurements) > (guidance === before ? -slack : 0),
  );
  const guidance = problem?.guidance ?? 'ok';
  if (second && second.boundingBox.height > backgroundHeight * face.boundingBox.height) {
    // Parts of a face that the image cuts off may look like further faces.
    return { guidance: guidance === 'tooClose' ? guidance : 'severalFaces' };
  }
  if (measurements.tilt > maxTilt) return { guidance };
  return { guidance, pose: { yaw: pose.yaw, pitch: pose.pitch } };
}

function measureFace({ boundingBox, quality }: GuidedFace, pose: Pose, neutral: Angles): FaceMeasurements {
  const { left, top, width, height } = boundingBox;
  return {
    size: Math.max(width, height),
    shift: Math.max(Math.abs(left + width / 2 - 0.5), Math.abs(top + height / 2 - 0.5)),
    brightness: quality.brightness,
    turn: Math.hypot(pose.yaw - neutral.yaw, pose.pitch - neutral.pitch),
    tilt: Math.abs(pose.roll),
  };
}
