/** What a capture needs of its store: the running attempt of a session, and the sealed frames of it. */

import type { SessionAddress } from '../session/session-store';
import type { SessionStatus } from '../session/states';
import type { Movement, RefusedFrame } from './evidence';
import type { Guidance } from './guidance';
import type { KeptFrames } from './kept-frames';
import type { Progress } from './steps';

/** What follows from the frames that were taken so far. Plain JSON; it is stored sealed. */
export interface CaptureState {
  readonly progress: Progress;
  /** What was said last. */
  readonly guidance: Guidance;
  readonly kept: KeptFrames;
  /** Frames that nobody had time to look at. */
  readonly unseen: number;
}

export interface Attempt {
  readonly movements: readonly Movement[];
  /** `CaptureState`, sealed, base64. */
  readonly state: string;
  /** Frames that were taken so far. */
  readonly taken: number;
}

/** A frame to be taken. */
export interface FrameTaken {
  readonly attemptId: string;
  readonly number: number;
  /** How many had been taken when `state` was made: it is not written over another one. */
  readonly after: number;
  /** The step that it was taken for. */
  readonly step: number;
  /** As `Attempt.state`. */
  readonly state: string;
  /** Sealed; undefined where it is not kept. */
  readonly image: Buffer | undefined;
  /** Number of a frame that is not kept any more. */
  readonly dropped: number | undefined;
}

/**
 * Why a frame may not come. `status`: the session is not started, or erased where there is none; `ended`: the attempt was
 * replaced or took too long; `full`: it had as many frames as it may have; `heavy`: the account's sessions hold as much
 * as they may.
 */
export type NotTaken =
  | { readonly outcome: 'refused'; readonly reason: RefusedFrame }
  | { readonly outcome: 'status'; readonly status: SessionStatus | undefined }
  | { readonly outcome: 'ended' | 'full' | 'heavy' };

export type ExpectOutcome = { readonly outcome: 'expected'; readonly attempt: Attempt } | NotTaken;

export type TakeOutcome =
  | { readonly outcome: 'taken'; readonly taken: number }
  /** Another frame came in between: how it stands now. */
  | { readonly outcome: 'again'; readonly attempt: Pick<Attempt, 'state' | 'taken'> }
  | NotTaken;

/** All that is kept of an attempt. */
export interface AttemptRecord {
  readonly movements: readonly Movement[];
  /** As `Attempt.state`. */
  readonly state: string;
  /** `CameraReport`, sealed, base64. */
  readonly camera: string;
  /** By rising number: when each taken frame arrived, in milliseconds since the attempt began, and for which step. */
  readonly arrivals: readonly { readonly number: number; readonly timeMs: number; readonly step: number }[];
  readonly refused: Readonly<Record<RefusedFrame, number>>;
  /** The kept frames by number, sealed. */
  readonly frames: ReadonlyMap<number, Buffer>;
}

/** First contents of a new attempt, as the session's store keeps them. */
export const attemptFields = (
  attemptId: string,
  {
    movements,
    timeoutMs,
    state,
    camera,
  }: Pick<AttemptRecord, 'movements' | 'state' | 'camera'> & { readonly timeoutMs: number },
) => ({ attemptId, movements: movements.join(), timeoutMs: String(timeoutMs), state, camera, taken: '0' });

/** Every method throws AppError SERVICE_UNAVAILABLE when the store cannot be reached. */
export interface CaptureStore {
  /** @returns undefined where another attempt runs, or none. */
  readAttempt(address: SessionAddress, attemptId: string): Promise<Attempt | undefined>;
  /**
   * Whether a frame may come; the nonce stays good. One that is refused for its nonce is counted.
   * @param number 0 for a nonce that was never given out.
   */
  expectFrame(address: SessionAddress, attemptId: string, number: number): Promise<ExpectOutcome>;
  /** Takes a nonce and keeps its frame, at once or not at all. */
  takeFrame(address: SessionAddress, frame: FrameTaken): Promise<TakeOutcome>;
  /** Lets somebody else take over a check at once that could not be ended; nothing where that has happened already. */
  releaseCheck(address: SessionAddress, checker: string): Promise<void>;
  /** @returns undefined where another attempt runs, or none. */
  readRecord(address: SessionAddress, attemptId: string): Promise<AttemptRecord | undefined>;
}
