// The installed Chromium, which tests, benchmarks and screenshots drive.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @returns {string} @throws Error where none is on the PATH */
export function findChromium() {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
  const path = files.find((file) => existsSync(file));
  if (!path) throw new Error('There is no chromium on the PATH.');
  return path;
}
