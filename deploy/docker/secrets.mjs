// `node deploy/docker/secrets.mjs`: writes the secrets of compose.yaml to deploy/docker/.env. Docker Compose reads this
// file by default, and only its owner may read it. The script adds missing secrets to a file that exists and changes none,
// because another KEY_SECRET would make every API key invalid and every liveness session unreadable. Keep a copy of it
// apart from the backup of Redis.

import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The output length of SHA-256, which all HMACs and key derivations with these secrets use. */
const SECRET_BYTES = 32;

const SECRETS = [
  ['KEY_SECRET', 'Hashes API keys and seals liveness sessions. It cannot be changed.'],
  [
    'ADMIN_TOKEN',
    "Token of the operators' API. To change it, edit this line and run `docker compose up -d`.",
  ],
  ['REDIS_PASSWORD', 'Password of Redis, which other machines cannot reach. Change it in the same way.'],
  [
    'REDIS_KEYS_PASSWORD',
    'Password of the Redis with the keys of liveness sessions, which the other password does not open. Change it in the same way.',
  ],
];

const SETTINGS = `# Public addresses, if browsers and clients connect through a reverse proxy.
#API_URL=https://api.presenza.example.com
#SITE_URL=https://presenza.example.com
#VERIFY_URL=https://presenza.example.com/verify
# The source code, for edit links and the clone command of the site.
#REPOSITORY_URL=https://git.example.com/presenza
# Mail server of the console. Without it, \`docker compose exec gateway node dist/admin/cli.js mails list\` shows its mails.
#SMTP_URL=smtps://user:password@mail.example.com
#MAIL_FROM=Presenza <no-reply@example.com>
# No console.
#CONSOLE=off
# A request in your log viewer, to which its error links, in place of the console.
#REQUEST_LOG_URL=https://logs.example.com/search?q={requestId}
# Number of reverse proxies in front of the gateway. Without it, all clients seem to have one address.
#GATEWAY_TRUST_PROXY=1
`;

const newSecrets = (/** @type {readonly string[][]} */ secrets) =>
  secrets
    .map(([name, about]) => `# ${about}\n${name}=${randomBytes(SECRET_BYTES).toString('hex')}\n`)
    .join('');

/**
 * @param {string} file
 * @returns {string[]} the names of secrets that a file of an earlier version lacked; none for a new file
 * @throws {Error} with a sentence if the file has every secret
 */
function writeSecrets(file) {
  try {
    writeFileSync(file, `${newSecrets(SECRETS)}${SETTINGS}`, { mode: 0o600, flag: 'wx' });
    return [];
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  const text = readFileSync(file, 'utf8');
  const missing = SECRETS.filter(([name]) => !new RegExp(`^${name}=`, 'm').test(text));
  if (missing.length === 0) throw new Error(`${file} already exists and was not changed.`);
  appendFileSync(file, `${text.endsWith('\n') ? '' : '\n'}${newSecrets(missing)}`);
  return missing.map(([name = '']) => name);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const file = resolve(process.argv[2] ?? fileURLToPath(new URL('.env', import.meta.url)));
  try {
    const added = writeSecrets(file);
    const what = added.length > 0 ? `Added ${added.join(', ')} to` : 'Wrote';
    console.log(`${what} ${file}. Keep a copy of it apart from the backups of Redis.`);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
