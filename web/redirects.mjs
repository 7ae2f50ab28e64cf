/** The redirects that the build lists in the format of static hosts, and those of a console elsewhere. */
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

/** The target for visitors of a console that does not exist. */
const RUN_IT_YOURSELF = '/docs/operations';

/**
 * The part of an address behind /console, if it is an address of the console.
 * @param {string} path
 */
export const behindConsole = (path) => /^\/console((?:\/.*)?)$/.exec(path)?.[1];

/**
 * Where an address of the console leads if this site serves none.
 * @param {string} behind the path behind /console
 * @param {string | undefined} query
 * @param {string | undefined} consoleUrl address of another console, without a trailing slash
 */
export function awayFromConsole(behind, query, consoleUrl) {
  if (consoleUrl === undefined) return RUN_IT_YOURSELF;
  return `${consoleUrl}${behind}${query ? `?${query}` : ''}`;
}
