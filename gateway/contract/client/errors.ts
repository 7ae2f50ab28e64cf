/** The one error that the client throws, apart from the reason of an AbortSignal. */
import type { ErrorCode, ErrorReason } from './types.ts';

/**
 * What the service did not say itself: the connection failed, `timeoutMs` passed, or the answer is none of this API,
 * for example a proxy's error page.
 */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER';

/** Any other text, without losing the completion of the known ones. */
type Other = string & Record<never, never>;

export interface PresenzaErrorDetails {
  readonly code: ErrorCode | ClientErrorCode | Other;
  readonly message: string;
  readonly reason?: ErrorReason | Other | undefined;
  /** HTTP status; undefined where there was no answer. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** ISO 8601: when the quota resets, with QUOTA_EXCEEDED. */
  readonly resetsAt?: string | undefined;
  /** Seconds to wait before the next attempt, 0 or more, where the answer said so. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A refused or failed call. It carries neither the API key nor anything of the request's body. */
export class PresenzaError extends Error {
  override readonly name = 'PresenzaError';
  readonly code: PresenzaErrorDetails['code'];
  readonly reason: PresenzaErrorDetails['reason'];
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly resetsAt: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ message, cause, ...details }: PresenzaErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = details.code;
    this.reason = details.reason;
    this.status = details.status;
    this.requestId = details.requestId;
    this.resetsAt = details.resetsAt;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
