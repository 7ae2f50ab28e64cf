/**
 * The wire between gateway and inference tier: raw image bytes in, JSON out, over keep-alive HTTP. The gateway compiles
 * against these types and runs none of the tier's code; one set of recorded exchanges (`test/wire`) tests both sides.
 *
 * `POST /OPERATION`  body: one encoded image, or several one after the other with `x-part-lengths`
 *   -> 200 reply | 400 INVALID_PARAMETERS (a header) | 413 IMAGE_TOO_LARGE | 422 a fault of the images
 *    | 500 INTERNAL_ERROR | 503 SERVICE_UNAVAILABLE with Retry-After | 504 DEADLINE_EXCEEDED
 *    | 403 SERVICE_UNAVAILABLE if a web page may have sent it: `Host` has a name that is not in INFERENCE_HOST_NAMES
 *    | 415 INVALID_PARAMETERS for a body that is not application/octet-stream
 * `POST /moderate`   body: an image, optionally followed by up to 20 encoded prototypes of custom categories.
 *   `?categories=` lists the built-in categories to look for (default: all); the list may be empty.
 * `POST /prototype`  body: 5 to 64 example images, at most 64 MiB in total. 422 INVALID_PARAMETERS `contradictory` if
 *   they have nothing in common. A prototype works only with the model that made it. With another model, moderation
 *   responds with 400 `prototypes`, and the prototype must be created again.
 * `POST /frames`     body: 2 to 64 frames, at most 37 MiB in total. If the body has one part more than there are times, the
 *   last part is a reference image. A frame that cannot be decoded is part of the result, not an error.
 * `GET /readyz`      -> 200 | 503 ReadyReply
 */
import type { ComparableFace, ComparedFace, DetectedFace } from './faces';
import type { FrameSignals } from './frames';
import type { WireVersion } from './version';

export type { AttributeName } from './faces';
export type { Challenge, Light, Rgb, ShownColor } from './frames';
export type { WireVersion } from './version';

/** `interactive`: a person waits; `batch`: bulk work that gets the remaining capacity, but never none. */
export type Priority = 'interactive' | 'batch';

/** Request headers. */
export interface WireHeaders {
  /** Responses have it, too. A message without it counts as one of the same version. */
  readonly 'x-wire-version'?: WireVersion;
  /** Logged. */
  readonly 'x-request-id': string;
  /** Whole milliseconds left to the caller, 1 to 600000. The tier refuses work that cannot finish in time. */
  readonly 'x-deadline-ms'?: string;
  /** W3C Trace Context: the span that the work belongs to. The tier ignores malformed values. */
  readonly traceparent?: string;
  /** Default `interactive`. */
  readonly 'x-priority'?: Priority;
  /** The account that is served, up to 128 visible ASCII characters. Accounts share the tier fairly. Default: one for all. */
  readonly 'x-account'?: string;
  /** Lengths in bytes of the images in the body, in order: `1200,845`. At most 65; their sum is the body's length. */
  readonly 'x-part-lengths'?: string;
  /** `/detect` takes `all`, or different attribute names in any order: `landmarks,pose`. Default: none. */
  readonly 'x-attributes'?: string;
  /** `/detect` treats the image as a frame of a capture, with the limits of size and scans of `/frames`. */
  readonly 'x-limits'?: 'frame';
  /** `/frames` requires it: when each frame was taken, whole milliseconds, 0 to 600000, never falling: `0,66,133`. */
  readonly 'x-frame-times'?: string;
  /** `/frames` takes up to 16 challenges, each with its span of time: `left@500-3000,up@3500-6000`. */
  readonly 'x-challenges'?: string;
  /** `/frames` with a light challenge takes 2 to 64 colors in the order of display: `ffb040,40a0ff,60ff60`. */
  readonly 'x-light-colors'?: string;
  /**
   * `/frames` requires it with `x-light-colors`: for each frame the position of its color, and for how many milliseconds, up
   * to 600000, the page had shown it: `0+120,0+320,1+40`.
   */
  readonly 'x-frame-lights'?: string;
}

/** Response headers. */
export interface WireResponseHeaders {
  readonly 'x-wire-version': WireVersion;
  /**
   * How many operations decoding the images was worth, a whole number from 1, with a result or a fault of the images. It
   * depends on the bytes alone. Absent: 1.
   */
  readonly 'x-work'?: string;
}

/** Milliseconds inside the tier. Where a request has several items, the parts are those of the item that took longest. */
export interface Timings {
  readonly totalMs: number;
  /** Time until a worker began. */
  readonly queueMs?: number;
  /** Time from then until the first model ran: decoding and shrinking, of the whole batch. */
  readonly decodeMs?: number;
  /** Time in models, of the whole batch. */
  readonly modelMs?: number;
}

interface Timed {
  readonly timings: Timings;
}

export interface Detection {
  /** Largest first by the detector's box, which decides which face of an image is the largest; at most 100. */
  readonly faces: readonly DetectedFace[];
}
export type DetectReply = Detection & Timed;

/** Two images, source first. Embeddings identify people, so they never leave the tier. */
export interface Comparison {
  /** The largest face of the source. */
  readonly source: ComparableFace;
  /** Every face of the target, most similar first. */
  readonly targets: readonly ComparedFace[];
}
export type CompareReply = Comparison & Timed;

export type BuiltInCategory = 'Explicit' | 'Suggestive' | 'Violence';

export interface DetectedElement {
  readonly type: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly subTypes?: readonly { readonly type: string; readonly confidence: number }[];
}

/** Probability of each class of the moderation model. */
export type Probabilities = Readonly<Record<'Drawing' | 'Hentai' | 'Neutral' | 'Porn' | 'Sexy', number>>;

export interface ModerateReply extends Timed {
  /** The requested built-in categories, whatever their confidence, most confident first. */
  readonly elements: readonly DetectedElement[];
  /** Confidence of each custom category, 0 to 1, in the order of the prototypes. */
  readonly custom: readonly number[];
  /** Absent when only violence was requested. An animation has the highest of each class in any checked frame. */
  readonly probabilities?: Probabilities;
}

export interface MadePrototype {
  /** Encoded, base64: what moderation takes. */
  readonly prototype: string;
  /** Examples that fit the others badly, as positions in the list of images. */
  readonly outliers: readonly number[];
}
export type PrototypeReply = MadePrototype & Timed;

export type FramesReply = FrameSignals & Timed;

export interface FaultReply {
  readonly error: {
    readonly code: FaultCode;
    /** Code and reason are those of the contract's error catalogue. */
    readonly reason?: string;
    /** Numbers for the placeholders of the reason's text. */
    readonly values?: Readonly<Record<string, number>>;
    /** The image at fault, where there are two. */
    readonly part?: 'source' | 'target' | undefined;
  };
}

export type FaultCode =
  | 'INVALID_IMAGE'
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
  readonly precision: string;
  /** Id of the model that compares faces. */
  readonly embedding: string;
  readonly workers: number;
}
