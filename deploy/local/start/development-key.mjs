// The API key of a local start, kept from start to start while the gateway accepts it.

import { join } from 'node:path';
import { Stop } from '../../../gateway/harness/cli/stop.mjs';
import { statusOf } from '../../../gateway/harness/http.mjs';
import { createAccount } from '../../../gateway/harness/operator.mjs';
import { readSecret, writeSecret } from './secrets.mjs';

/** @param {string} dataDir */
export function developmentKeyFileIn(dataDir) {
  return join(dataDir, 'dev-api-key');
}

/**
 * @param {object} options
 * @param {string} options.dataDir
 * @param {string} options.gatewayUrl
 * @param {{ REDIS_URL: string, REDIS_SESSION_KEYS_URL: string | undefined, KEY_SECRET: string }} options.env of the admin CLI
 * @returns {Promise<string>}
 */
export async function developmentKey({ dataDir, gatewayUrl, env }) {
  const file = developmentKeyFileIn(dataDir);
  const kept = readSecret(file);
  // A header cannot have other characters.
  if (kept && /^[\x21-\x7e]+$/.test(kept) && (await isAccepted(kept, gatewayUrl))) return kept;

  const { REDIS_URL, ...secrets } = env;
  // Webhook receivers under development run on this machine, too.
  const account = /** @type {const} */ ({ name: 'Development', mode: 'test', localWebhooks: true });
  const { apiKey } = await createAccount(REDIS_URL, { ...account, env: secrets }).catch((error) => {
    throw new Stop('The development API key could not be created.', error.message);
  });
  writeSecret(file, apiKey);
  return apiKey;
}

/**
 * Reads the usage, which costs nothing. An unknown key gets 401.
 * @param {string} key
 * @param {string} gatewayUrl
 */
async function isAccepted(key, gatewayUrl) {
  const status = await statusOf(`${gatewayUrl}/usage`, { headers: { authorization: `Bearer ${key}` } });
  return status !== 401;
}
