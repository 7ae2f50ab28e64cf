import { evaluate } from '../testing';

test('drive skips requests that are due while too many are pending, and counts them', async () => {
  const [seen] = await evaluate(
    `import { drive } from './harness/load.mjs';
     const pending = [];
     const driven = drive({
       perSecond: 1000, maxPending: 3, durationMs: 10, send: () => new Promise((resolve) => pending.push(resolve)),
     });
     setTimeout(() => pending.forEach((resolve) => resolve('done')), 50);
     const { results, skipped } = await driven;
     print([results.length, skipped]);`,
  );
  expect(seen).toEqual([3, 7]);
});
