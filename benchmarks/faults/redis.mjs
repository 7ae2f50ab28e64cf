/** What clients feel of a Redis that dies, hangs, is slow or cannot be reached. */
import { rehearsals } from './rehearsals.mjs';

/** What is slow enough to hurt: each request takes two round trips. */
const SLOW_MS = 200;

export const redisFaults = rehearsals({
  name: 'faults/redis',
  answers: 'What do clients feel of a Redis that dies, hangs, is slow, is cut off or cannot be reached?',
  remark:
    'Without Redis an account with a hard limit has to wait, one with overage is served and billed later. Slow: 200 ms for each way.',
  faults: ({ redis, ways }) => {
    const all = ways.redis;
    const heal = () => Promise.all(all.map((way) => way.heal()));
    /** @param {(way: import('./proxy.mjs').FaultProxy) => unknown} begin */
    const onWays = (begin) => ({ begin: () => all.forEach(begin), end: heal });
    let cutting = /** @type {NodeJS.Timeout | undefined} */ (undefined);
    return [
      { name: 'killed', begin: () => redis.running.kill(), end: () => redis.beginUntilUp() },
      { name: 'frozen', begin: () => redis.running.freeze(), end: () => redis.running.thaw() },
      { name: 'slow', ...onWays((way) => way.slow({ latencyMs: SLOW_MS })) },
      { name: 'bytes held', ...onWays((way) => way.hold()) },
      { name: 'partitioned', ...onWays((way) => way.partition()) },
      { name: 'partitioned from one gateway', begin: () => all[0].partition(), end: heal },
      { name: 'gone without a word', ...onWays((way) => way.halfOpen()) },
      {
        name: 'connections reset, each second',
        begin: () => {
          cutting = setInterval(() => {
            for (const way of all) way.cut();
          }, 1_000);
        },
        end: () => clearInterval(cutting),
      },
      { name: 'connections refused', begin: () => Promise.all(all.map((way) => way.refuse())), end: heal },
    ];
  },
});
