/** Interprets rejections of the gateway by the codes and reasons of errors.json. */
import type { Failure } from './gateway';
import type { Trouble } from './machine';

export type Meaning =
  /** Retry after a delay. */
  | { kind: 'wait'; trouble: Trouble; afterMs?: number | undefined }
  /** The session has ended, possibly elsewhere. Its status must be read. */
  | { kind: 'ended' }
  | { kind: 'expired' }
  | { kind: 'linkInvalid' }
  /** Another tab or device began an attempt. */
  | { kind: 'replaced' }
  /** The session allows other kinds of device. */
  | { kind: 'otherDevice' }
  /** The account does not allow pages of this origin. */
  | { kind: 'originNotAllowed' }
  /** This device is locked out. */
  | { kind: 'locked'; afterMs: number }
  /** The nonce is lost; the attempt continues. */
  | { kind: 'frameRefused' }
  /** The attempt has no frames left. */
  | { kind: 'framesUsedUp' }
  | { kind: 'unknown'; requestId: string | undefined };

/** The minimum lockout of the catalog, for responses without Retry-After. */
const SHORTEST_LOCKOUT_MS = 30 * 60_000;

/** Timeouts, rate limits, and statuses of an unavailable proxy or service. */
const TEMPORARY_STATUSES = new Set([408, 429, 502, 503, 504]);

/** Reasons of SESSION_STATE_CONFLICT. */
const CONFLICTS: Record<string, Meaning> = {
  checking: { kind: 'wait', trouble: 'busy' },
  final: { kind: 'ended' },
  attempts: { kind: 'ended' },
  attempt: { kind: 'replaced' },
  frame: { kind: 'frameRefused' },
  frames: { kind: 'framesUsedUp' },
};

/** Reasons of PERMISSION_DENIED. */
const DENIALS: Record<string, Meaning> = {
  device: { kind: 'otherDevice' },
  origin: { kind: 'originNotAllowed' },
};

export function meaningOf(failure: Failure): Meaning {
  if (failure.kind === 'network') return { kind: 'wait', trouble: 'offline' };
  const { code, reason = '', status, requestId, retryAfterSeconds } = failure;
  const afterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  switch (code) {
    case 'INVALID_API_KEY':
    case 'NOT_FOUND':
      return { kind: 'linkInvalid' };
    case 'SESSION_EXPIRED':
      return { kind: 'expired' };
    case 'SESSION_STATE_CONFLICT':
      return CONFLICTS[reason] ?? { kind: 'unknown', requestId };
    case 'PERMISSION_DENIED':
      return DENIALS[reason] ?? { kind: 'unknown', requestId };
    case 'INVALID_IMAGE':
    case 'IMAGE_TOO_LARGE':
      return { kind: 'frameRefused' };
    case 'RATE_LIMIT_EXCEEDED':
      if (reason === 'livenessAttempts') return { kind: 'locked', afterMs: afterMs ?? SHORTEST_LOCKOUT_MS };
  }
  if (TEMPORARY_STATUSES.has(status)) return { kind: 'wait', trouble: 'busy', afterMs };
  return { kind: 'unknown', requestId };
}
