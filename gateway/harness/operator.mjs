// The operations of an operator on a running service: accounts, keys, and every other command of the gateway's admin
// CLI.

import { ADMIN_CLI } from './cli/paths.mjs';
import { runToEnd } from './process.mjs';
import { keySecret } from './tiers.mjs';

/** @typedef {Awaited<ReturnType<typeof createAccount>>} Account */

/** Limits that no load reaches, so that measurements show work instead of load shedding. */
export const unlimited = Object.freeze({
  quota: { imageAnalysis: 1e7, livenessDetection: 1e7 },
  burst: { limit: 1e6, windowSeconds: 60 },
  concurrency: 10_000,
  sessionBytes: 1e12,
});

/**
 * Runs one command of the admin CLI.
 * @param {readonly string[]} args
 * @param {Readonly<NodeJS.ProcessEnv>} env at least REDIS_URL
 * @returns {Promise<any>} its result
 * @throws Error with the command's own message
 */
export async function admin(args, env) {
  const outcome = await runToEnd(process.execPath, [ADMIN_CLI, ...args, '--json'], {
    env: { KEY_SECRET: keySecret, ...env },
  });
  if (outcome.code !== 0) throw new Error(`${args.slice(0, 2).join(' ')} failed: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout);
}

/**
 * Creates an account with one key.
 * @param {string} redisUrl
 * @param {object} [options]
 * @param {string} [options.name]
 * @param {string} [options.plan]
 * @param {object} [options.overrides] of the plan's numbers, such as `unlimited`
 * @param {'live' | 'test'} [options.mode]
 * @param {boolean} [options.localWebhooks] whether its webhook receivers may be on the gateway's machine
 * @param {Readonly<NodeJS.ProcessEnv>} [options.env] additional variables of the admin CLI
 */
export async function createAccount(redisUrl, options = {}) {
  const {
    plan = 'business',
    name = `Harness ${plan}`,
    overrides,
    mode = 'live',
    localWebhooks,
    env,
  } = options;
  const all = { REDIS_URL: redisUrl, ...env };
  const { accountId } = await admin(['accounts', 'create', '--name', name, '--plan', plan], all);
  if (overrides) {
    const change = ['--account', accountId, '--overrides', JSON.stringify(overrides)];
    await admin(['accounts', 'update', ...change], all);
  }
  if (localWebhooks) {
    await admin(['accounts', 'update', '--account', accountId, '--local-webhooks', 'true'], all);
  }
  const { apiKey, keyId } = await admin(['keys', 'create', '--account', accountId, '--mode', mode], all);
  return { accountId: String(accountId), apiKey: String(apiKey), keyId: String(keyId), plan, mode };
}
