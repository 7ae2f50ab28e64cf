import { AppError } from '../../errors';
import type { ProductGroup, Terms } from '../plans/terms';
import { endOf, monthOf } from './months';

/** Clients may hold a call, or a whole queue, for as long as Retry-After says; a larger plan takes effect at once. */
const maxRetryAfterSeconds = 3_600;

/** The error for an account with a hard limit: its quota resets with the calendar month of UTC. */
export function quotaExceeded({ quota }: Terms, group: ProductGroup, now: number): AppError {
  const resetsAt = endOf(monthOf(now));
  return new AppError('QUOTA_EXCEEDED', {
    reason: group,
    values: { limit: quota[group], date: new Date(resetsAt).toISOString().slice(0, 10) },
    retryAfterSeconds: Math.min(Math.ceil((resetsAt - now) / 1_000), maxRetryAfterSeconds),
    resetsAt,
  });
}
