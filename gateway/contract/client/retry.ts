/** When a failed attempt is worth another one, and how long to wait before it. */
import { RETRYABLE } from './catalogue.ts';
import type { PresenzaError } from './errors.ts';

/** Statuses that mean "later" where no known code says more. */
const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8000;

/** Whether the catalogue, else the status, calls repeating the same request sensible. */
export function isRetryable({ code, status }: PresenzaError): boolean {
  if (code === 'CONNECTION_FAILED') return true;
  const known = (RETRYABLE as Readonly<Record<string, boolean>>)[code];
  return known ?? (status !== undefined && RETRYABLE_STATUSES.includes(status));
}

/**
 * Whether the answer asks to wait for something that is under way: for the first request with an Idempotency-Key, or for
 * the verdict on a capture. Waiting for it is no new try.
 */
export const isUnderWay = ({ status, retryAfterSeconds }: PresenzaError): boolean =>
  status === 409 && retryAfterSeconds !== undefined;

/**
 * Milliseconds before the attempt after `failures` failed ones: what Retry-After asked for, and on top exponential
 * backoff with full jitter, so that clients which were refused together do not come back together.
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
