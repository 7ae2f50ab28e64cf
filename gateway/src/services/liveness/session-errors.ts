/** What callers are told of a session that does not allow what they want. */
import { AppError } from '../../errors';
import { isFinal, type SessionStatus } from './states';

/** A check takes a second or two. */
const checkSeconds = 2;

export const noSession = (): AppError => new AppError('NOT_FOUND', { reason: 'session' });

/** For a status that leaves no room for what was asked. */
export function statusConflict(status: SessionStatus): AppError {
  if (status === 'expired') return new AppError('SESSION_EXPIRED');
  if (isFinal(status)) return conflict('final', { values: { status } });
  if (status === 'checking') return conflict('checking', { retryAfterSeconds: checkSeconds });
  return conflict(status === 'created' ? 'notStarted' : 'attempt');
}

export const conflict = (
  reason: string,
  options: Omit<ConstructorParameters<typeof AppError>[1] & object, 'reason'> = {},
): AppError => new AppError('SESSION_STATE_CONFLICT', { reason, ...options });
