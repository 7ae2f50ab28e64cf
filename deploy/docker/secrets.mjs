// The secrets of compose.yaml, made once: `node deploy/docker/secrets.mjs` writes deploy/docker/.env, which only its
// owner may read and Docker Compose reads by itself. It overwrites nothing: another KEY_SECRET would make every API key
// invalid, and every liveness session unreadable. Keep a copy of the file apart from the backup of Redis.

import { randomBytes } from 'node:crypto';
import { realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As many as SHA-256 has, the function of the HMACs and key derivations they are used in. */
const SECRET_BYTES = 32;

const SECRETS = [
  ['KEY_SECRET', 'API keys are hashed, and what sessions hold is sealed, under it. It cannot be changed.'],
  ['ADMIN_TOKEN', "Of the operators' API. To change it, write another and run `docker compose up -d`."],
  ['REDIS_PASSWORD', 'Of the Redis here, which no other machine reaches. To change it, as above.'],
];

const SETTINGS = `# Where browsers and clients reach this, if not on this machine alone: what stands behind your reverse proxy.
#API_URL=https://api.presenza.example.com
#SITE_URL=https://presenza.example.com
#VERIFY_URL=https://presenza.example.com/verify
# How many reverse proxies stand in front of the gateway. Without it all clients seem to have one address.
#GATEWAY_TRUST_PROXY=1
`;

/**
 * @param {string} file
 * @throws {Error} one sentence, when it exists
 */
function writeSecrets(file) {
  const lines = SECRETS.map(
    ([name, about]) => `# ${about}\n${name}=${randomBytes(SECRET_BYTES).toString('hex')}\n`,
  );
  try {
    writeFileSync(file, `${lines.join('')}${SETTINGS}`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    throw new Error(`${file} exists and is left as it is.`, { cause: error });
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const file = resolve(process.argv[2] ?? fileURLToPath(new URL('.env', import.meta.url)));
  try {
    writeSecrets(file);
    console.log(`Wrote ${file}. Keep a copy of it where no copy of Redis's data is.`);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
