// Secrets of a local start that outlive it, as files only their owner may read.

import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_SECRET_BYTES = 32;

/**
 * The secret that API keys are hashed with: another one would make every key in Redis worthless, so it is made once.
 * @param {string} dataDir
 * @returns {string} hexadecimal
 */
export function keySecretIn(dataDir) {
  const file = join(dataDir, 'key-secret');
  const kept = readSecret(file);
  if (kept) return kept;
  const made = randomBytes(KEY_SECRET_BYTES).toString('hex');
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
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600); // the mode above only counts for a new file
}
