// Checks whether an output is up to date. The hash of its inputs' content lies in the output folder, so deleting the
// output deletes the stamp.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../cli/files.mjs';

const STAMP = '.presenza-stamp';

/** Stamp of an output whose build runs, or ended before it was complete. */
export const UNFINISHED = 'unfinished';

/**
 * @typedef {object} Input
 * @property {string} path file or folder, relative to the root with forward slashes
 * @property {string[]} [skip] names of files and folders to omit at any depth
 * @property {string} [ending] includes only files whose names end like this
 */

/**
 * Hashes paths, contents and further values. An input that does not exist counts as empty.
 * @param {string} root
 * @param {Input[]} inputs
 * @param {string[]} [values]
 * @returns {string} SHA-256, hexadecimal
 */
export function contentHash(root, inputs, values = []) {
  const hash = createHash('sha256').update(JSON.stringify(values));
  for (const input of inputs) {
    for (const path of filesOf(root, input.path, input)) {
      const content = readFileSync(join(root, path));
      // The length keeps two neighboring files apart from one file that holds both.
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} path
 * @param {Input} input
 * @returns {string[]} in an order that does not depend on the file system
 */
function filesOf(root, path, input) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    return readdirSync(join(root, path))
      .filter((name) => !input.skip?.includes(name))
      .sort()
      .flatMap((name) => filesOf(root, `${path}/${name}`, input));
  }
  return stats?.isFile() && path.endsWith(input.ending ?? '') ? [path] : [];
}

/** @param {string} folder @returns {string | undefined} */
export function readStamp(folder) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} folder @param {string} stamp */
export function writeStamp(folder, stamp) {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `${STAMP}.draft`);
  writeText(draft, stamp);
  // In one step, so that a full disk leaves the old stamp and never half of the new one.
  renameSync(draft, join(folder, STAMP));
}

/** @param {string} folder */
export function removeStamp(folder) {
  rmSync(join(folder, STAMP), { force: true });
}
