import { AppError } from '../../errors';
import { endOf, monthOf } from './months';
import type { ProductGroup, Terms } from './terms';

/** What a caller with a hard limit is told: the quota renews with the calendar month of UTC. */
export function quotaExceeded({ quota }: Terms, group: ProductGroup, now: number): AppError {
  const renewal = endOf(monthOf(now));
  return new AppError('QUOTA_EXCEEDED', {
    reason: group,
    values: { limit: quota[group], date: new Date(renewal).toISOString().slice(0, 10) },
    retryAfterSeconds: Math.ceil((renewal - now) / 1_000),
  });
}
