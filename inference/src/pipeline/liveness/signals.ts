/** What a set of frames is asked and answered: the input and the signals of the operation `frames`. */

import type { Pose } from '../attributes/pose';
import type { Quality } from '../faces/quality';
import type { Box } from '../image/boxes';
import type { EyeOpenness } from './eyes';
import type { Foreshortening } from './foreshortening';
import type { landmarkGroups } from './landmarks';
import type { Challenge, Motion } from './motion';
import type { PassiveScores } from './passive';
import type { Planarity } from './planarity';
import type { Steadiness } from './steadiness';

export interface FramesItem {
  /** 2 to 64, in the order in which they were taken. */
  readonly frames: readonly Frame[];
  /** Head turns that were asked for, in their order. */
  readonly challenges: readonly Challenge[];
  /** An encoded image of the person whom the frames should show. */
  readonly reference?: Uint8Array | undefined;
}

export interface Frame {
  /** An encoded image. */
  readonly image: Uint8Array;
  /** When it was taken or arrived, in milliseconds; never less than that of the frame before. */
  readonly timeMs: number;
}

/** Positions count all frames, from 0. */
export interface FrameSignals {
  readonly frames: readonly FrameResult[];
  /** Position of the sharpest frontal frame; null where no frame shows a face. */
  readonly best: number | null;
  /** Null where the head never turns by 15 degrees. */
  readonly planarity: Planarity | null;
  /** Null where no frame looks straight on, or none is turned to a side. */
  readonly foreshortening: Foreshortening | null;
  readonly motion: Motion;
  readonly steadiness: Steadiness;
  /** Positions of frames that repeat the picture before. */
  readonly duplicates: readonly number[];
  /** Counted while the face looks into the camera. */
  readonly blinks: number;
  /** Trace of a screen, 0 to 1, median over the frames; null where no face is large enough. */
  readonly screen: number | null;
  /** Null where no reference was given. */
  readonly reference: ReferenceResult | null;
}

/** A frame that is no picture is told like one without a face: the others count all the same. */
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
  /** Difference from the picture before in levels of 0 to 255; null for the first, and where the size changed. */
  readonly change: number | null;
  /** Near faces: those far behind the largest may go uncounted. */
  readonly faceCount: number;
  /** The largest; null without any. */
  readonly face: FrameFace | null;
}

export interface FrameFace {
  readonly confidence: number;
  /** Proportions of the upright picture, 0 to 1. */
  readonly boundingBox: Box;
  /** x and y as proportions of the upright picture; a turned face may reach beyond it. */
  readonly landmarks: Readonly<Record<keyof typeof landmarkGroups, readonly [x: number, y: number]>>;
  readonly pose: Pose;
  readonly eyes: EyeOpenness;
  readonly quality: Quality;
  readonly passive: PassiveScores;
  /** Trace of a screen, 0 to 1; null where the face is too small to tell. */
  readonly screen: number | null;
  /** Whether it is the same person, calibrated, 0 to 1. A face that is turned away is less like a frontal one. */
  readonly similarity: {
    readonly toBest: number;
    /** To the last frame with a face; null for the first. */
    readonly toPrevious: number | null;
  };
}

/** The best frame's face against the largest of the reference; similarity is null where either shows none. */
export type ReferenceResult =
  | { readonly ok: true; readonly faceCount: number; readonly similarity: number | null }
  | UnreadableImage;
