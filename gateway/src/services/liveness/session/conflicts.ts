/** What is answered where a session, or its attempt, is not in a state that allows a call. */
import { AppError } from '../../../errors';
import { isFinal, type SessionStatus } from './states';

/** A check takes a second or two. */
const checkSeconds = 1;

/** @param started the reason where the session itself would allow it. */
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

/** What the sessions of the account hold together is as much as it may be. */
export const tooHeavy = (retryAfterSeconds: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', { reason: 'sessionBytes', retryAfterSeconds });
