// Starts each tier on one machine and waits until it is ready.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from '../../../gateway/harness/ports.mjs';
import { ping, redisConfig } from '../../../gateway/harness/redis.mjs';
import { checkRedisVersion, findProgram, REDIS } from '../../../gateway/harness/setup/system-packages.mjs';
import { gatewayCommand, inferenceCommand, siteCommand } from '../../../gateway/harness/tiers.mjs';
import { respondsOk, untilReady } from './readiness.mjs';
import { GRACE_MS } from './tiers.mjs';

/** Long enough for a Redis that is loading its data, and short enough to report a wrong address soon. */
const GIVEN_REDIS_TIMEOUT_MS = 10_000;
/** Time for one ping. */
const PING_TIMEOUT_MS = 1_000;

/**
 * @typedef {{ site: string, gateway: string, metrics: string, admin: string, inference: string }} Urls
 *
 * @typedef {object} Plan
 * @property {Readonly<import('../../../gateway/harness/cli/settings.mjs').Settings>} settings
 * @property {Urls} urls
 * @property {string} redisUrl
 * @property {string | undefined} sessionKeysUrl of the second Redis, for the keys of liveness sessions
 * @property {string} keySecret
 * @property {string} adminToken
 *
 * @callback StartTier
 * @param {string} name
 * @param {import('./tiers.mjs').TierCommand} tier
 * @returns {void}
 *
 * @typedef {{ start: StartTier, say: (line: string) => void, abort: AbortSignal }} Means
 */

/**
 * @param {Readonly<import('../../../gateway/harness/cli/settings.mjs').Settings>} settings
 * @param {{ keySecret: string, adminToken: string }} secrets
 * @returns {Plan}
 */
export function planTiers(settings, { keySecret, adminToken }) {
  const { ports } = settings;
  return {
    settings,
    urls: {
      site: `http://${HOST}:${ports.site}`,
      gateway: `http://${HOST}:${ports.gateway}`,
      metrics: `http://${HOST}:${ports.metrics}`,
      admin: `http://${HOST}:${ports.admin}`,
      inference: `http://${HOST}:${ports.inference}`,
    },
    redisUrl: settings.redisUrl ?? localRedis(ports.redis),
    sessionKeysUrl: startsRedisKeys(settings) ? localRedis(ports.redisKeys) : settings.sessionKeysUrl,
    keySecret,
    adminToken,
  };
}

/** The URL of a Redis that starts here, with a password that opens no other one. @param {number} port */
const localRedis = (port) => `redis://:${randomBytes(24).toString('hex')}@${HOST}:${port}`;

/**
 * Whether a second Redis starts here. Beside a given one it does not: other gateways of that Redis would not find its keys.
 * @param {Readonly<import('../../../gateway/harness/cli/settings.mjs').Settings>} settings
 */
export const startsRedisKeys = ({ redisUrl, sessionKeysUrl }) => !redisUrl && !sessionKeysUrl;

/**
 * Starts the tiers of the API and resolves once they are ready. Only the gateway waits for another tier: Redis.
 * @template T
 * @param {Plan} plan
 * @param {Means} means
 * @param {() => Promise<T>} onGateway called when the gateway listens, while the inference tier may still load models
 * @returns {Promise<T>} its result
 */
export async function bringUpApi(plan, means, onGateway) {
  const gatewayListens = stores(plan, means).then(() => gateway(plan, means));
  const [result] = await Promise.all([gatewayListens.then(onGateway), inference(plan, means)]);
  // The gateway is asked only now, because it remembers for a second that the inference tier was not ready.
  await untilReady('gateway', respondsOk(`${plan.urls.metrics}/readyz`), means);
  await untilReady('gateway', respondsOk(`${plan.urls.gateway}/health`), means);
  return result;
}

/** @param {Plan} plan @param {Means} means */
async function stores({ settings, redisUrl, sessionKeysUrl }, means) {
  const [given, givenKeys] = [settings.redisUrl, settings.sessionKeysUrl];
  await Promise.all([
    given ? givenRedis('REDIS_URL', given, means) : redis('redis', { url: redisUrl, settings }, means),
    givenKeys && givenRedis('REDIS_SESSION_KEYS_URL', givenKeys, means),
    sessionKeysUrl &&
      startsRedisKeys(settings) &&
      redis('redis-keys', { url: sessionKeysUrl, settings, config: REDIS_KEYS_CONFIG }, means),
  ]);
}

/** @param {string} variable @param {string} url @param {Means} means */
function givenRedis(variable, url, { abort }) {
  const timeoutMs = GIVEN_REDIS_TIMEOUT_MS;
  const probe = () => ping(url, PING_TIMEOUT_MS);
  return untilReady(`The Redis that ${variable} names`, probe, { abort, timeoutMs });
}

/** It then notices the end of a rewrite within 10 ms instead of 100. An erasure waits for two of them at most. */
const REDIS_KEYS_CONFIG = { hz: '100' };

/**
 * @param {string} name also of its folder
 * @param {{ url: string, settings: Readonly<import('../../../gateway/harness/cli/settings.mjs').Settings>, config?: Readonly<Record<string, string>> }} options
 * @param {Means} means
 */
