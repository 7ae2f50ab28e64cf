/** Programs that a measurement starts, watches from outside and ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Skip } from './skip.mjs';

/** @typedef {Awaited<ReturnType<typeof startProcess>>} RunningProcess */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Makes sure that a child does not outlive this program.
 * @template {import('node:child_process').ChildProcess} C
 * @param {C} child
 * @returns {C}
 */
export function endWithThis(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;
const TAIL_BYTES = 4096;

/**
 * Starts a program and waits until a line of its output says that it is ready.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, ready: string }} options `ready`: what the line contains
 */
export async function startProcess(command, args, { env = {}, ready }) {
  const child = endWithThis(
    spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const output = keepTail(child);
  const line = await whenReady(child, output, ready).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    pid: /** @type {number} */ (child.pid),
    /** The line of readiness. */
    line,
    /** Its last output, for the message of a failure. */
    tail: () => output.text,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => end(child, 'SIGTERM'),
    /** Ends it as a crash does: without a word to it. */
    kill: () => end(child, 'SIGKILL'),
    /** Stops it from running at all, as a machine that hangs, until `thaw`. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}

/**
 * Reads all output, so that the child never waits for a full pipe, and keeps its end: thousands of lines a second
 * must cost next to nothing here.
 * @param {import('node:child_process').ChildProcess} child
 */
function keepTail(child) {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output.text = text.length >= TAIL_BYTES ? text : (output.text + text).slice(-TAIL_BYTES);
    });
  }
  return output;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ text: string }} output
 * @param {string} ready
 * @returns {Promise<string>}
 */
function whenReady(child, output, ready) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(new Error(`Not ready in time:\n${output.text}`)), START_LIMIT_MS);
    const look = () => {
      const line = output.text
        .split('\n')
        .slice(0, -1)
        .find((one) => one.includes(ready));
      if (line !== undefined) finish(undefined, line);
    };
    const ended = (/** @type {number | null} */ code) =>
      finish(new Error(`It ended with ${code} before it was ready:\n${output.text}`));
    /** @param {Error | undefined} error @param {string} [line] */
    function finish(error, line = '') {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.off('close', ended).off('error', finish);
      if (error) reject(error);
      else resolve(line);
    }
    child.stdout?.on('data', look);
    child.once('close', ended).once('error', finish);
  });
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

/** Descriptors that a process holds. @param {number} pid */
export const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** For programs that cannot be asked to pick one themselves. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** @throws Skip where processes cannot be watched from outside */
export function needProc() {
  if (!existsSync('/proc/self/fd'))
    throw new Skip('Processes are watched through /proc, which this system lacks.');
}

/** Linux counts processor time of others in ticks of this many a second (USER_HZ, fixed for user space). */
const TICKS_PER_SECOND = 100;

/** Processor time that a process took so far, its threads together, in seconds. @param {number} pid */
export function cpuSecondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything; after it, fields 14 and 15 of proc(5) are utime and stime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory of a process: now, and the most it ever had. @param {number} pid */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [rssMiB, peakMiB] = ['VmRSS', 'VmHWM'].map(
    (name) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1]) / 1024,
  );
  return { rssMiB, peakMiB };
}
