/**
 * The wire between gateway and inference, types only: images travel as raw request bodies over keep-alive HTTP,
 * answers as JSON. Both sides compile against this file; neither runs the other's code.
 *
 * `POST /detect`  body: one encoded image  ->  200 DetectReply | 4xx/5xx FaultReply
 */
import type { Detection } from '../pipeline/detect';

/** Request headers. The request id is logged; the deadline is what is left of the caller's patience. */
export interface WireHeaders {
  readonly 'x-request-id': string;
  readonly 'x-deadline-ms'?: string;
}

export interface DetectReply {
  readonly faces: Detection['faces'];
  readonly timings: Detection['timings'] & { readonly totalMs: number };
}

/** A code and reason of the contract's error catalogue. */
export interface FaultReply {
  readonly error: {
    readonly code: FaultCode;
    readonly reason?: string;
    /** For the placeholders of the reason's text. */
    readonly values?: Readonly<Record<string, number>>;
  };
}

export type FaultCode = 'INVALID_IMAGE' | 'SERVICE_UNAVAILABLE' | 'DEADLINE_EXCEEDED' | 'INTERNAL_ERROR';
