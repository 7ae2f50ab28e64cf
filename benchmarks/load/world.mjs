/** What load is put on: Redis, the inference tier and one gateway as an operator runs them, processes of their own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, startGateway, startRedis, temporaryFolder, unlimited } from '../lib/gateway.mjs';
import { needProc } from '../lib/process.mjs';
import { startService } from '../lib/service.mjs';
import { runScript } from './k6-run.mjs';
import { pairs, portraits } from './pictures.mjs';
import { prepare } from './prepared.mjs';
import { startSampler } from './sampler.mjs';

/**
 * @typedef {object} World
 * @property {string} gatewayUrl
 * @property {string} inferenceUrl
 * @property {string} redisUrl
 * @property {number} workers
 * @property {string} device
 * @property {string} picturesFile
 * @property {ReturnType<typeof prepare>} prepared
 * @property {Record<string, number>} pids
 * @property {Record<string, string>} apiKeys of accounts without limits, by name
 */

/** As the image of the inference tier sets it: many threads fragment memory otherwise. */
const env = { MALLOC_ARENA_MAX: '2' };

/** That share the load: each may hold half of what a gateway takes at once. */
const ACCOUNTS = 4;

/** Seconds of requests before anything is measured: compilers and caches of all parts warm up. */
const WARM_UP_SECONDS = 4;

/**
 * @template T
 * @param {{ workers?: number, pictures?: { image: string, name: string, faces: number }[] }} options `pictures` in place
 *   of the portraits
 * @param {(world: World) => Promise<T>} use
 * @returns {Promise<T>} everything is stopped afterwards, whatever happens
 */
export async function withWorld({ workers, pictures }, use) {
  needProc();
  /** @type {{ stop(): Promise<void> }[]} */
  const started = [];
  try {
    const redis = await startRedis();
    started.unshift(redis);
    const inference = await startService(workers ? { env, workers } : { env });
    started.unshift(inference);
    const gateway = await startGateway({ redisUrl: redis.url, inferenceUrl: inference.url });
    started.unshift(gateway);
    /** @type {Record<string, string>} */
    const apiKeys = {};
    for (let i = 1; i <= ACCOUNTS; i++)
      apiKeys[`account${i}`] = (await createAccount(redis.url, { overrides: unlimited })).apiKey;
    const folder = temporaryFolder();
    const picturesFile = join(folder, 'pictures.json');
    const all = pictures ?? (await portraits());
    writeFileSync(picturesFile, JSON.stringify(all));
    const world = {
      gatewayUrl: gateway.url,
      inferenceUrl: inference.url,
      redisUrl: redis.url,
      workers: inference.workers,
      device: inference.device,
      picturesFile,
      prepared: prepare(folder, { pictures: all, pairs: await pairs() }),
      pids: { gateway: gateway.pid, inference: inference.pid, redis: redis.pid },
      apiKeys,
    };
    await applyScript(world, 'saturate.ts', { mix: EVERYTHING, clients: 8, seconds: WARM_UP_SECONDS });
    return await use(world);
  } finally {
    for (const one of started) await one.stop();
  }
}

/** What an account of a product might ask: mostly detection. Two pictures in each comparison. */
export const EVERYTHING = Object.freeze({ detect: 6, compare: 2, moderate: 2 });

/**
 * Runs a script against the world while its processes are watched.
 * @param {World} world
 * @param {string} script
 * @param {object} settings more of them
 */
export async function applyScript(world, script, settings) {
  const { gatewayUrl, picturesFile, prepared, apiKeys } = world;
  const sampler = startSampler(world.pids, world.inferenceUrl);
  try {
    const all = {
      gatewayUrl,
      picturesFile,
      prepared,
      apiKeys,
      steps: [],
      mix: {},
      clients: 0,
      seconds: 0,
      batchSize: 0,
      ...settings,
    };
    const run = await runScript(script, all, (pid) => sampler.watch('k6', pid));
    return { ...run, samples: sampler.samples };
  } finally {
    await sampler.stop();
  }
}

/**
 * The most answers a second, by clients that ask again at once: enough of them that no worker waits, few enough that
 * none is refused.
 * @param {World} world
 * @param {Partial<Record<'detect' | 'compare' | 'moderate', number>>} mix
 * @param {number} seconds
 */
export async function saturation(world, mix, seconds) {
  const run = await applyScript(world, 'saturate.ts', { mix, clients: 8 * world.workers, seconds });
  const begin = Math.min(...run.answers.map(({ beginMs }) => beginMs));
  // Neither the first second, where clients begin together, nor the last answers, where they end one by one.
  const [from, to] = [begin + 1000, begin + 1000 * seconds];
  const counted = run.answers.filter(({ outcome, endMs }) => outcome === 'ok' && endMs >= from && endMs < to);
  if (counted.length === 0) throw new Error(`Nothing was answered: ${JSON.stringify(run.falseChecks)}`);
  return { ...run, from, to, perSecond: counted.length / ((to - from) / 1000) };
}
