// Runs a command of the set-up. It shows the output only if the command fails.

import { ROOT } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { RunningProcess } from '../process.mjs';
import { reap } from '../reaper.mjs';

/** A failed command reports its cause in its first or last lines. */
const FIRST_LINES = 20;
const LAST_LINES = 40;
/** Time for a command to end after SIGTERM. */
const GRACE_MS = 5_000;

/**
 * @typedef {object} RunOptions
 * @property {AbortSignal} abort ends the command and everything it started
 * @property {string} [cwd] default: the repository's root
 * @property {Record<string, string>} [env] added to this process's environment
 * @property {string} [remedy] sentence shown when the command fails
 * @property {(line: string) => void} [onLine] called with each line that the command prints
 * @property {boolean} [outlives] whether the command may go on if this program is killed
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<void>}
 * @throws {Stop} when the command fails, with the first and last lines that it printed
 */
export async function run(command, args, { abort, cwd = ROOT, env = {}, remedy, onLine, outlives = false }) {
  abort.throwIfAborted();
  const running = new RunningProcess(command, args, { cwd, env, ...(onLine && { onLine }) });
  // Otherwise, the next start would install or build in the same folders at the same time.
  if (!outlives) reap(running.child);
  const end = () => void running.stop({ group: true, timeoutMs: GRACE_MS });
  abort.addEventListener('abort', end, { once: true });
  const { code, signal } = await running.ended;
  abort.removeEventListener('abort', end);
  abort.throwIfAborted();
  if (code === 0) return;
  const isStarted = running.child.pid !== undefined;
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  const what = `${[command, ...args].join(' ')} ${isStarted ? how : `could not be started (${running.tail})`}.`;
  throw new Stop(remedy ? `${what}\n${remedy}` : what, endsOf(running.log));
}

/** @param {readonly string[]} lines */
function endsOf(lines) {
  const left = lines.length - FIRST_LINES - LAST_LINES;
  if (left <= 0) return lines.join('\n');
  return [...lines.slice(0, FIRST_LINES), `... ${left} lines omitted ...`, ...lines.slice(-LAST_LINES)].join(
    '\n',
  );
}
