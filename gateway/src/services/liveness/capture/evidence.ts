/**
 * What a verdict is made from: the signals that the inference tier measured in the frames of one attempt, and what the
 * gateway knows of how these frames came. Times are whole milliseconds since the attempt began, on the clock of Redis,
 * as those of the signals are.
 */
import type { FramesReply } from '@presenza/inference/wire';

/** Directions as the person sees them; `centre` is to look straight on, which comes first. */
export const movements = ['centre', 'left', 'right', 'up', 'down'] as const;
export type Movement = (typeof movements)[number];

export interface Evidence {
  /** Of the frames that were kept, 2 to 64. `motion.challenges` are the steps after the first, in their order. */
  readonly signals: FramesReply;
  /** In their order, each done. */
  readonly steps: readonly StepRecord[];
  readonly frames: FrameBooks;
  readonly camera: CameraReport;
}

export interface StepRecord {
  readonly movement: Movement;
  /** When it was asked for: the first at 0, each other one when that before it was done. */
  readonly fromMs: number;
  /** When it was done, as the live guidance saw it. */
  readonly toMs: number;
}

/** The bookkeeping of one attempt's frames. */
export interface FrameBooks {
  /** Arrival of each accepted frame, kept or thinned out, never falling; at most 400. */
  readonly arrivalsMs: readonly number[];
  /** The kept ones: positions in `arrivalsMs`, in the order of `signals.frames`. */
  readonly kept: readonly number[];
  /** For each kept frame, the step that it was taken for: a position in `steps`. */
  readonly stepOf: readonly number[];
  /** Pixels of each kept frame as its JPEG header gives them. */
  readonly sizes: readonly FrameSize[];
  readonly refused: Readonly<Record<RefusedFrame, number>>;
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Why a frame was not taken, by its nonce: `repeated` was taken before, `stale` was overtaken by three later ones,
 * `foreign` was never given out in this attempt.
 */
export const refusedFrames = ['repeated', 'stale', 'foreign'] as const;
export type RefusedFrame = (typeof refusedFrames)[number];

/** What the page says of its camera. A browser cannot attest any of it: a risk signal, never proof. */
export interface CameraReport {
  /** At most 256 characters. */
  readonly label?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Frames a second. */
  readonly frameRate?: number | undefined;
}
