import { evaluate } from '../lib/testing';

test('processor time is that of the threads, or of ticks where threads have ended', () => {
  const totals = evaluate<number[]>(
    "import { totalOf } from './capacity/processor-time.mjs';",
    '[[31.4, 50], [31.4, 20], [31.4, 60]].map((pair) => totalOf(...pair))',
  );
  expect(totals).toEqual([31.4, 31.4, 60]);
});

test('a process is counted finer than in ticks, with its other threads', () => {
  const { totalMs, mainMs, largestMs, ended } = evaluate<Record<string, number>>(
    `import { once } from 'node:events';
     import { Worker } from 'node:worker_threads';
     import { countProcessorTime } from './capacity/processor-time.mjs';
     const burn = (ms) => { const cpu = process.cpuUsage().user; while (process.cpuUsage().user - cpu < 1e3 * ms); };
     const code = 'const end = process.cpuUsage().user + 200e3; while (process.cpuUsage().user < end);';
     const short = countProcessorTime(process.pid);
     burn(3);
     const counted = short();
     const long = countProcessorTime(process.pid);
     await once(new Worker(code, { eval: true }), 'exit');`,
    '{ ...counted, ended: long().totalMs }',
  ) as { totalMs: number; mainMs: number; largestMs: number; ended: number };
  expect(mainMs).toBeGreaterThan(2);
  expect(totalMs).toBeGreaterThanOrEqual(mainMs);
  expect(totalMs % 10).not.toBe(0);
  expect(largestMs).toBeLessThan(totalMs);
  // The thread is gone, what it took is not.
  expect(ended).toBeGreaterThan(100);
});
