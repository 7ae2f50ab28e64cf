// Writes files so that an error names the file.

import { writeFileSync } from 'node:fs';

/**
 * Node names the file in errors of opening it, but not of writing to it, such as a full disk.
 * @param {string} path
 * @param {string} content
 * @param {{ mode?: number }} [options]
 */
export function writeText(path, content, options = {}) {
  try {
    writeFileSync(path, content, options);
  } catch (error) {
    throw Object.assign(/** @type {NodeJS.ErrnoException} */ (error), { path });
  }
}