async function redis(name, { url, settings, config = {} }, { start, abort }) {
  const program = findProgram(REDIS.name) ?? REDIS.name;
  checkRedisVersion(program);
  const { port, password } = new URL(url);
  const dir = join(settings.dataDir, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  removeDrafts(dir);
  start(name, {
    command: program,
    args: ['-'],
    input: redisConfig({
      port: Number(port),
      dir,
      durable: true,
      config: { requirepass: password, loglevel: 'warning', ...config },
    }),
  });
  await untilReady(name, () => ping(url), { abort });
}

/**
 * Removes what a Redis that was killed during a rewrite leaves: files with data that may be erased later, which Redis never
 * removes.
 * @param {string} dir
 */
export function removeDrafts(dir) {
  for (const name of readdirSync(dir)) {
    if (/^temp-.*\.(aof|rdb)$/.test(name)) rmSync(join(dir, name));
  }
}

/**
 * A broken GPU driver can crash the tier. If a GPU may have ended it before it is ready, it starts once more, on the CPU.
 * @param {Plan} plan
 * @param {Means} means
 */
async function inference({ settings, urls }, { start, say, abort }) {
  /** Device of the tier's models, undefined until it has chosen one. @type {string | undefined} */
  let device;
  let mayRetry = process.env.INFERENCE_DEVICE !== 'cpu';
  // A tier that cannot use its configured device logs an error and exits. Only a crash is a reason to fall back to the
  // CPU.
  const hasDevice = !['', 'auto'].includes(process.env.INFERENCE_DEVICE ?? '');
  /** @param {Record<string, string>} [env] */
  const attempt = (env = {}) =>
    start('inference', {
      ...inferenceCommand({
        NODE_ENV: 'production',
        INFERENCE_HOST: HOST,
        INFERENCE_PORT: String(settings.ports.inference),
        MODELS_CACHE: settings.modelsCache,
        ...env,
      }),
      onLine: (line) => {
        device = /"device":"(\w+)".*"msg":"starting workers"/.exec(line)?.[1] ?? device;
      },
      onDeath: (signal) => {
        if (!mayRetry || !mayBeOfGpu(device, signal) || (hasDevice && signal === null)) return false;
        mayRetry = false;
        const how = signal === null ? 'failed' : `crashed (${signal})`;
        say(
          `start  The inference tier ${how} while it started. It starts again on the CPU, in case a GPU was the cause. INFERENCE_DEVICE=cpu skips the first attempt.`,
        );
        attempt({ INFERENCE_DEVICE: 'cpu' });
        return true;
      },
    });
  attempt();
  await untilReady('inference', respondsOk(`${urls.inference}/readyz`), { abort });
  mayRetry = false;
}

/**
 * Whether a GPU may be the cause of the end of an inference tier. Before the tier uses a device, only a crash may be.
 * @param {string | undefined} device that it had chosen
 * @param {NodeJS.Signals | null} signal that ended it
 */
export const mayBeOfGpu = (device, signal) =>
  device === undefined ? signal !== null : !['cpu', 'wasm'].includes(device);

/** @param {Plan} plan @param {Means} means */
async function gateway(
  { settings, urls, redisUrl, sessionKeysUrl, keySecret, adminToken },
  { start, abort },
) {
  start(
    'gateway',
    gatewayCommand({
      NODE_ENV: 'production',
      GATEWAY_HOST: HOST,
      GATEWAY_PORT: String(settings.ports.gateway),
      GATEWAY_METRICS_PORT: String(settings.ports.metrics),
      GATEWAY_ADMIN_PORT: String(settings.ports.admin),
      INFERENCE_URL: urls.inference,
      VERIFY_URL: settings.verifyUrl,
      CONSOLE_URL: settings.consoleUrl,
      SITE_URL: settings.docsUrl,
      REDIS_URL: redisUrl,
      REDIS_SESSION_KEYS_URL: sessionKeysUrl,
      KEY_SECRET: keySecret,
      // Requests that the drain cuts off then have time to settle.
      GATEWAY_DRAIN_MS: String(GRACE_MS - 7_000),
      GATEWAY_METRICS_HOST: HOST,
      GATEWAY_ADMIN_HOST: HOST,
      GATEWAY_JOURNAL: join(settings.dataDir, 'journal'),
      ADMIN_TOKEN: adminToken,
    }),
  );
  await untilReady('gateway', respondsOk(`${urls.metrics}/livez`), { abort });
}

/**
 * Starts the server of the built site. The API keeps running without it.
 * @param {Plan} plan
 * @param {Means} means
 * @returns {Promise<boolean>} whether it is ready
 */
export async function bringUpSite({ settings, urls }, { start, say, abort }) {
  const ended = new AbortController();
  start('site', {
    ...siteCommand({
      NODE_ENV: 'production',
      WEB_HOST: HOST,
      WEB_PORT: String(settings.ports.site),
      API_URL: settings.apiUrl,
    }),
    onDeath: () => {
      say('start  The site ended; its last lines are above. The API keeps running.');
      ended.abort();
      return true;
    },
  });
  try {
    await untilReady('site', respondsOk(`${urls.site}/`), { abort: AbortSignal.any([abort, ended.signal]) });
    return true;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    return false;
  }
}
