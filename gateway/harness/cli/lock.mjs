// A lock file that names its holder. A lock whose holder no longer runs is free.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeText } from './files.mjs';
import { isAlive, recordOf } from './process-identity.mjs';

const POLL_MS = 200;

/** @typedef {import('./process-identity.mjs').ProcessRecord} ProcessRecord */

/**
 * Takes the lock if it is free.
 * @param {string} file
 * @returns {{ release: () => void } | { holder: ProcessRecord }}
 */
export function tryLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify(recordOf(process.pid));
  for (;;) {
    if (createWhole(file, mine)) {
      const release = () => rmSync(file, { force: true });
      process.once('exit', release);
      return {
        release: () => {
          process.off('exit', release);
          release();
        },
      };
    }
    const content = readIfThere(file);
    if (content === undefined) continue;
    const holder = parse(content);
    if (holder && isAlive(holder)) return { holder };
    removeStale(file, content);
  }
}

/**
 * Waits until the lock is free and takes it.
 * @param {string} file
 * @param {AbortSignal} abort
 * @returns {Promise<() => void>} releases the lock
 */
export async function lock(file, abort) {
  for (;;) {
    abort.throwIfAborted();
    const attempt = tryLock(file);
    if ('release' in attempt) return attempt.release;
    await sleep(POLL_MS);
  }
}

/**
 * Creates a file with its content in one step, so that no process reads a half-written lock.
 * @param {string} file
 * @param {string} content
 * @returns {boolean} false when the file was there already
 */
function createWhole(file, content) {
  const draft = `${file}.${process.pid}`;
  try {
    writeText(draft, content, { mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Moves the lock aside before deleting it. If another process found the same stale lock and has already replaced it
 * with its own, the moved lock is put back.
 * @param {string} file
 * @param {string} staleContent
 */
function removeStale(file, staleContent) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== staleContent) linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {string} content @returns {ProcessRecord | undefined} */
function parse(content) {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
