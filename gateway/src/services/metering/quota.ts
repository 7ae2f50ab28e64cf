import { AppError } from '../../errors';
import type { ProductGroup, Terms } from '../plans/terms';
import { endOf, monthOf } from './months';

/** Caps Retry-After, because a larger plan takes effect at once and clients may pause whole queues until then. */
const maxRetryAfterSeconds = 3_600;

/** The error for an account with a hard limit: its quota resets at the end of the calendar month in UTC. */
export function quotaExceeded({ quota }: Terms, group: ProductGroup, now: number): AppError {
  const resetsAt = endOf(monthOf(now));
  return new AppError('QUOTA_EXCEEDED', {
    reason: group,
    values: { limit: quota[group], date: new Date(resetsAt).toISOString().slice(0, 10) },
    retryAfterSeconds: Math.min(Math.ceil((resetsAt - now) / 1_000), maxRetryAfterSeconds),
    resetsAt,
  });
}
