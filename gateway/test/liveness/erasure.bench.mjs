// Response time of DELETE /liveness/{sessionId} at a steady rate, and the processor time of the Redis with the keys, with
// other sessions stored there. The last line is the same without that Redis.
//   npm run build && node gateway/test/liveness/erasure.bench.mjs [requests a second, default 20]

import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, keySecret, startGateway, startRedis, withRedis } from '../../harness/index.mjs';

const rate = Number(process.argv[2] ?? 20);
const seconds = 20;
const warmUp = 20;

/** @param {number[]} sorted @param {number} share */
const at = (sorted, share) => /** @type {number} */ (sorted[Math.ceil(sorted.length * share) - 1]).toFixed(0);

/** @param {string} url */
const cpuMs = (url) =>
  withRedis(url, async (redis) =>
    [...(await redis.info('cpu')).matchAll(/^used_cpu_(?:sys|user)(?:_children)?:([\d.]+)/gm)].reduce(
      (sum, [, value]) => sum + 1000 * Number(value),
      0,
    ),
  );

/** @param {number | undefined} others sessions whose keys are stored, too; undefined: without the second Redis */
async function measure(others) {
  const main = await startRedis({ durable: true });
  const keys = await startRedis({ durable: true, config: { hz: '100' } });
  const gateway = await startGateway({
    REDIS_URL: main.url,
    ...(others !== undefined && { REDIS_SESSION_KEYS_URL: keys.url }),
  });
  try {
    await withRedis(keys.url, async (redis) => {
      const end = Date.now() + 86_400_000;
      for (let i = 0; i < (others ?? 0); i += 1) {
        const id = `ses_${String(i).padStart(24, '0')}`;
        redis.hset('{presenza:session-keys}', id, keySecret.repeat(2).slice(0, 96));
        await redis.zadd('{presenza:session-keys}:ends', end, id);
      }
    });
    const { apiKey } = await createAccount(main.url, { plan: 'enterprise', env: { KEY_SECRET: keySecret } });
    const headers = { authorization: `Bearer ${apiKey}` };
    const count = rate * seconds + warmUp;
    const ids = [];
    for (let i = 0; i < count; i += 1) {
      const response = await fetch(`${gateway.url}/liveness`, { method: 'POST', headers });
      ids.push((await response.json()).data.sessionId);
    }
    const erase = async (/** @type {string} */ id) => {
      const begin = performance.now();
      const { status } = await fetch(`${gateway.url}/liveness/${id}`, { method: 'DELETE', headers });
      if (status !== 200) throw new Error(`DELETE responds with ${status}`);
      return performance.now() - begin;
    };
    for (const id of ids.splice(0, warmUp)) await erase(id);
    const before = await cpuMs(keys.url);
    const begin = performance.now();
    const erasures = [];
    for (const [i, id] of ids.entries()) {
      await delay(Math.max(0, begin + (i * 1000) / rate - performance.now()));
      erasures.push(erase(id));
    }
    const times = (await Promise.all(erasures)).sort((a, b) => a - b);
    const cpu = ((await cpuMs(keys.url)) - before) / ((performance.now() - begin) / 1000);
    const memory = await withRedis(keys.url, (redis) => redis.info('memory'));
    console.log(
      `${others ?? 'no'} other keys: n ${times.length}, p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, max ${at(times, 1)} ms, ${cpu.toFixed(0)} ms of processor time a second, ${/used_memory_human:(\S+)/.exec(memory)?.[1]}`,
    );
  } finally {
    await gateway.stop();
    await Promise.all([main.stop(), keys.stop()]);
  }
}

for (const others of [0, 10_000, 100_000, undefined]) await measure(others);
