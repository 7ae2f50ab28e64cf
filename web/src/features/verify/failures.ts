/** What a refusal of the gateway means to the person, by the codes and reasons of errors.json. */
import type { Failure } from './gateway';
import type { Trouble } from './machine';

export type Meaning =
  /** Worth another try by itself, after so long. */
  | { kind: 'wait'; trouble: Trouble; afterMs?: number | undefined }
  /** The session has ended, or somebody else ended it: read how. */
  | { kind: 'ended' }
  | { kind: 'expired' }
  | { kind: 'linkInvalid' }
  /** Another tab or device began an attempt of its own. */
  | { kind: 'replaced' }
  /** This device has to wait. */
  | { kind: 'locked'; afterMs: number }
  /** The nonce was spoilt; the attempt may go on. */
  | { kind: 'frameRefused' }
  /** No more frames: this attempt leads nowhere. */
  | { kind: 'framesUsedUp' }
  | { kind: 'unknown'; requestId: string | undefined };

/** What the catalogue calls the shortest lock-out, for an answer whose Retry-After is lost on the way. */
const SHORTEST_LOCKOUT_MS = 30 * 60_000;

/** Request timeout, too many requests, and what a proxy or the service says while either is unavailable. */
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
    case 'INVALID_IMAGE':
    case 'IMAGE_TOO_LARGE':
      return { kind: 'frameRefused' };
    case 'RATE_LIMIT_EXCEEDED':
      if (reason === 'livenessAttempts') return { kind: 'locked', afterMs: afterMs ?? SHORTEST_LOCKOUT_MS };
  }
  if (TEMPORARY_STATUSES.has(status)) return { kind: 'wait', trouble: 'busy', afterMs };
  return { kind: 'unknown', requestId };
}
