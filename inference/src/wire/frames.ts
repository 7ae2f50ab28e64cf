/** The liveness signals of an ordered set of frames. Positions count all frames, from 0. */
import type { Box, Pose, Quality } from './faces';

/** A requested head turn; directions are from the person's point of view. */
export interface Challenge {
  readonly kind: 'left' | 'right' | 'up' | 'down';
  /** When the turn was requested, in milliseconds on the clock of the frames. */
  readonly fromMs: number;
  /** Later than `fromMs`. */
  readonly toMs: number;
}

/** The light challenge: colors that the page showed, and which of them each frame was taken under. */
export interface Light {
  /** Red, green and blue of each color in the order of display, 0 to 255; 2 to 64. */
  readonly colors: readonly Rgb[];
  /** One per frame. */
  readonly shown: readonly ShownColor[];
}

export type Rgb = readonly [red: number, green: number, blue: number];

export interface ShownColor {
  /** Position in `colors`. */
  readonly index: number;
  /** How long the page had shown it when the frame was taken, in milliseconds. */
  readonly sinceMs: number;
}

export interface FrameSignals {
  readonly frames: readonly FrameResult[];
  /** Position of the sharpest frontal frame; null where no frame shows a face. */
  readonly best: number | null;
  /** Null where the head never turns by 15 degrees. */
  readonly planarity: Planarity | null;
  /** Null where no frame is frontal, or none is turned to a side. */
  readonly foreshortening: Foreshortening | null;
  /** Null without a frame that is turned to a side. */
  readonly smear: Smear | null;
  readonly motion: Motion;
  /** Positions of frames whose face cannot follow from the one before. */
  readonly jumps: readonly number[];
  /** Positions of frames that repeat the image before. */
  readonly duplicates: readonly number[];
  /** Counted while the face is frontal. */
  readonly blinks: number;
  /** Trace of a screen, 0 to 1, median over the frames; null where no face is large enough. */
  readonly screen: number | null;
  /** Null without a light challenge, or with too few frames or colors to measure. */
  readonly light: LightResponse | null;
  /** Null without a reference. */
  readonly reference: ReferenceResult | null;
}

/** A frame that cannot be decoded is a result, like one without a face; the others still count. */
export type FrameResult = { readonly timeMs: number } & (SeenFrame | UnreadableImage);

export interface UnreadableImage {
  readonly ok: false;
  readonly code: 'INVALID_IMAGE';
  /** A reason of the error catalogue, and the numbers for its text. */
  readonly reason: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface SeenFrame {
  readonly ok: true;
  /** Difference from the image before in levels of 0 to 255; null for the first, and where the size changed. */
  readonly change: number | null;
  /** Faces with at least a third of the largest face's height: those of the background do not count. */
  readonly faceCount: number;
  /** The largest face, or null: also where only a detector sees that face, such as a covered one. */
  readonly face: FrameFace | null;
}

export interface FrameFace {
  readonly confidence: number;
  readonly boundingBox: Box;
  /** x and y as proportions of the upright image; those of a turned face may lie outside 0 to 1. */
  readonly landmarks: Readonly<
    Record<'leftEye' | 'rightEye' | 'noseTip' | 'mouthLeft' | 'mouthRight', readonly [x: number, y: number]>
  >;
  readonly pose: Pose;
  readonly eyes: EyeOpenness;
  readonly quality: Quality;
  readonly passive: PassiveScores;
  /** Trace of a screen, 0 to 1; null where the face is too small to measure. */
  readonly screen: number | null;
  /** Whether it is the same person, calibrated, 0 to 1. A face that is turned away is less like a frontal one. */
  readonly similarity: {
    readonly toBest: number;
    /** To the last frame with a face; null for the first. */
    readonly toPrevious: number | null;
  };
}

/** Eye aspect ratios, 0 closed. */
export interface EyeOpenness {
  readonly left: number;
  readonly right: number;
}

export interface PassiveScores {
  /** Probability of a real face, not a print or a screen, 0 to 1. */
  readonly antispoof: number;
  /** Probability of a live face, 0 to 1. */
  readonly liveness: number;
}

export interface Planarity {
  /**
   * How far the nose lies from where a flat face would have it, in inter-ocular distances: median over the pairs.
   * 1,438 pairs of portraits of one person from LFW that are turned by 15 degrees and more against each other gave 0.27
   * in the median and less than 0.15 in 1 %; portraits turned as flat prints by 15 to 40 degrees stayed below 0.13 in
   * 99 % of 2,123 pairs. A print that is bent around a cylinder has depth as well.
   */
  readonly parallax: number;
  /** Largest turn between two frames, in degrees. */
  readonly turnDegrees: number;
  /** Pairs of frames that were measured. */
  readonly pairs: number;
}

export interface Foreshortening {
  /**
   * Width of the eyes over the height of the upper face, against that of the frontal frames times the cosine of the
   * turn: median over turned frames. Near 1 for a head. 87 pairs of portraits of one person from LFW, turned to a side
   * by 25 degrees and more against each other and up or down by 8 at most, gave 1.03 in the median and less than 0.93 in
   * 1 %; prints that were bent or tilted until they seemed to turn by 18 degrees and more stayed below 0.95.
   */
  readonly ratio: number;
  /** Turned frames that were measured. */
  readonly frames: number;
}

export interface Smear {
  /** Log-odds that the near side of the turned face is stretched from a photo taken from the front: median over frames. */
  readonly logOdds: number;
  /** Turned frames that were measured. */
  readonly frames: number;
}

export interface Motion {
  /** One per challenge, in their order. */
  readonly challenges: readonly ChallengeResponse[];
  /** Whether every turn came, each after the one before. */
  readonly inOrder: boolean;
}

export interface ChallengeResponse {
  readonly kind: Challenge['kind'];
  /** Whether the head turned far enough within the span; a head that was already turned does not count. */
  readonly reached: boolean;
  /** When, between the first frame past the angle and the one before it; null where not reached. */
  readonly reachedAtMs: number | null;
  /** From the start of the span to that moment. */
  readonly latencyMs: number | null;
  /** Frames with a face within the span. All angles are null without any. */
  readonly frames: number;
  /** Angle in the requested direction at the first of them, in degrees from the neutral pose. */
  readonly startDegrees: number | null;
  /** Largest angle in the requested direction. */
  readonly peakDegrees: number | null;
  /** Largest angle in the opposite direction. */
  readonly oppositeDegrees: number | null;
  /** Distance from start to peak divided by the path taken: 1 for one steady turn, near 0 for shaking. */
  readonly monotony: number | null;
  /** Other turns within the span; a head on its way back from one makes none. */
  readonly strays: readonly Challenge['kind'][];
}

/** How the color of the face, compared with the background, follows the colors of the page. */
export interface LightResponse {
  /** Pearson correlation, -1 to 1, at the delay where it is largest. */
  readonly correlation: number;
  /** That delay, 0 to 500 ms: from the color on the page to the color in a frame. */
  readonly lagMs: number;
  /** Colors that the measured frames were taken under, each counted once. */
  readonly colors: number;
}

/**
 * The best frame's face against the largest of the reference. The similarity is null where either shows no face, or one that
 * only a detector sees.
 */
export type ReferenceResult =
  | { readonly ok: true; readonly faceCount: number; readonly similarity: number | null }
  | UnreadableImage;
