// Starts child processes, waits until they are ready, and stops or breaks them. Each leads a process group, so nothing
// that it started outlives it.

import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { reap } from './reaper.mjs';
import { waitUntil } from './wait.mjs';

/** A tier with a GPU driver in software takes minutes to warm up. */
const START_TIMEOUT_MS = 300_000;
/** Ends a hang: longer than any tier's own drain, even on a machine under load. */
const STOP_TIMEOUT_MS = 120_000;
/** Output kept of each stream of a process that may run for hours. The oldest is dropped first. */
const KEPT_CHARACTERS = 2 ** 20;
/** Lines of the log that an error quotes. */
const TAIL_LINES = 30;

/**
 * @typedef {object} LaunchOptions
 * @property {string} [name] for errors; default: the program
 * @property {string} [cwd]
 * @property {Readonly<NodeJS.ProcessEnv>} [env] added to this process's environment
 * @property {string} [input] written to stdin
 * @property {(line: string) => void} [onLine] called with each line of output
 * @property {boolean} [keepStdout] keeps all of stdout, not only its end
 *
 * @typedef {LaunchOptions & { ready: string | RegExp, timeoutMs?: number }} StartOptions
 *   ready: part of the line that the program prints when it is ready
 *
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit
 */

/** The last lines of a stream, at one array operation per chunk: tiers under load log thousands of lines a second. */
class Output {
  /** @type {string[]} */
  #chunks = [];
  #length = 0;

  /** @param {number} [most] characters */
  constructor(most = KEPT_CHARACTERS) {
    this.most = most;
  }

  /** @param {string} chunk */
  add(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length > this.most && this.#chunks.length > 1) {
      this.#length -= /** @type {string} */ (this.#chunks.shift()).length;
    }
  }

  get text() {
    return this.#chunks.join('');
  }
}

/** A child process and its output. */
export class RunningProcess extends EventEmitter {
  #output = new Output();
  #stdout;
  #stderr = new Output();
  /** @type {Exit | undefined} */
  #exit;

  /**
   * @param {string} command
   * @param {readonly string[]} args
   * @param {LaunchOptions} [options]
   */
  constructor(command, args, { name = command, cwd, env = {}, input, onLine, keepStdout = false } = {}) {
    super();
    this.#stdout = new Output(keepStdout ? Number.POSITIVE_INFINITY : KEPT_CHARACTERS);
    this.name = name;
    this.child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.child.stdin?.on('error', () => {}).end(input); // the child may end before it reads
    this.#keep(this.child.stdout, this.#stdout, onLine);
    this.#keep(this.child.stderr, this.#stderr, onLine);
    this.child.once('exit', () => this.signalGroup('SIGKILL')); // ends the processes that it left behind
    /** Resolves when the process has ended and its last output is read. @type {Promise<Exit>} */
    this.ended = new Promise((resolve) => {
      const end = (/** @type {Exit} */ exit) => {
        this.#exit = exit;
        resolve(exit);
        this.emit('change');
      };
      this.child.once('close', (code, signal) => end({ code, signal }));
      this.child.once('error', (error) => {
        this.#output.add(`${error.message}\n`);
        if (this.child.pid === undefined) end({ code: 127, signal: null });
      });
    });
  }

