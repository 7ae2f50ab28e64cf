// The API key of a local start, kept from start to start while the gateway accepts it.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ADMIN_CLI, ROOT } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { statusOf } from '../harness/http.mjs';
import { readSecret, writeSecret } from './secrets.mjs';

/** @param {string} dataDir */
export function developmentKeyFileIn(dataDir) {
  return join(dataDir, 'dev-api-key');
}

/**
 * @param {{ dataDir: string, gatewayUrl: string, env: Record<string, string> }} options env of the admin command
 * @returns {Promise<string>}
 */
export async function developmentKey({ dataDir, gatewayUrl, env }) {
  const file = developmentKeyFileIn(dataDir);
  const kept = readSecret(file);
  if (kept && (await isAccepted(kept, gatewayUrl))) return kept;

  const { accountId } = await admin(
    ['accounts', 'create', '--name', 'Development', '--plan', 'business'],
    env,
  );
  const { apiKey } = await admin(['keys', 'create', '--account', String(accountId), '--mode', 'test'], env);
  writeSecret(file, String(apiKey));
  return String(apiKey);
}

/**
 * An empty request costs nothing: a known key gets 400 for it, an unknown one 401.
 * @param {string} key
 * @param {string} gatewayUrl
 */
async function isAccepted(key, gatewayUrl) {
  const status = await statusOf(`${gatewayUrl}/detect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return status !== 401;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<Record<string, unknown>>} the result of the command
 */
function admin(args, env) {
  return new Promise((resolve, reject) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } };
    execFile(process.execPath, [ADMIN_CLI, ...args, '--json'], options, (error, stdout, stderr) => {
      if (error) {
        reject(
          new Stop(
            `The development API key could not be made (${args.slice(0, 2).join(' ')} failed).`,
            stderr,
          ),
        );
      } else {
        resolve(JSON.parse(stdout));
      }
    });
  });
}
