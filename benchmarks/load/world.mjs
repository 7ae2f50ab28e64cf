/** The service under load: Redis, the inference tier and one gateway as an operator runs them, and k6 beside them. */
import { availableParallelism } from 'node:os';
import {
  createAccount,
  readMetrics,
  startGateway,
  startRedis,
  startSampler,
  unlimited,
  withService,
} from '../../gateway/harness/index.mjs';
import { needProc } from '../lib/tier.mjs';
import { Bodies, portraitImages, portraitPairs } from './images.mjs';
import { runMix } from './k6.mjs';
import { startServer } from './servers.mjs';

/**
 * @typedef {object} World
 * @property {string} url of the gateway
 * @property {string} inferenceUrl
 * @property {number} workers
 * @property {Bodies} bodies
 * @property {Record<string, import('./scenarios/settings').Prepared[]>} prepared by operation
 * @property {Record<string, number>} pids by process
 * @property {Record<string, string>} apiKeys of accounts without limits
 * @property {boolean} [minusInference] see settings.ts
 */

/** Several accounts share the load, because each may hold only half of the bytes that a gateway accepts at once. */
const ACCOUNTS = 4;
/** The load runs this long before a measurement, for caches and compilers to warm up. */
const WARM_UP_SECONDS = 4;
const production = { NODE_ENV: 'production' };

/** A typical account: mostly detection. A comparison has two images. */
export const EVERYTHING = Object.freeze({ detect: 6, compare: 2, moderate: 2 });

/** @param {string} redisUrl @returns {Promise<Record<string, string>>} */
async function createKeys(redisUrl) {
  const apiKeys = {};
  for (let i = 1; i <= ACCOUNTS; i++)
    apiKeys[`account${i}`] = (await createAccount(redisUrl, { overrides: unlimited })).apiKey;
  return apiKeys;
}

/**
 * Runs `use` on a warm service.
 * @template T
 * @param {{ workers?: number, images?: import('./images.mjs').LoadImage[], pairs?: import('./images.mjs').Pair[] }} options
 *   default: a worker for each core, and portraits
 * @param {(world: World) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withWorld({ workers = availableParallelism(), images, pairs }, use) {
  needProc();
  const bodies = new Bodies();
  const content = { images: images ?? (await portraitImages()), pairs: pairs ?? (await portraitPairs()) };
  const options = {
    gatewayEnv: production,
    inferenceEnv: { ...production, INFERENCE_WORKERS: String(workers) },
  };
  return withService(options, async (service) => {
    const [inference, gateway] = [service.inference[0].running, service.gateways[0].running];
    const world = {
      url: service.url,
      inferenceUrl: inference.url,
      workers,
      bodies,
      prepared: bodies.operations(content),
      pids: { gateway: gateway.pid, inference: inference.pid, redis: service.redis.running.pid },
      apiKeys: await createKeys(service.redisUrl),
    };
    await applyMix(world, [{ name: 'warm-up', mix: EVERYTHING, clients: 8, seconds: WARM_UP_SECONDS }]);
    return use(world);
  });
}

/**
 * Runs `use` on a gateway with a stand-in for the inference tier. On a small machine the real tier would be the bottleneck,
 * and the figure would show its noise.
 * @template T
 * @param {{ standInMs: number }} options
 * @param {(world: World & { gateway: { pid: number }, redisUrl: string }) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withGateway({ standInMs }, use) {
  needProc();
  const started = [];
  const keep = async (starting) => {
    started.unshift(await starting);
    return started[0];
  };
  try {
    const redis = await keep(startRedis({ durable: true }));
    const standIn = await keep(startServer('stand-in', { STAND_IN_MS: String(standInMs) }));
    const addresses = { REDIS_URL: redis.url, INFERENCE_URL: standIn.url };
    const gateway = await keep(startGateway({ ...production, ...addresses }));
    return await use({
      gateway,
      redisUrl: redis.url,
      url: gateway.url,
      inferenceUrl: standIn.url,
      workers: 0,
      bodies: new Bodies(),
      prepared: {},
      pids: { gateway: gateway.pid, redis: redis.pid },
      apiKeys: await createKeys(redis.url),
    });
  } finally {
    for (const part of started) await part.stop();
  }
}

/**
 * Applies scenarios of load to the world and samples its processes.
 * @param {World} world
 * @param {readonly object[]} scenarios see settings.ts
 */
export async function applyMix(world, scenarios) {
  const { url, apiKeys, prepared, minusInference = false } = world;
  const sampler = startSampler(world.pids, {
    measure: async () => ({ queueLength: await queueLengthOf(world.inferenceUrl) }),
  });
  try {
    const settings = { url, apiKeys, prepared, minusInference, scenarios };
    const run = await runMix(settings, (pid) => sampler.watch('k6', pid));
    return { ...run, samples: sampler.samples };
  } finally {
    await sampler.stop();
  }
}

/** Images that wait for a worker; NaN without a response. @param {string} inferenceUrl */
async function queueLengthOf(inferenceUrl) {
  try {
    const metrics = await readMetrics(`${inferenceUrl}/metrics`, { timeoutMs: 1000 });
    return metrics.sum('presenza_inference_queue_length');
  } catch {
    return Number.NaN;
  }
}

/**
 * The highest throughput of clients in a closed model: enough clients that no worker waits, few enough that none is
 * refused.
 * @param {World} world
 * @param {Readonly<Record<string, number>>} mix
 * @param {number} seconds
 */
export async function saturation(world, mix, seconds) {
  const run = await applyMix(world, [
    { name: 'saturate', mix, clients: 8 * Math.max(1, world.workers), seconds },
  ]);
  const begin = Math.min(...run.responses.map(({ beginMs }) => beginMs));
  // Leaves out the first second, in which all clients start together, and the end, where they stop one by one.
  const [from, to] = [begin + 1000, begin + 1000 * seconds];
  const counted = run.responses.filter(
    ({ outcome, endMs }) => outcome === 'ok' && endMs >= from && endMs < to,
  );
  if (counted.length === 0) throw new Error(`No request succeeded: ${JSON.stringify(run.falseChecks)}`);
  return { ...run, from, to, perSecond: counted.length / ((to - from) / 1000) };
}
