// Secrets that outlive a local start, in files that only their owner may read.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../../../gateway/harness/cli/files.mjs';
import { Stop } from '../../../gateway/harness/cli/stop.mjs';

const SECRET_BYTES = 32;
/** The gateway accepts no other secrets. */
const SECRET = /^(?:[0-9a-f]{2}){32,}$/i;

/**
 * The secret that API keys are hashed with. A new secret would invalidate every key in Redis, so it is generated once.
 * @param {string} dataDir
 * @returns {string} hexadecimal
 * @throws {Stop} if it is lost or damaged while Redis has data
 */
export function keySecretIn(dataDir) {
  const file = join(dataDir, 'key-secret');
  const redis = join(dataDir, 'redis');
  const remedy = `put it back from a backup, set KEY_SECRET to it, or delete ${redis} and ${file} to start without the accounts and keys`;
  if (existsSync(join(redis, 'appendonlydir')) && !readSecret(file)) {
    throw new Stop(
      `${file} is missing or empty, and no API key in ${redis} works without its secret: ${remedy}.`,
    );
  }
  return madeOnce(file, remedy);
}

/** @param {string} dataDir */
export function adminTokenFileIn(dataDir) {
  return join(dataDir, 'admin-token');
}

/**
 * The token of the operators' API.
 * @param {string} dataDir
 * @returns {string} hexadecimal
 */
export function adminTokenIn(dataDir) {
  const file = adminTokenFileIn(dataDir);
  return madeOnce(file, `delete ${file} to get a new one`);
}

/**
 * @param {string} file
 * @param {string} remedy for a damaged file
 * @returns {string} the secret in the file, which is created if it is missing
 */
function madeOnce(file, remedy) {
  const kept = readSecret(file);
  if (kept && !SECRET.test(kept))
    throw new Stop(`${file} is damaged, because it is not a secret of 32 or more bytes as hex: ${remedy}.`);
  if (kept) return kept;
  const made = randomBytes(SECRET_BYTES).toString('hex');
  writeSecret(file, made);
  return made;
}

/** @param {string} file @returns {string | undefined} */
export function readSecret(file) {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {string} file @param {string} secret */
export function writeSecret(file, secret) {
  writeText(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600); // the mode above applies only to a new file
}
