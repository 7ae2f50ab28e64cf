import { drive } from './load.mjs';

test('drive skips requests that are due while too many are pending, and counts them', async () => {
  const pending: ((result: string) => void)[] = [];
  const send = () => new Promise<string>((resolve) => pending.push(resolve));
  const driven = drive({ perSecond: 1000, maxPending: 3, durationMs: 10, send });
  setTimeout(() => {
    for (const resolve of pending) resolve('done');
  }, 50);
  const { results, skipped } = await driven;
  expect([results.length, skipped]).toEqual([3, 7]);
});
