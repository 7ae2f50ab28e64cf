import { setTimeout as delay } from 'node:timers/promises';
import { drive } from './load.mjs';

test('drive skips requests that are due while too many are pending, and counts them', async () => {
  // Each takes much longer than all of them take to come due, even on a busy machine.
  const send = () => delay(2_000, 'done');
  const { results, skipped } = await drive({ perSecond: 1000, maxPending: 3, durationMs: 10, send });
  expect([results.length, skipped]).toEqual([3, 7]);
});
