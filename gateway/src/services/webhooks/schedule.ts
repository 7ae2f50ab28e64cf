/** When an event that was not taken is sent again. */
import limits from '@presenza/contract/limits.json';

const { retryDelaysSeconds, retryJitter } = limits.webhooks;

/** Attempts in all, the first included. */
export const maxAttempts = retryDelaysSeconds.length;

/** No receiver may ask for more patience than the longest wait that there is anyway. */
const longestMs = 1000 * Math.max(...retryDelaysSeconds);

export interface RetrySchedule {
  /**
   * @param attempts made so far, 1 or more.
   * @param retryAfterMs what the receiver asked for.
   * @returns ms to wait before the next one; undefined when that was the last.
   */
  delayMs(attempts: number, retryAfterMs?: number): number | undefined;
}

/**
 * The schedule of limits.json: each entry is the wait before one attempt, counted from the one before it. It is varied
 * by up to `retryJitter` both ways, so that what failed together does not come back together. A receiver's Retry-After
 * makes a wait longer, never shorter: ten attempts that it hurried through would not outlast its outage.
 * @param random 0 up to 1
 */
export const retrySchedule = (random: () => number = Math.random): RetrySchedule => ({
  delayMs(attempts, retryAfterMs = 0) {
    const seconds = retryDelaysSeconds[attempts];
    if (seconds === undefined) return undefined;
    const varied = 1000 * seconds * (1 + retryJitter * (2 * random() - 1));
    return Math.round(Math.max(varied, Math.min(retryAfterMs, longestMs)));
  },
});

/** Retry-After as ms from `now`; undefined when it says nothing that can be understood (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return 1000 * Number(header);
  const time = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
