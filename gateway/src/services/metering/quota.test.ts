import { termsOf } from '../plans/terms';
import { quotaExceeded } from './quota';

const at = (time: string) => quotaExceeded(termsOf('free'), 'imageAnalysis', Date.parse(time));

test.each([
  ['in the middle of the month, an hour', '2026-11-12T08:00:00.000Z', 3_600],
  ['an hour and a moment before its end, an hour', '2026-11-30T22:59:59.999Z', 3_600],
  ['in its last half hour, the rest of it', '2026-11-30T23:30:00.000Z', 1_800],
  ['in its last moment, a second', '2026-11-30T23:59:59.999Z', 1],
])('%s', (_when, time, retryAfterSeconds) => {
  const error = at(time);
  expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
  expect(error.body).toEqual({
    code: 'QUOTA_EXCEEDED',
    reason: 'imageAnalysis',
    message: 'The monthly quota of 50 image analyses is used up. It resets on 2026-12-01.',
    resetsAt: '2026-12-01T00:00:00.000Z',
  });
});

test('a month that ends a year', () => {
  expect(at('2026-12-31T23:00:00.000Z').body.resetsAt).toBe('2027-01-01T00:00:00.000Z');
});
