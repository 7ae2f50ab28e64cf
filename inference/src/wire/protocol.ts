/**
 * The wire between gateway and inference, types only: images travel as raw request bodies over keep-alive HTTP,
 * answers as JSON. Both sides compile against this file; neither runs the other's code.
 *
 * `POST /OPERATION`  body: one encoded image, or several one after the other with `x-part-lengths`
 *   -> 200 reply | 400 INVALID_PARAMETERS (a header) | 413 IMAGE_TOO_LARGE | 422 a fault of the images
 *    | 500 INTERNAL_ERROR | 503 SERVICE_UNAVAILABLE with Retry-After | 504 DEADLINE_EXCEEDED
 * `POST /moderate`   body: an image, or an image and the encoded prototypes of custom categories, at most 20, one after
 *   the other. `?categories=` lists which of the built-in ones to look for (default: all); it may be empty.
 * `POST /prototype`  body: 5 to 64 example images, 64 MiB together at most. 422 INVALID_PARAMETERS `contradictory` when
 *   they have nothing in common. A prototype fits the model that made it; with another one, moderation refuses it with
 *   400 `prototypes`, and it has to be made again.
 * `GET /readyz`      -> 200 | 503 ReadyReply
 */
import type { Priority } from '../batching/waiting';
import type { Comparison } from '../pipeline/compare';
import type { DetectedElement, Probabilities } from '../pipeline/moderation/moderate';
import type { Answers, ItemResult, OperationName } from '../pipeline/operations';

/** Request headers. */
export interface WireHeaders {
  /** Logged. */
  readonly 'x-request-id': string;
  /** What is left of the caller's patience: whole milliseconds, 1 to 600000. Work that cannot be in time is refused. */
  readonly 'x-deadline-ms'?: string;
  /** W3C Trace Context: the span that the work belongs to. Anything else is ignored. */
  readonly traceparent?: string;
  /** Default `interactive`. */
  readonly 'x-priority'?: Priority;
  /** Lengths in bytes of the images in the body, in order: `1200,845`. At most 65; their sum is the body's length. */
  readonly 'x-part-lengths'?: string;
  /** For /detect: `all`, or different attribute names in any order: `landmarks,pose`. Default: none. */
  readonly 'x-attributes'?: string;
  /**
   * `/frames` only, required: when each of 2 to 64 frames was taken, in whole milliseconds from 0 to 600000, never
   * falling: `0,66,133`. A part beyond the frames is the reference image.
   */
  readonly 'x-frame-times'?: string;
  /** `/frames` only: at most 16 head turns that were asked for, each with its span of time: `left@500-3000,up@3500-6000`. */
  readonly 'x-challenges'?: string;
}

/** Milliseconds inside the tier. The parts are those of the item that took longest, where there are several. */
export interface Timings {
  readonly totalMs: number;
  /** Until a worker began with it. */
  readonly queueMs?: number;
  /** From then until the first model ran: decoding and shrinking, of the whole batch. */
  readonly decodeMs?: number;
  /** In models, of the whole batch. */
  readonly modelMs?: number;
}

/** What an operation answers. */
export type OperationReply<Name extends OperationName> = Answers[Name] & {
  readonly timings: Timings;
};

export type DetectReply = OperationReply<'detect'>;
/** At most 37 MiB of images. A frame that is no picture is told inside the answer, never as a fault of the request. */
export type FramesReply = OperationReply<'frames'>;

export type BuiltInCategory = 'Explicit' | 'Suggestive' | 'Violence';

/** `POST /moderate` */
export interface ModerateReply {
  /** The built-in categories asked for, whatever their confidence, surest first. */
  readonly elements: readonly DetectedElement[];
  /** Confidence of each custom category, 0 to 1, in the order of the prototypes. */
  readonly custom: readonly number[];
  /** Of the moderation model's classes; absent when only violence was asked for. */
  readonly probabilities?: Probabilities;
  readonly timings: Timings;
}

export type PrototypeReply = OperationReply<'prototype'>;

/** `POST /compare`, two images, source first: faces without their embeddings, the targets most similar first. */
export type CompareReply = Omit<Extract<Comparison, { ok: true }>, 'ok'> & {
  readonly timings: Timings;
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
  | 'NO_FACE_DETECTED'
  | 'IMAGE_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL_ERROR';

export interface ReadyReply {
  readonly status: 'ready' | 'draining';
  readonly backend: string;
  readonly device: string;
  readonly precision: string;
  readonly workers: number;
}
