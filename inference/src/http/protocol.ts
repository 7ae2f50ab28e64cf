/**
 * The wire between gateway and inference, types only: images travel as raw request bodies over keep-alive HTTP,
 * answers as JSON. Both sides compile against this file; neither runs the other's code.
 *
 * `POST /OPERATION`  body: one encoded image, or several one after the other with `x-part-lengths`
 *   -> 200 reply | 400 INVALID_PARAMETERS (a header) | 413 IMAGE_TOO_LARGE | 422 a fault of the images
 *    | 500 INTERNAL_ERROR | 503 SERVICE_UNAVAILABLE with Retry-After | 504 DEADLINE_EXCEEDED
 * `GET /readyz`      -> 200 | 503 ReadyReply
 */
import type { Priority } from '../batching/waiting';
import type { Comparison } from '../pipeline/compare';
import type { Answers, ItemResult, OperationName } from '../pipeline/operations';

/** Request headers. */
export interface WireHeaders {
  /** Logged. */
  readonly 'x-request-id': string;
  /** What is left of the caller's patience: whole milliseconds, 1 to 600000. Work that cannot be in time is refused. */
  readonly 'x-deadline-ms'?: string;
  /** Default `interactive`. */
  readonly 'x-priority'?: Priority;
  /** Lengths in bytes of the images in the body, in order: `1200,845`. At most 65; their sum is the body's length. */
  readonly 'x-part-lengths'?: string;
  /**
   * `/frames` only, required: when each of 2 to 64 frames was taken, in whole milliseconds from 0 to 600000, never
   * falling: `0,66,133`. A part beyond the frames is the reference image.
   */
  readonly 'x-frame-times'?: string;
  /** `/frames` only: at most 16 head turns that were asked for, each with its span of time: `left@500-3000,up@3500-6000`. */
  readonly 'x-challenges'?: string;
}

/** What an operation answers, and how long it took in milliseconds inside the tier. */
export type OperationReply<Name extends OperationName> = Answers[Name] & {
  readonly timings: { readonly totalMs: number };
};

export type DetectReply = OperationReply<'detect'>;
export type ModerateReply = OperationReply<'moderate'>;
/** At most 32 MiB of images. A frame that is no picture is told inside the answer, never as a fault of the request. */
export type FramesReply = OperationReply<'frames'>;

/** `POST /compare`, two images, source first: faces without their embeddings, the targets most similar first. */
export type CompareReply = Omit<Extract<Comparison, { ok: true }>, 'ok'> & {
  readonly timings: { readonly totalMs: number };
};

/** A code and reason of the contract's error catalogue. */
export interface FaultReply {
  readonly error: {
    readonly code: FaultCode;
    readonly reason?: string;
    /** For the placeholders of the reason's text. */
    readonly values?: Readonly<Record<string, number>>;
    /** Which image of several is meant. */
    readonly part?: 'source' | 'target' | undefined;
  };
}

export type FaultCode =
  | (ItemResult<never> & { readonly ok: false })['code']
  | 'INVALID_PARAMETERS'
  | 'NO_FACE_DETECTED'
  | 'IMAGE_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL_ERROR';

export interface ReadyReply {
  readonly status: 'ready' | 'draining';
  readonly backend: string;
  readonly device: string;
  readonly workers: number;
}
