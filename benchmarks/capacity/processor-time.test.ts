import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { countProcessorTime, totalOf } from './processor-time.mjs';

test('processor time is that of the threads, or of ticks where threads have ended', () => {
  expect([totalOf(31.4, 50), totalOf(31.4, 20), totalOf(31.4, 60)]).toEqual([31.4, 31.4, 60]);
});

test('a process is counted finer than in ticks, with its other threads', async () => {
  const burn = (ms: number) => {
    const cpu = process.cpuUsage().user;
    while (process.cpuUsage().user - cpu < 1e3 * ms);
  };
  const short = countProcessorTime(process.pid);
  // The process's own figure includes its other threads, such as those of the garbage collector.
  burn(23);
  const { totalMs, mainMs, largestMs } = short();
  expect(mainMs).toBeGreaterThan(2);
  expect(totalMs).toBeGreaterThanOrEqual(mainMs);
  expect(totalMs % 10).not.toBe(0);
  expect(largestMs).toBeLessThan(totalMs);

  // The time of a thread that has ended is not lost.
  const long = countProcessorTime(process.pid);
  const code = 'const end = process.cpuUsage().user + 200e3; while (process.cpuUsage().user < end);';
  await once(new Worker(code, { eval: true }), 'exit');
  expect(long().totalMs).toBeGreaterThan(100);
});
