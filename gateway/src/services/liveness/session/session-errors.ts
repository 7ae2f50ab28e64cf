/** Errors of calls that the state of a session or its attempt does not allow. */
import { ApiError } from '../../../errors';
import { isFinal, type SessionStatus } from './states';

/** A check takes a few seconds, so a caller that waits asks again after one. */
const checkSeconds = 1;

/** @param started the reason if the session is in `started`. */
export function conflictOf(status: SessionStatus, started: 'attempt' | 'attempts' | 'frames'): ApiError {
  const code = 'SESSION_STATE_CONFLICT';
  if (status === 'expired') return new ApiError('SESSION_EXPIRED');
  if (isFinal(status)) return endedAs(status);
  if (status === 'created') return new ApiError(code, { reason: 'notStarted' });
  if (status === 'checking')
    return new ApiError(code, { reason: 'checking', retryAfterSeconds: checkSeconds });
  return new ApiError(code, { reason: started });
}

/** The session has ended, and the status says how. */
export const endedAs = (status: SessionStatus): ApiError =>
  new ApiError('SESSION_STATE_CONFLICT', { reason: 'final', values: { status } });

export const sessionGone = (): ApiError => new ApiError('NOT_FOUND', { reason: 'session' });

/** The account's sessions use all the memory that its plan allows. */
export const sessionBytesExceeded = (retryAfterSeconds: number): ApiError =>
  new ApiError('RATE_LIMIT_EXCEEDED', { reason: 'sessionBytes', retryAfterSeconds });
