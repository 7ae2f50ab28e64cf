/** Starts and stops the built inference tier as an operator would: a process of its own, configured by variables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { INFERENCE_MAIN } from './paths.mjs';

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;

/**
 * @param {{ env?: Record<string, string>, nodeOptions?: string[], workers?: number }} [options]
 * @returns a service that answers; `startMs` runs from the spawn to the line that says so
 */
export async function startService({ env = {}, nodeOptions = [], workers = availableParallelism() } = {}) {
  if (!existsSync(INFERENCE_MAIN)) throw new Error('The inference tier is not built: run `npm run build`.');
  const begin = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, INFERENCE_MAIN], {
    // Port 0: the system picks a free one, and the line of readiness names it.
    env: {
      ...process.env,
      INFERENCE_PORT: '0',
      INFERENCE_WORKERS: String(workers),
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const tail = keepTail(child);
  const line = await whenReady(child, tail).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url: /** @type {string} */ (line.url),
    pid: /** @type {number} */ (child.pid),
    device: String(line.device),
    workers: Number(line.workers ?? workers),
    startMs: performance.now() - begin,
    /** What the service itself says about its start. */
    reportedStartMs: Number(line.startMs),
    /** Its last lines, for the message of a failure. */
    tail,
    stop: () => stop(child),
  };
}

/** @param {import('node:child_process').ChildProcess} child @returns {string[]} filled as lines come */
function keepTail(child) {
  /** @type {string[]} */
  const tail = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      const entry = parse(line);
      if (entry?.msg === 'inference ready') child.emit('presenza-ready', entry);
    });
  }
  return tail;
}

/** @param {string} line @returns {Record<string, unknown> | undefined} */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string[]} tail
 * @returns {Promise<Record<string, unknown>>}
 */
async function whenReady(child, tail) {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const ended = once(child, 'close', { signal: limit }).then(([code]) => {
    throw new Error(`The inference tier ended with ${code} before it was ready:\n${tail.join('\n')}`);
  });
  const [entry] = await Promise.race([once(child, 'presenza-ready', { signal: limit }), ended]);
  ended.catch(() => {});
  return entry;
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

/**
 * Runs `use` against a service that is stopped afterwards, whatever happens.
 * @template T
 * @param {(service: Service) => Promise<T>} use
 * @param {Parameters<typeof startService>[0]} [options]
 * @returns {Promise<T>}
 */
export async function withService(use, options) {
  const service = await startService(options);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}
