import limits from '@presenza/contract/limits.json';
import { maxAttempts, retryAfterMs, retrySchedule } from './schedule';

const { retryDelaysSeconds, retryJitter } = limits.webhooks;

test('follows the delays of limits.json with jitter, and ends after the last attempt', () => {
  for (const [random, factor] of [
    [0, 1 - retryJitter],
    [0.5, 1],
    [1, 1 + retryJitter],
  ] as const) {
    const { delayMs } = retrySchedule(() => random);
    const waits = Array.from({ length: maxAttempts - 1 }, (_, i) => delayMs(i + 1));
    expect(waits).toEqual(retryDelaysSeconds.slice(1).map((seconds) => Math.round(1000 * seconds * factor)));
    expect(delayMs(maxAttempts)).toBeUndefined();
  }
});

test('the last attempt ends before receivers reject the event as too old', () => {
  const { eventMaxAgeSeconds, attemptTimeoutSeconds } = limits.webhooks;
  const { delayMs } = retrySchedule(() => 1);
  const waits = Array.from({ length: maxAttempts - 1 }, (_, i) => delayMs(i + 1) as number);
  const lastEndsMs = waits.reduce((sum, ms) => sum + ms + 1000 * attemptTimeoutSeconds, 0);
  expect(lastEndsMs).toBeLessThan(1000 * eventMaxAgeSeconds);
});

test('honors a longer Retry-After up to the longest delay', () => {
  const { delayMs } = retrySchedule(() => 0.5);
  expect(delayMs(1, 60_000)).toBe(60_000);
  expect(delayMs(2, 60_000)).toBe(300_000);
  expect(delayMs(1, 1e12)).toBe(86_400_000);
  expect(delayMs(maxAttempts, 60_000)).toBeUndefined();
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 15 Jan 2026 10:31:00 GMT', 60_000],
  ['Thu, 15 Jan 2026 10:29:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026-01-15', undefined],
  [undefined, undefined],
])('parses Retry-After %j as %j ms', (header, ms) => {
  expect(retryAfterMs(header, Date.UTC(2026, 0, 15, 10, 30))).toBe(ms);
});
