/** Decides whether to retry a failed attempt, and after which delay. */
import { RETRYABLE } from './catalogue.ts';
import type { PresenzaError } from './errors.ts';

/** Statuses to retry if the code is unknown. */
const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8000;

/** Whether the catalog, or otherwise the status, allows a retry of the same request. */
export function isRetryable({ code, status }: PresenzaError): boolean {
  if (code === 'CONNECTION_FAILED') return true;
  const known = (RETRYABLE as Readonly<Record<string, boolean>>)[code];
  return known ?? (status !== undefined && RETRYABLE_STATUSES.includes(status));
}

/**
 * Whether the response asks to wait for work in progress: the first request with an Idempotency-Key, or the verdict on a
 * capture. Such a wait is not a retry.
 */
export const isUnderWay = ({ status, retryAfterSeconds }: PresenzaError): boolean =>
  status === 409 && retryAfterSeconds !== undefined;

/**
 * Milliseconds before the next attempt after `failures` failed ones: Retry-After plus exponential backoff with full
 * jitter, so that clients that were rejected together do not retry together.
 * @param random uniform in [0, 1)
 */
export function delayMs(error: PresenzaError, failures: number, random: () => number): number {
  const backoff = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (failures - 1));
  return 1000 * (error.retryAfterSeconds ?? 0) + random() * backoff;
}

/** Seconds of a Retry-After header, given in seconds or as an HTTP date (RFC 9110, 10.2.3); undefined when malformed. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000);
}