  /**
   * @param {import('node:stream').Readable | null} stream
   * @param {Output} streamLines
   * @param {LaunchOptions['onLine']} onLine
   */
  #keep(stream, streamLines, onLine) {
    let rest = '';
    const take = (/** @type {string} */ lines) => {
      this.#output.add(lines);
      streamLines.add(lines);
      if (onLine) linesOf(lines).forEach(onLine);
      this.emit('change');
    };
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end === 0) {
        rest += chunk;
        return;
      }
      take(rest + chunk.slice(0, end));
      rest = chunk.slice(end);
    });
    stream?.once('end', () => {
      if (rest !== '') take(rest);
    });
  }

  /** @throws Error if the program could not be started */
  get pid() {
    if (this.child.pid === undefined) throw new Error(`${this.name} could not be started.`);
    return this.child.pid;
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.#exit !== undefined;
  }

  /** Lines of both streams, oldest first. */
  get log() {
    return linesOf(this.#output.text);
  }

  /** Text of stdout alone. */
  get stdout() {
    return this.#stdout.text;
  }

  /** Text of stderr alone. */
  get stderr() {
    return this.#stderr.text;
  }

  /** The last lines of both streams, for the message of an error. */
  get tail() {
    return this.log.slice(-TAIL_LINES).join('\n');
  }

  /**
   * Waits for a line of output, which may already be in the log.
   * @param {string | RegExp} part
   * @param {{ timeoutMs?: number }} [options]
   * @returns {Promise<string>}
   * @throws Error with the last lines when the process ends first or the time is up
   */
  async line(part, { timeoutMs = START_TIMEOUT_MS } = {}) {
    const matches = (/** @type {string} */ line) =>
      typeof part === 'string' ? line.includes(part) : part.test(line);
    const find = () => {
      const line = this.log.find(matches);
      if (line !== undefined) return { line };
      return this.#exit && { line };
    };
    const { line } = await waitUntil(`${this.name} prints ${part}`, find, {
      timeoutMs,
      intervalMs: timeoutMs,
      wakeOn: [this, 'change'],
    }).catch((error) => {
      throw new Error(`${error.message} Its last lines:\n${this.tail}`);
    });
    if (line === undefined) {
      throw new Error(
        `${this.name} ended (${describeExit(this.#exit)}) before it printed ${part}:\n${this.tail}`,
      );
    }
    return line;
  }

  /**
   * Ends the process with SIGTERM, and with SIGKILL if it does not end in time.
   * @param {{ signal?: NodeJS.Signals, group?: boolean, timeoutMs?: number, onTimeout?: () => void }} [options]
   *   group: also signals everything that the process started
   * @returns {Promise<Exit>}
   */
  async stop({ signal = 'SIGTERM', group = false, timeoutMs = STOP_TIMEOUT_MS, onTimeout } = {}) {
    const timer = setTimeout(() => {
      onTimeout?.();
      this.signalGroup('SIGKILL');
    }, timeoutMs);
    if (group) this.signalGroup(signal);
    else this.child.kill(signal);
    const exit = await this.ended;
    clearTimeout(timer);
    return exit;
  }

  /** Ends the process as a crash does. */
  async kill() {
    this.signalGroup('SIGKILL');
    return this.ended;
  }

  /** Suspends the process, as on a machine that hangs, until `thaw`. */
  freeze() {
    this.signalGroup('SIGSTOP');
  }

  thaw() {
    this.signalGroup('SIGCONT');
  }

  /** @param {NodeJS.Signals} signal */
  signalGroup(signal) {
    if (this.child.pid !== undefined) signalGroup(this.child.pid, signal);
  }
}

/**
 * Signals a process group. A group that is gone or belongs to another user is left alone.
 * @param {number} leader
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH or EPERM: nothing here is ours to signal.
  }
}

/**
 * Starts a program and waits until it is ready. The program ends with this one at the latest.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {StartOptions} options
 * @returns {Promise<RunningProcess & { readyLine: string }>}
 */
export async function startProcess(command, args, { ready, timeoutMs, ...options }) {
  const running = new RunningProcess(command, args, options);
  reap(running.child);
  try {
    const readyLine = await running.line(ready, timeoutMs === undefined ? {} : { timeoutMs });
    return Object.assign(running, { readyLine });
  } catch (error) {
    await running.kill();
    throw error;
  }
}

/**
 * Runs a program to its end, which comes with the end of this program at the latest. Callers parse its output, so all of
 * stdout is kept.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {LaunchOptions & { onStart?: (running: RunningProcess) => void }} [options]
 * @returns {Promise<Exit & { stdout: string, stderr: string }>}
 */
export async function runToEnd(command, args, { onStart, ...options } = {}) {
  const running = new RunningProcess(command, args, { ...options, keepStdout: true });
  reap(running.child);
  onStart?.(running);
  const exit = await running.ended;
  return { ...exit, stdout: running.stdout, stderr: running.stderr };
}

/** @param {string} text */
const linesOf = (text) => text.split('\n').filter((line) => line !== '');

/** @param {Exit | undefined} exit */
export const describeExit = (exit) => exit?.signal ?? `exit code ${exit?.code}`;
