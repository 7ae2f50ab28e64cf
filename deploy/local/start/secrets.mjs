// Secrets that outlive a local start, in files that only their owner may read.

import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../cli/files.mjs';

const SECRET_BYTES = 32;

/**
 * The secret that API keys are hashed with. A new secret would invalidate every key in Redis, so it is generated once.
 * @param {string} dataDir
 * @returns {string} hexadecimal
 */
export function keySecretIn(dataDir) {
  return madeOnce(join(dataDir, 'key-secret'));
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
  return madeOnce(adminTokenFileIn(dataDir));
}

/** @param {string} file @returns {string} the secret in the file, which is created if it is missing */
function madeOnce(file) {
  const kept = readSecret(file);
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
