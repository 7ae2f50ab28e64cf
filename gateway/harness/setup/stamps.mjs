// Checks whether an output is up to date. The hash of its inputs' content lies in the output folder, so deleting the
// output deletes the stamp.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeText } from '../cli/files.mjs';

const STAMP = '.presenza-stamp';
const DRAFT = `${STAMP}.draft`;

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
  return linesOf(folder)[0];
}

/** @param {string} folder @returns {string[]} the stamp and a line for each recorded file, empty without a stamp */
function linesOf(folder) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * @param {string} folder
 * @param {string} stamp
 * @param {string[]} [files] files that belong to the output, relative to the folder, to notice their loss
 */
export function writeStamp(folder, stamp, files = []) {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, DRAFT);
  const lines = files.map((path) => `${sizeOf(folder, path)} ${path}`);
  writeText(draft, [stamp, ...lines].join('\n'));
  // One step replaces the stamp, so that a full disk leaves the old one and never half of the new one.
  renameSync(draft, join(folder, STAMP));
}

/** @param {string} folder @returns {string[]} the files that its stamp records, relative to the folder */
export function recordedFiles(folder) {
  return linesOf(folder)
    .slice(1)
    .map((line) => line.slice(line.indexOf(' ') + 1));
}

/**
 * @param {string} folder
 * @param {string} [stamp] of today's inputs. Sizes are compared only if they are those of the recorded files: after an edit,
 * another program, such as a compiler run by hand, may have written newer files.
 * @returns {string | undefined} a recorded file that is missing or has another size, undefined if there is none
 */
export function damagedFile(folder, stamp) {
  const [recorded, ...lines] = linesOf(folder);
  return lines
    .map((line) => ({ size: line.split(' ', 1)[0], path: line.slice(line.indexOf(' ') + 1) }))
    .find(({ size, path }) => {
      const now = sizeOf(folder, path);
      return now === undefined || (recorded === stamp && String(now) !== size);
    })?.path;
}

/** @param {string} folder @param {string} path @returns {number | undefined} bytes, undefined if there is no such file */
const sizeOf = (folder, path) => statSync(join(folder, path), { throwIfNoEntry: false })?.size;

/** @param {string} folder @returns {string[]} all files below it, relative to it, without its stamp */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ![STAMP, DRAFT].includes(entry.name))
    .map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)));
}

/** @param {string} folder */
export function removeStamp(folder) {
  rmSync(join(folder, STAMP), { force: true });
}
