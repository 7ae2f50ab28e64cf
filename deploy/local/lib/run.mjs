// Runs a command with its output held back, so that a set-up that works shows only its progress lines.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ROOT } from './paths.mjs';
import { Stop } from './stop.mjs';

/** A failed command names its cause in its first lines or in its last ones. */
const FIRST_LINES = 20;
const LAST_LINES = 40;
/** For a command to end after SIGTERM. */
const GRACE_MS = 5_000;

/**
 * @typedef {object} RunOptions
 * @property {AbortSignal} abort ends the command and everything it started
 * @property {string} [cwd] the repository's root unless given
 * @property {Record<string, string>} [env] added to this process's environment
 * @property {string} [remedy] sentence shown when the command fails
 * @property {(line: string) => void} [onLine] called with each line that the command prints
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<void>}
 * @throws {Stop} when the command fails, with the first and last lines that it printed
 */
export async function run(command, args, { abort, cwd = ROOT, env = {}, remedy, onLine }) {
  abort.throwIfAborted();
  // A process group of its own: on Ctrl-C the whole tree below the command is ended from here, once.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = keepEnds([child.stdout, child.stderr], onLine);
  const { pid } = child;
  const kill = () => pid !== undefined && signalGroup(pid, 'SIGKILL');
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const end = () => {
    if (pid !== undefined) signalGroup(pid, 'SIGTERM');
    timer = setTimeout(kill, GRACE_MS);
  };
  // Nothing else ends what the command started and left behind.
  child.once('exit', kill);
  abort.addEventListener('abort', end, { once: true });
  try {
    const failure = await ending(child);
    abort.throwIfAborted();
    if (failure) {
      const what = `${[command, ...args].join(' ')} ${failure}.`;
      throw new Stop(remedy ? `${what}\n${remedy}` : what, output());
    }
  } finally {
    abort.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string | undefined>} how the command failed, undefined when it did not
 */
function ending(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started (${error.message})`));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
}

/**
 * Signals a process group. Groups that are gone, or belong to root because sudo started them, are left alone.
 * @param {number} leader pid of the group's leader
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH or EPERM: there is nothing here for us to end.
  }
}

/**
 * @param {import('node:stream').Readable[]} streams
 * @param {(line: string) => void} [onLine]
 * @returns {() => string} the first and the last lines so far
 */
function keepEnds(streams, onLine) {
  /** @type {string[]} */
  const first = [];
  /** @type {string[]} */
  const last = [];
  let left = 0;
  for (const input of streams) {
    createInterface({ input }).on('line', (line) => {
      onLine?.(line);
      if (first.length < FIRST_LINES) first.push(line);
      else if (last.push(line) > LAST_LINES) {
        last.shift();
        left++;
      }
    });
  }
  return () => [...first, ...(left > 0 ? [`... ${left} lines left out ...`] : []), ...last].join('\n').trim();
}
