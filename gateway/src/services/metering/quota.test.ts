import type { ApiError } from '../../errors';
import { termsOf } from '../plans/terms';
import { requireUnit } from './quota';

const refusalOf = (...args: Parameters<typeof requireUnit>): ApiError => {
  try {
    requireUnit(...args);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('The item has a unit');
};
const free = { terms: termsOf('free'), group: 'imageAnalysis' } as const;
const at = (time: string) => refusalOf('overQuota', { ...free, now: Date.parse(time) });

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

test.each([
  ['livenessDetection', 'reservedBySessions', 598_200, 599],
  ['livenessDetection', 'reservedBySessions', -20, 1],
  ['imageAnalysis', 'reservedByRequests', undefined, 1],
] as const)('units of %s that others hold return soon', (group, reason, heldMs, retryAfterSeconds) => {
  const error = refusalOf('quotaHeld', { ...free, group, now: 0, heldMs });
  expect(error.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', reason });
  expect(error.body).not.toHaveProperty('resetsAt');
  expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
});

test.each(['reserved', 'repeated', undefined] as const)('an item that is %s passes', (state) => {
  expect(() => requireUnit(state, { ...free, now: 0 })).not.toThrow();
});
