/** The store of captures: the running attempt of each session and its sealed frames. */
import type { SessionAddress } from '../session/session-store';
import type { SessionStatus } from '../session/states';
import type { ClientFault } from './client-faults';
import type { Movement, RefusedFrame } from './evidence';
import type { SelectedFrames } from './frame-selection';
import type { Guidance } from './guidance';
import type { CaptureLight } from './light';
import type { Signing } from './signing';
import type { Progress } from './steps';

/** The progress that follows from the accepted frames. Plain JSON, stored sealed. */
export interface CaptureState {
  readonly progress: Progress;
  /** The last guidance. */
  readonly guidance: Guidance;
  readonly kept: SelectedFrames;
  /** Frames that the inference tier had no capacity to analyze. */
  readonly unseen: number;
  /** Numbers of the frames after the first step in which the guidance saw no face; undefined without any. */
  readonly faceless?: readonly number[];
  /** The light challenge, if the session's policy requires one. */
  readonly light?: CaptureLight;
  /** Only if the attempt began with a key. */
  readonly signing?: Signing;
  /** Faults of all calls of the attempt so far. */
  readonly clientFaults?: readonly ClientFault[];
}

export interface Attempt {
  readonly movements: readonly Movement[];
  /** `CaptureState`, sealed, base64. */
  readonly state: string;
  /** How many frames were accepted. */
  readonly taken: number;
}

/** A frame to accept. */
export interface NewFrame {
  readonly attemptId: string;
  readonly number: number;
  /** How many frames had been accepted when `state` was computed. If others came since, the store rejects it. */
  readonly after: number;
  /** Position of the frame's step. */
  readonly step: number;
  /** The format is that of `Attempt.state`. */
  readonly state: string;
  /** Sealed; undefined if the frame is only counted. */
  readonly image: Buffer | undefined;
  /** Whether the response asks for a turn, which spends one of the session's attempts. */
  readonly asksTurn: boolean;
  /** Number of a frame that the selection drops. */
  readonly dropped: number | undefined;
}

/**
 * Why a frame is not accepted. `status`: the session is not in `started`, or undefined if it is erased; `ended`: the
 * attempt was replaced or took too long; `full`: it has all frames that it may have; `overBytes`: the account's sessions
 * use all the memory that they may.
 */
export type NotTaken =
  | { readonly outcome: 'refused'; readonly reason: RefusedFrame }
  | { readonly outcome: 'status'; readonly status: SessionStatus | undefined }
  | { readonly outcome: 'ended' | 'full' | 'overBytes' };

export type ExpectOutcome = { readonly outcome: 'expected'; readonly attempt: Attempt } | NotTaken;

export type TakeOutcome =
  | { readonly outcome: 'taken'; readonly taken: number }
  /** Another frame was accepted in between; contains the new state. */
  | { readonly outcome: 'outdated'; readonly attempt: Pick<Attempt, 'state' | 'taken'> }
  | NotTaken;

/** Everything that is stored of an attempt. */
export interface AttemptRecord {
  readonly movements: readonly Movement[];
  /** The format is that of `Attempt.state`. */
  readonly state: string;
  /** `CameraReport`, sealed, base64. */
  readonly camera: string;
  /** The accepted frames in order of their numbers: arrival, in milliseconds since the attempt began, and step. */
  readonly arrivals: readonly { readonly number: number; readonly timeMs: number; readonly step: number }[];
  readonly refused: Readonly<Record<RefusedFrame, number>>;
  /** The selected frames by number, sealed. */
  readonly frames: ReadonlyMap<number, Buffer>;
}

/** The initial fields of a new attempt in the store. */
export const attemptFields = (
  attemptId: string,
  {
    movements,
    timeoutMs,
    state,
    camera,
  }: Pick<AttemptRecord, 'movements' | 'state' | 'camera'> & { readonly timeoutMs: number },
) => ({ attemptId, movements: movements.join(), timeoutMs: String(timeoutMs), state, camera, taken: '0' });

export interface FramesToRemember {
  readonly attemptId: string;
  /** When the session was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** 8 bytes each, without repetitions; at most `maxFingerprints`. */
  readonly fingerprints: readonly Buffer[];
}

/** Every method throws ApiError SERVICE_UNAVAILABLE if the store is unavailable. */
export interface CaptureStore {
  /** @returns undefined if another attempt runs, or none. */
  readAttempt(address: SessionAddress, attemptId: string): Promise<Attempt | undefined>;
  /**
   * Checks whether a frame would be accepted. The nonce stays valid. Counts frames with a refused nonce.
   * @param number 0 for a nonce that was never issued.
   */
  expectFrame(address: SessionAddress, attemptId: string, number: number): Promise<ExpectOutcome>;
  /** Uses up a nonce and stores its frame atomically. */
  takeFrame(address: SessionAddress, frame: NewFrame): Promise<TakeOutcome>;
  /** Counts a frame with a refused signature. Does nothing if another attempt runs, or none. */
  countRefusedSignature(address: SessionAddress, attemptId: string): Promise<void>;
  /** Ends the lease of a failed check, so that another gateway can take over at once. Does nothing without a lease. */
  releaseCheck(address: SessionAddress, checker: string): Promise<void>;
  /**
   * Remembers fingerprints of the frames of an attempt that is being checked, for as long as data of its session may be kept.
   * A repeated call returns the result of the first.
   * @returns for each fingerprint, whether another session of the account left it; undefined if another attempt runs, or none
   */
  rememberFrames(address: SessionAddress, frames: FramesToRemember): Promise<readonly boolean[] | undefined>;
  /** @returns undefined if another attempt runs, or none. */
  readRecord(address: SessionAddress, attemptId: string): Promise<AttemptRecord | undefined>;
}
