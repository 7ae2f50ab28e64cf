import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths of all files in a folder and its subfolders. @param {string} folder */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Node 20.9 names the folder `path`, later versions `parentPath`.
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath, path }) => join(parentPath ?? path, name));
}
