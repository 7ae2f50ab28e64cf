/** When the gateway retries a delivery. */
import limits from '@presenza/contract/limits.json';

const { retryDelaysSeconds, retryJitter } = limits.webhooks;

/** Attempts in total, including the first one. */
export const maxAttempts = retryDelaysSeconds.length;

/** Caps Retry-After at the longest delay of the schedule. */
const maxDelayMs = 1000 * Math.max(...retryDelaysSeconds);

export interface RetrySchedule {
  /**
   * @param attempts made so far, 1 or more.
   * @param retryAfterMs delay that the receiver asked for.
   * @returns the delay before the next attempt, in ms; undefined after the last attempt.
   */
  delayMs(attempts: number, retryAfterMs?: number): number | undefined;
}

/**
 * The schedule of limits.json: each entry is the delay before one attempt, after the one before. Jitter of up to
 * `retryJitter` both ways keeps deliveries that failed together from retrying together. Retry-After can lengthen a delay
 * but not shorten it, so that the attempts last longer than an outage.
 * @param random uniform in 0 to 1
 */
export const retrySchedule = (random: () => number = Math.random): RetrySchedule => ({
  delayMs(attempts, retryAfterMs = 0) {
    const seconds = retryDelaysSeconds[attempts];
    if (seconds === undefined) return undefined;
    const varied = 1000 * seconds * (1 + retryJitter * (2 * random() - 1));
    return Math.round(Math.max(varied, Math.min(retryAfterMs, maxDelayMs)));
  },
});

/** Retry-After in ms from `now`; undefined for an invalid header (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return 1000 * Number(header);
  const time = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
