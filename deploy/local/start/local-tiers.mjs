// Starts each tier on one machine and waits until it is ready.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from '../harness/ports.mjs';
import { ping, redisConfig } from '../harness/redis.mjs';
import { gatewayCommand, inferenceCommand, siteCommand } from '../harness/tiers.mjs';
import { checkRedisVersion, findProgram, REDIS } from '../setup/system-packages.mjs';
import { respondsOk, untilReady } from './readiness.mjs';
import { GRACE_MS } from './tiers.mjs';

/** Long enough for a Redis that is loading its data, and short enough to report a wrong address soon. */
const GIVEN_REDIS_TIMEOUT_MS = 10_000;

/**
 * @typedef {{ site: string, gateway: string, metrics: string, admin: string, inference: string }} Urls
 *
 * @typedef {object} Plan
 * @property {Readonly<import('../cli/settings.mjs').Settings>} settings
 * @property {Urls} urls
 * @property {string} redisUrl
 * @property {string} redisPassword of the Redis started here
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
 * @param {Readonly<import('../cli/settings.mjs').Settings>} settings
 * @param {{ keySecret: string, adminToken: string }} secrets
 * @returns {Plan}
 */
export function planTiers(settings, { keySecret, adminToken }) {
  const { ports } = settings;
  const redisPassword = randomBytes(24).toString('hex');
  return {
    settings,
    urls: {
      site: `http://${HOST}:${ports.site}`,
      gateway: `http://${HOST}:${ports.gateway}`,
      metrics: `http://${HOST}:${ports.metrics}`,
      admin: `http://${HOST}:${ports.admin}`,
      inference: `http://${HOST}:${ports.inference}`,
    },
    redisUrl: settings.redisUrl ?? `redis://:${redisPassword}@${HOST}:${ports.redis}`,
    redisPassword,
    keySecret,
    adminToken,
  };
}

/**
 * Starts the tiers of the API and resolves once they are ready. Only the gateway waits for another tier: Redis.
 * @param {Plan} plan
 * @param {Means} means
 */
export async function bringUpApi(plan, means) {
  await Promise.all([inference(plan, means), redis(plan, means).then(() => gateway(plan, means))]);
}

/** @param {Plan} plan @param {Means} means */
async function redis({ settings, redisUrl, redisPassword }, { start, abort }) {
  if (settings.redisUrl) {
    await untilReady('The Redis that REDIS_URL names', () => ping(redisUrl), {
      abort,
      timeoutMs: GIVEN_REDIS_TIMEOUT_MS,
    });
    return;
  }
  const program = findProgram(REDIS.name) ?? REDIS.name;
  checkRedisVersion(program);
  const dir = join(settings.dataDir, 'redis');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  start('redis', {
    command: program,
    args: ['-'],
    input: redisConfig({
      port: settings.ports.redis,
      dir,
      durable: true,
      config: { requirepass: redisPassword, loglevel: 'warning' },
    }),
  });
  await untilReady('redis', () => ping(redisUrl), { abort });
}

/**
 * A broken GPU driver can crash the tier. If the tier ends before it is ready, it starts once more, on the CPU; an
 * error that no GPU caused then appears again and stops the start.
 * @param {Plan} plan
 * @param {Means} means
 */
async function inference({ settings, urls }, { start, say, abort }) {
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
      onDeath: (signal) => {
        if (!mayRetry || (hasDevice && signal === null)) return false;
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

/** @param {Plan} plan @param {Means} means */
async function gateway({ settings, urls, redisUrl, keySecret, adminToken }, { start, abort }) {
  start(
    'gateway',
    gatewayCommand({
      NODE_ENV: 'production',
      GATEWAY_HOST: HOST,
      GATEWAY_PORT: String(settings.ports.gateway),
      // Webhook receivers under development run on this machine, too.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      GATEWAY_METRICS_PORT: String(settings.ports.metrics),
      GATEWAY_ADMIN_PORT: String(settings.ports.admin),
      INFERENCE_URL: urls.inference,
      VERIFY_URL: settings.verifyUrl,
      SITE_URL: settings.siteUrl,
      REDIS_URL: redisUrl,
      KEY_SECRET: keySecret,
      // Requests that the drain cuts off then have time to settle.
      GATEWAY_DRAIN_MS: String(GRACE_MS - 7_000),
      GATEWAY_METRICS_HOST: HOST,
      GATEWAY_ADMIN_HOST: HOST,
      GATEWAY_JOURNAL: join(settings.dataDir, 'journal'),
      ADMIN_TOKEN: adminToken,
    }),
  );
  await untilReady('gateway', respondsOk(`${urls.metrics}/readyz`), { abort });
  await untilReady('gateway', respondsOk(`${urls.gateway}/health`), { abort });
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
