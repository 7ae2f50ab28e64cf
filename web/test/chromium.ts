/** The browser that is installed: these tests bring none. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @throws Error where none is on the PATH */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file));
  if (!found) throw new Error('These tests need chromium on the PATH.');
  return found;
}
