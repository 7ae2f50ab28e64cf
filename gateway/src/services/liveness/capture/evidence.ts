/**
 * The evidence of one attempt: the signals that the inference tier measured in its frames, and the gateway's record of
 * their arrival. All times are whole milliseconds since the attempt began, on the clock of Redis.
 */
import type { FramesReply } from '@presenza/inference/wire';
import type { ClientFault } from './client-faults';

/** Directions from the user's point of view. `centre`, the first step, means to look straight ahead. */
export const movements = ['centre', 'left', 'right', 'up', 'down'] as const;
export type Movement = (typeof movements)[number];

export interface Evidence {
  /** Signals of the 2 to 64 selected frames. `motion.challenges` are the steps after the first, in order. */
  readonly signals: FramesReply;
  /** The steps in order, all complete. */
  readonly steps: readonly StepRecord[];
  readonly frames: FrameLog;
  readonly camera: CameraReport;
  readonly transport: Transport;
  /** Absent for evidence outside a session, such as that of a recording. */
  readonly reuse?: FrameReuse;
}

/** How many of the selected frames with a face an earlier session of the account has. */
export interface FrameReuse {
  /** Frames with the bytes of an earlier one. */
  readonly identical: number;
  /** Frames that look like an earlier one. */
  readonly alike: number;
}

/** How the calls of the attempt were made. */
export interface Transport {
  /** Whether each frame was signed with the key that the attempt began with. */
  readonly isSigned: boolean;
  /** Empty for a browser on an allowed page, and for an app. */
  readonly clientFaults: readonly ClientFault[];
}

export interface StepRecord {
  readonly movement: Movement;
  /** When the step began: 0 for the first, otherwise the end of the step before. */
  readonly fromMs: number;
  /** When the live guidance saw the step complete. */
  readonly toMs: number;
}

/** How the frames of one attempt arrived. */
export interface FrameLog {
  /** Arrival of each accepted frame, selected or not, in ascending order; at most 400. */
  readonly arrivalsMs: readonly number[];
  /** The selected frames: positions in `arrivalsMs`, in the order of `signals.frames`. */
  readonly kept: readonly number[];
  /** The step of each selected frame, as a position in `steps`. */
  readonly stepOf: readonly number[];
  /** Positions in `arrivalsMs` of the frames after the first step, selected or not, in which the guidance saw no face. */
  readonly faceless: readonly number[];
  readonly refused: Readonly<Record<RefusedFrame, number>>;
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Why a frame is refused: its nonce is `repeated` if it was used before, `stale` if three later frames overtook it, and
 * `foreign` if it was never issued for this attempt; its `signature` is absent, wrong or out of order.
 */
export const refusedFrames = ['repeated', 'stale', 'foreign', 'signature'] as const;
export type RefusedFrame = (typeof refusedFrames)[number];

/** The page's description of its camera. A browser cannot attest it, so it is a risk signal and never proof. */
export interface CameraReport {
  /** At most 256 characters. */
  readonly label?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Frames a second. */
  readonly frameRate?: number | undefined;
}
