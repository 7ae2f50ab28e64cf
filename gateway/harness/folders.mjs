// Temporary folders that are removed when this program ends.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @type {Set<string>} */
const folders = new Set();
process.once('exit', () => folders.forEach(removeFolder));

/** @returns {string} a new folder, removed when this program ends */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-'));
  folders.add(folder);
  return folder;
}

/** @param {string} folder */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/**
 * Calls `use` with a new folder and removes it at the end.
 * @template T
 * @param {(folder: string) => T | Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withFolder(use) {
  const folder = temporaryFolder();
  try {
    return await use(folder);
  } finally {
    removeFolder(folder);
  }
}
