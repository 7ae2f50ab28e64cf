// Runs the tiers of the service as separate processes and waits until each reports that it is ready.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from './cli/paths.mjs';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { freePorts, HOST } from './ports.mjs';
import { runToEnd, startProcess } from './process.mjs';

/** @typedef {Awaited<ReturnType<typeof startInference>>} RunningInference */
/** @typedef {Awaited<ReturnType<typeof startGateway>>} RunningGateway */
/** @typedef {Awaited<ReturnType<typeof startSite>>} RunningSite */

/** A part with a URL. @typedef {import('./process.mjs').RunningProcess & { url: string }} RunningServer */

/** Variables of a tier, as its operator sets them. @typedef {Readonly<NodeJS.ProcessEnv>} Env */

const INFERENCE_MAIN = join(ROOT, 'inference/dist/main.js');
const GATEWAY_MAIN = join(ROOT, 'gateway/dist/main.js');
const SITE_MAIN = join(ROOT, 'web/serve.mjs');

/** The secret that hashes API keys, for all gateways and admin commands that this program runs. */
export const keySecret = randomBytes(32).toString('hex');

/** Each thread that decodes images would otherwise keep an arena of freed memory. */
const INFERENCE_ENV = { MALLOC_ARENA_MAX: '2' };

/**
 * Options of Node for the gateway. A request with an image leaves 200 KB or more of garbage, half of it outside V8's
 * heap. Larger semi-spaces collect young objects less often, when fewer are still in use. V8 runs no full collection
 * before the heap reaches the initial old space: under load it then runs one every few seconds instead of two a second.
 * Those took up to a third of the gateway's CPU time and made requests 10 to 30 ms slower. Small requests take a tenth
 * less CPU time, too. Both options together cost up to 200 MB of memory.
 */
export const GATEWAY_NODE_OPTIONS = Object.freeze([
  '--max-semi-space-size=64',
  '--initial-old-space-size=256',
]);

/**
 * @param {Env} env
 * @param {{ nodeOptions?: readonly string[], main?: string }} [options] main: main module of another build
 */
export const inferenceCommand = (env, { nodeOptions = [], main = INFERENCE_MAIN } = {}) => ({
  command: process.execPath,
  args: [...nodeOptions, main],
  env: { ...INFERENCE_ENV, ...env },
});

/** @param {Env} env @param {{ nodeOptions?: readonly string[] }} [options] */
export const gatewayCommand = (env, { nodeOptions = [] } = {}) => ({
  command: process.execPath,
  args: [...GATEWAY_NODE_OPTIONS, ...nodeOptions, GATEWAY_MAIN],
  env,
});

/** @param {Env} env @param {{ folder?: string }} [options] folder: of a site other than the built one */
export const siteCommand = (env, { folder } = {}) => ({
  command: process.execPath,
  args: [SITE_MAIN, ...(folder === undefined ? [] : [folder])],
  env,
});

/**
 * Starts the built inference tier: one worker on a free port, unless `env` says otherwise.
 * @param {Env} [env]
 * @param {Parameters<typeof inferenceCommand>[1]} [options]
 */
export async function startInference(env = {}, options) {
  const begin = performance.now();
  const variables = { INFERENCE_PORT: '0', INFERENCE_WORKERS: '1', ...env };
  const { command, args, env: all } = inferenceCommand(variables, options);
  const running = await startProcess(command, args, {
    name: 'inference',
    env: all,
    ready: 'inference ready',
  });
  const about = JSON.parse(running.readyLine);
  return Object.assign(running, {
    url: /** @type {string} */ (about.url),
    operationsUrl: /** @type {string} */ (about.url),
    device: String(about.device),
    workers: Number(about.workers ?? variables.INFERENCE_WORKERS),
    /** The time from the spawn to the line that reports readiness. */
    startMs: performance.now() - begin,
    /** The tier's own measurement of its start. */
    reportedStartMs: Number(about.startMs),
  });
}

/**
 * Starts the built gateway on free ports with a journal of its own, unless `env` says otherwise.
 * @param {Env} env at least REDIS_URL and INFERENCE_URL
 * @param {Parameters<typeof gatewayCommand>[1]} [options]
 */
export async function startGateway(env, options) {
  const [port, metricsPort] = await freePorts(2);
  const journal = env.GATEWAY_JOURNAL ?? temporaryFolder();
  const variables = {
    GATEWAY_PORT: String(port),
    GATEWAY_METRICS_PORT: String(metricsPort),
    GATEWAY_JOURNAL: journal,
    KEY_SECRET: keySecret,
    ...env,
  };
  const { command, args, env: all } = gatewayCommand(variables, options);
  const running = await startProcess(command, args, { name: 'gateway', env: all, ready: 'gateway ready' });
  if (journal !== env.GATEWAY_JOURNAL) running.ended.then(() => removeFolder(journal));
  return Object.assign(running, {
    url: `http://${HOST}:${variables.GATEWAY_PORT}`,
    port: Number(variables.GATEWAY_PORT),
    /** URL of metrics and health. */
    operationsUrl: `http://${HOST}:${variables.GATEWAY_METRICS_PORT}`,
    journal,
  });
}

/**
 * Starts the server of the built site on a free port, unless `env` says otherwise.
 * @param {Env} [env]
 * @param {Parameters<typeof siteCommand>[1]} [options]
 */
export async function startSite(env = {}, options) {
  const { command, args, env: all } = siteCommand({ WEB_PORT: '0', ...env }, options);
  const running = await startProcess(command, args, { name: 'site', env: all, ready: 'site listening' });
  return Object.assign(running, { url: /** @type {string} */ (JSON.parse(running.readyLine).url) });
}

/**
 * Runs the server of the site to its end, for tests of starts that fail.
 * @param {Env} env
 * @param {Parameters<typeof siteCommand>[1]} [options]
 */
export function runSite(env, options) {
  const { command, args, env: all } = siteCommand(env, options);
  return runToEnd(command, args, { name: 'site', env: all });
}
