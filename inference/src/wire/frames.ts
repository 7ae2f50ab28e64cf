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
  /** Position of the sharpest frontal frame; null if no frame shows a face. */
  readonly best: number | null;
  /** Null if the head never turns by 15 degrees. */
  readonly planarity: Planarity | null;
  /** Null if no frame is frontal, or none is turned to a side. */
  readonly foreshortening: Foreshortening | null;
  /** Null without a frame that is turned to a side. */
  readonly smear: Smear | null;
  readonly motion: Motion;
  /** Positions of frames that repeat the image before. */
  readonly duplicates: readonly number[];
  /** Trace of a screen, 0 to 1, median over the frames; null if no face is large enough. */
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
  /** Difference from the image before in levels of 0 to 255; null for the first, and if the size changed. */
  readonly change: number | null;
  /** Faces with at least a third of the largest face's height: those of the background do not count. */
  readonly faceCount: number;
  /** The largest face, or null: also if only a detector sees that face, such as a covered one. */
  readonly face: FrameFace | null;
}

export interface FrameFace {
  readonly confidence: number;
  readonly boundingBox: Box;
  readonly pose: Pose;
  readonly quality: Quality;
  /**
   * Texts, most of which the same image shares at their positions, also after it was encoded, scaled, shifted or brightened
   * anew. Absent if the head is not turned. Since version 1.7.
   */
  readonly fingerprint?: readonly string[];
  /** Whether it is the same person, calibrated, 0 to 1. A face that is turned away is less like a frontal one. */
  readonly similarity: {
    readonly toBest: number;
    /** Similarity to the last frame with a face; null for the first. */
    readonly toPrevious: number | null;
  };
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
  /**
   * Log-odds that the near side of the turned face is stretched from a photo taken from the front, less the limit: median
   * over frames.
   */
  readonly logOdds: number;
  /** Turned frames that were measured. */
  readonly frames: number;
}

export interface Motion {
  /** One per challenge, in their order. */
  readonly challenges: readonly ChallengeResponse[];
}

export interface ChallengeResponse {
  readonly kind: Challenge['kind'];
  /** Whether the head turned far enough within the span; a head that was already turned does not count. */
  readonly reached: boolean;
  /**
   * Milliseconds from the start of the span to the moment at which the head passed the angle, interpolated between two
   * frames; null if it did not.
   */
  readonly latencyMs: number | null;
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
 * The best frame's face against the largest of the reference. The similarity is null if either shows no face, or one that
 * only a detector sees.
 */
export type ReferenceResult =
  | { readonly ok: true; readonly faceCount: number; readonly similarity: number | null }
  | UnreadableImage;
