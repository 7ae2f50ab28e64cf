/** Reads the redirects that the build lists in the format of static hosts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} publicDir
 * @returns {(path: string) => string | undefined} the target of a path with or without trailing slash
 */
export function readRedirects(publicDir) {
  const file = join(publicDir, '_redirects');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  /** @type {Map<string, string>} */
  const targets = new Map();
  for (const line of lines) {
    const [from, to] = line.split(' ');
    if (from && to) targets.set(from, to);
  }
  return (path) => targets.get(path.length > 1 ? path.replace(/\/$/, '') : path);
}
