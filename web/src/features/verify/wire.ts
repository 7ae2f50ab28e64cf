/** What the page exchanges with the gateway: the session calls of gateway/contract, as far as the page reads them. */

export type Movement = 'centre' | 'left' | 'right' | 'up' | 'down';

export type Guidance =
  | 'ok'
  | 'noFace'
  | 'severalFaces'
  | 'tooFar'
  | 'tooClose'
  | 'offCentre'
  | 'tooDark'
  | 'tooBright'
  | 'turned';

export type Hint = 'lighting' | 'movement' | 'oneFace' | 'retry';

export type FinalStatus = 'completed' | 'failed' | 'cancelled' | 'expired';
export type Status = 'created' | 'started' | 'checking' | FinalStatus;

export interface Step {
  /** From 0. */
  index: number;
  movement: Movement;
}

export interface Branding {
  name: string;
  logoUrl?: string;
  /** #rrggbb each. */
  colors?: { accent: string; background?: string };
}

/** data of `start`. */
export interface Start {
  status: Status;
  sessionExpiresAt: string;
  attemptsLeft: number;
  retentionSeconds: number;
  branding?: Branding;
  returnUrl?: string;
  redirectUrl?: string;
}

export interface CameraSettings {
  label?: string;
  width?: number;
  height?: number;
  frameRate?: number;
}

/** Body of `attempts`. */
export interface AttemptRequest {
  consent: true;
  device: { id: string; camera?: CameraSettings };
}

/** data of `attempts`. */
export interface Attempt {
  attemptId: string;
  steps: number;
  step: Step;
  nonces: string[];
  frameIntervalMs: number;
  maxFrameBytes: number;
  timeoutSeconds: number;
}

/** data of `frames`. */
export interface FrameAnswer {
  nonce: string;
  guidance: Guidance;
  step: Step;
  /** Of this step, 0 to 1. */
  progress: number;
  done: boolean;
}

/** data of `complete`. */
export interface Outcome {
  status: Status;
  attemptsLeft: number;
  hint?: Hint;
  lockedUntil?: string;
  returnUrl?: string;
}

export const isFinal = (status: Status): status is FinalStatus =>
  status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'expired';
