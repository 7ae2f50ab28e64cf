import { ApiError } from '../../errors';
import type { ProductGroup, Terms } from '../plans/terms';
import type { ItemState } from './metering-store';
import { endOf, monthOf } from './months';

/** Caps Retry-After, because a larger plan takes effect at once and clients may pause whole queues until then. */
const maxRetryAfterSeconds = 3_600;

/** The error for an account with a hard limit: its quota resets at the end of the calendar month in UTC. */
export function quotaExceeded({ quota }: Terms, group: ProductGroup, now: number): ApiError {
  const resetsAt = endOf(monthOf(now));
  return new ApiError('QUOTA_EXCEEDED', {
    reason: group,
    values: { limit: quota[group], date: new Date(resetsAt).toISOString().slice(0, 10) },
    retryAfterSeconds: Math.min(Math.ceil((resetsAt - now) / 1_000), maxRetryAfterSeconds),
    resetsAt,
  });
}

const heldBy = { livenessDetection: 'reservedBySessions', imageAnalysis: 'reservedByRequests' } as const;

/**
 * The error for an account with a hard limit while its open sessions or running requests hold the rest of its quota.
 * @param waitMs when the next of them may return its unit.
 */
function quotaHeld({ quota }: Terms, group: ProductGroup, waitMs: number): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    reason: heldBy[group],
    values: { limit: quota[group] },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

export interface QuotaCheck {
  readonly terms: Terms;
  readonly group: ProductGroup;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the next held unit may return. Default: in a second, because requests are short. */
  readonly heldMs?: number | undefined;
}

/** @throws ApiError QUOTA_EXCEEDED or RATE_LIMIT_EXCEEDED if a hard quota leaves no unit for an item in this state. */
export function requireUnit(
  state: ItemState | undefined,
  { terms, group, now, heldMs = 1_000 }: QuotaCheck,
): void {
  if (state === 'overQuota') throw quotaExceeded(terms, group, now);
  if (state === 'quotaHeld') throw quotaHeld(terms, group, heldMs);
}
