/** The gateway as an operator runs it: built, a process of its own, on a Redis that writes its log to disk. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { GATEWAY_NODE_OPTIONS } from '../../deploy/local/harness/tiers.mjs';
import { gatewayFile, ROOT } from './paths.mjs';
import { freePort, startProcess } from './process.mjs';

/** @typedef {Awaited<ReturnType<typeof startGateway>>} Gateway */
/** @typedef {Awaited<ReturnType<typeof createAccount>>} Account */

/** Everything of one account in Redis begins so. */
const { slug } = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'brand.json'), 'utf8'));
/** @param {string} accountId @param {string} name */
export const accountKey = (accountId, name) => `${slug}:{${accountId}}:${name}`;

const keySecret = randomBytes(32).toString('hex');

/** @type {string[]} */
const folders = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @returns a folder that is gone when this program ends */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-bench-'));
  folders.push(folder);
  return folder;
}

/**
 * With an append-only file that is synced every second, as production has it.
 * @param {{ folder?: string, port?: number, env?: Record<string, string> }} [options] those of one that ended, to start
 *   it again, and variables of its own
 */
export async function startRedis({ folder = temporaryFolder(), port, env } = {}) {
  const own = port ?? (await freePort());
  const options = {
    port: own,
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const running = await startProcess('redis-server', args, {
    ...(env && { env }),
    ready: 'Ready to accept connections',
  });
  return { ...running, url: `redis://127.0.0.1:${own}`, folder, port: own };
}

/**
 * @param {object} options
 * @param {string} options.redisUrl
 * @param {string} options.inferenceUrl
 * @param {string} [options.journal] folder of this process alone
 * @param {number} [options.port]
 * @param {number} [options.metricsPort]
 * @param {Record<string, string>} [options.env] more of its variables
 * @param {string[]} [options.nodeOptions] more of Node's options
 */
export async function startGateway({ redisUrl, inferenceUrl, journal = temporaryFolder(), ...options }) {
  const { port = await freePort(), metricsPort = await freePort(), env = {}, nodeOptions = [] } = options;
  const args = [...GATEWAY_NODE_OPTIONS, ...nodeOptions, gatewayFile('main.js')];
  const running = await startProcess(process.execPath, args, {
    env: {
      NODE_ENV: 'production',
      GATEWAY_PORT: String(port),
      GATEWAY_METRICS_PORT: String(metricsPort),
      REDIS_URL: redisUrl,
      INFERENCE_URL: inferenceUrl,
      KEY_SECRET: keySecret,
      GATEWAY_JOURNAL: journal,
      LOG_LEVEL: 'info',
      ...env,
    },
    ready: 'gateway ready',
  });
  const url = `http://127.0.0.1:${port}`;
  return { ...running, url, operationsUrl: `http://127.0.0.1:${metricsPort}`, port, journal };
}

/** More than any load here asks for, so that what is measured is the work and not its refusal. */
export const unlimited = {
  quota: { imageAnalysis: 1e7, livenessDetection: 1e7 },
  burst: { limit: 1e6, windowSeconds: 60 },
  concurrency: 10_000,
  sessionBytes: 1e12,
};

/**
 * An account with one key, made by the operator's command; its plan's numbers are replaced by `overrides`.
 * @param {string} redisUrl
 * @param {{ plan?: string, overrides?: object, mode?: 'live' | 'test' }} [options]
 */
export async function createAccount(redisUrl, { plan = 'business', overrides, mode = 'live' } = {}) {
  const name = `Benchmark ${plan}`;
  const { accountId } = await admin(redisUrl, ['accounts', 'create', '--name', name, '--plan', plan]);
  if (overrides) {
    const changed = ['--account', String(accountId), '--overrides', JSON.stringify(overrides)];
    await admin(redisUrl, ['accounts', 'update', ...changed]);
  }
  const { apiKey } = await admin(redisUrl, ['keys', 'create', '--account', accountId, '--mode', mode]);
  return { accountId: /** @type {string} */ (accountId), apiKey: /** @type {string} */ (apiKey), plan, mode };
}

/**
 * @param {string} redisUrl
 * @param {readonly string[]} args
 * @param {Record<string, string>} [more] of its variables
 * @returns {Promise<Record<string, any>>}
 */
export async function admin(redisUrl, args, more = {}) {
  const env = { ...process.env, REDIS_URL: redisUrl, KEY_SECRET: keySecret, ...more };
  const command = [gatewayFile('admin', 'cli.js'), ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return JSON.parse(stdout);
}

/**
 * @template T
 * @param {string} redisUrl
 * @param {(redis: Redis) => Promise<T>} use
 */
export async function withRedis(redisUrl, use) {
  const redis = new Redis(redisUrl);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
