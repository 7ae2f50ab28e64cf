/** Redis, inference tier and gateway as an operator runs them, with an account that nothing limits. */
import { createAccount, startGateway, startRedis, unlimited } from './gateway.mjs';
import { startService } from './service.mjs';

/** @typedef {Awaited<ReturnType<typeof start>>} Stack */

/** As the image of the inference tier sets it: many threads fragment memory otherwise, and memory is told. */
const env = { MALLOC_ARENA_MAX: '2' };

/** @param {{ workers: number, keep: (one: { stop(): Promise<void> }) => void }} options */
async function start({ workers, keep }) {
  const redis = await startRedis();
  keep(redis);
  const tier = await startService({ workers, env });
  keep(tier);
  const gateway = await startGateway({ redisUrl: redis.url, inferenceUrl: tier.url });
  keep(gateway);
  const { apiKey } = await createAccount(redis.url, { overrides: unlimited });
  return { redis, tier, gateway, apiKey };
}

/**
 * All of it is stopped afterwards, whatever happens.
 * @template T
 * @param {{ workers: number }} options
 * @param {(stack: Stack) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withStack({ workers }, use) {
  /** @type {{ stop(): Promise<void> }[]} */
  const started = [];
  try {
    return await use(await start({ workers, keep: (one) => started.unshift(one) }));
  } finally {
    for (const one of started) await one.stop();
  }
}
