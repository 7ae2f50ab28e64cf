/** Errors of calls that the state of a session or its attempt does not allow. */
import { AppError } from '../../../errors';
import { isFinal, type SessionStatus } from './states';

/** A check takes one or two seconds. */
const checkSeconds = 1;

/** @param started the reason if the session is in `started`. */
export function conflictOf(status: SessionStatus, started: 'attempt' | 'attempts' | 'frames'): AppError {
  const code = 'SESSION_STATE_CONFLICT';
  if (status === 'expired') return new AppError('SESSION_EXPIRED');
  if (isFinal(status)) return new AppError(code, { reason: 'final', values: { status } });
  if (status === 'created') return new AppError(code, { reason: 'notStarted' });
  if (status === 'checking')
    return new AppError(code, { reason: 'checking', retryAfterSeconds: checkSeconds });
  return new AppError(code, { reason: started });
}

export const sessionGone = (): AppError => new AppError('NOT_FOUND', { reason: 'session' });

/** The account's sessions use all the memory that its plan allows. */
export const sessionBytesExceeded = (retryAfterSeconds: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', { reason: 'sessionBytes', retryAfterSeconds });
