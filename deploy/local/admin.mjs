// `npm run --silent admin -- ARGS`: runs the gateway's admin CLI for the local Presenza, or for the one that REDIS_URL
// and KEY_SECRET name. It prints nothing else to stdout, because scripts parse it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { checkNode } from '../../gateway/harness/cli/node-version.mjs';
import { ADMIN_CLI } from '../../gateway/harness/cli/paths.mjs';
import { isAlive } from '../../gateway/harness/cli/process-identity.mjs';
import { readSettings } from '../../gateway/harness/cli/settings.mjs';
import { runMain, Stop } from '../../gateway/harness/cli/stop.mjs';
import { readRuntime, runtimeFileIn } from './start/runtime-file.mjs';
import { readSecret } from './start/secrets.mjs';

runMain(async () => {
  checkNode();
  if (!existsSync(ADMIN_CLI)) throw new Stop('The gateway is not built yet: run `npm run build` first.');
  const args = process.argv.slice(2);
  const child = spawn(process.execPath, [ADMIN_CLI, ...args], {
    env: { ...process.env, ...(standsAlone(args) ? {} : connection(readSettings(process.env))) },
    stdio: 'inherit',
  });
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
});

/** Help and the local webhook receiver need no running service. @param {string[]} args */
function standsAlone([first = 'help', ...rest]) {
  if (first === 'webhooks' && rest[0] === 'listen') return true;
  return ['help', '--help', '-h'].includes(first) || rest.includes('--help') || rest.includes('-h');
}

/**
 * @param {Readonly<import('../../gateway/harness/cli/settings.mjs').Settings>} settings
 * @returns {NodeJS.ProcessEnv}
 */
function connection({ dataDir, redisUrl, sessionKeysUrl, keySecret, ports }) {
  const runtime = readRuntime(runtimeFileIn(dataDir));
  const running = runtime && isAlive(runtime.starter) ? runtime : undefined;
  const local = running?.redisUrl;
  const url = redisUrl ?? local;
  if (!url) {
    throw new Stop('Presenza does not run here: start it with `npm start`, or set REDIS_URL and KEY_SECRET.');
  }
  const secret = keySecret ?? readSecret(join(dataDir, 'key-secret'));
  if (!secret) throw new Stop('KEY_SECRET is not set: set it to the secret of the gateway on this Redis.');
  const inference = process.env.INFERENCE_URL || `http://127.0.0.1:${ports.inference}`;
  const keysUrl = sessionKeysUrl ?? (url === local ? running?.sessionKeysUrl : undefined);
  return {
    REDIS_URL: url,
    REDIS_SESSION_KEYS_URL: keysUrl,
    KEY_SECRET: secret,
    INFERENCE_URL: inference,
  };
}
