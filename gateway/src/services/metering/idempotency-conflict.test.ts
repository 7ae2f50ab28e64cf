import { bounds } from '../../bounds';
import { expectedMs, keyInProgress, keyMismatch } from './idempotency-conflict';

const margin = bounds.leaseMarginMs;
const deadline = 60_000;
const lease = deadline + margin;

test.each([
  ['has run for a second', lease - 1_000, 1_000],
  ['has run for a third of its time', lease - 20_000, 20_000],
  ['has a second until its deadline', margin + 1_000, 1_000],
  ['has passed its deadline, so that its gateway must have died', margin - 1_000, margin - 1_000],
  ['has just begun', lease, 0],
])('a request that %s', (_name, left, expected) => {
  expect(expectedMs(lease, left)).toBe(expected);
});

test('Retry-After is at least a second, and both conflicts name the header', () => {
  expect(keyInProgress(lease, lease).retryAfterSeconds).toBe(1);
  expect(keyInProgress(lease, lease - 1_001).retryAfterSeconds).toBe(2);
  expect(keyMismatch().retryAfterSeconds).toBeUndefined();
  for (const { body } of [keyMismatch(), keyInProgress(lease, 1)]) {
    expect(body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', param: 'Idempotency-Key' });
  }
});
