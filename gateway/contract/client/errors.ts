/** The only error that the client throws, apart from the reason of an AbortSignal. */
import type { ErrorCode, ErrorReason } from './types.d.ts';

/**
 * Errors that no response from the service caused: the connection failed, `timeoutMs` passed, or the response is not from this API, for
 * example a proxy's error page.
 */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_RESPONSE';

/** Allows any other string without losing completion of the known ones. */
type Other = string & Record<never, never>;

export interface PresenzaErrorDetails {
  readonly code: ErrorCode | ClientErrorCode | Other;
  readonly message: string;
  readonly reason?: ErrorReason | Other | undefined;
  /** The header, query parameter or form part at fault, or the path of the body's field, such as operations.0.id. */
  readonly param?: string | undefined;
  /** Where the documentation explains the code: a URL, or a path of the service's site. */
  readonly docUrl?: string | undefined;
  /** Where the operator of the service looks up the request. */
  readonly requestLogUrl?: string | undefined;
  /** HTTP status; undefined if there was no response, also if the client refused to send the request. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** When the quota resets, ISO 8601; only for QUOTA_EXCEEDED. */
  readonly resetsAt?: string | undefined;
  /** Seconds to wait before the next attempt, 0 or more, if the response has them. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A rejected or failed call. A request that the client cannot send has the code with which the service would reject it:
 * `INVALID_IMAGE`, `INVALID_API_KEY` or `INVALID_PARAMETERS`. It contains neither the API key nor any part of the
 * request body.
 */
export class PresenzaError extends Error {
  override readonly name = 'PresenzaError';
  readonly code: PresenzaErrorDetails['code'];
  readonly reason: PresenzaErrorDetails['reason'];
  readonly param: string | undefined;
  readonly docUrl: string | undefined;
  readonly requestLogUrl: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly resetsAt: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ message, cause, ...details }: PresenzaErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = details.code;
    this.reason = details.reason;
    this.param = details.param;
    this.docUrl = details.docUrl;
    this.requestLogUrl = details.requestLogUrl;
    this.status = details.status;
    this.requestId = details.requestId;
    this.resetsAt = details.resetsAt;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
