/** Errors of requests whose Idempotency-Key is in use. */
import { bounds } from '../../bounds';
import { ApiError } from '../../errors';

const values = { field: 'Idempotency-Key' };

/** The key belongs to a request with other parameters. */
export const keyMismatch = (): ApiError =>
  new ApiError('IDEMPOTENCY_CONFLICT', { reason: 'mismatch', values });

/** The first request with the key is still running. */
export const keyInProgress = (leaseMs: number, leftMs: number): ApiError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(expectedMs(leaseMs, leftMs) / 1_000));
  return new ApiError('IDEMPOTENCY_CONFLICT', { reason: 'inProgress', values, retryAfterSeconds });
};

/**
 * How long a running request is expected to take yet, in ms. Most requests take milliseconds and a few take seconds, so
 * one that is still running is expected to take as long again, but not past its deadline. After the deadline, its gateway
 * must have died, and its key is free once the lease has ended.
 * @param leaseMs the whole lease: the deadline and `leaseMarginMs`.
 * @param leftMs what is left of the lease.
 */
export function expectedMs(leaseMs: number, leftMs: number): number {
  const beforeDeadlineMs = leftMs - bounds.leaseMarginMs;
  return beforeDeadlineMs > 0 ? Math.min(leaseMs - leftMs, beforeDeadlineMs) : leftMs;
}
