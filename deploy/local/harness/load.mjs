// Puts load on a running service. `drive` is an open model: requests start on schedule, independent of earlier ones.
// `saturate` is a closed model: each client sends a request when it has the response to the last one. `runK6` runs
// scripts of k6.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from './folders.mjs';
import { runToEnd } from './process.mjs';

/** Requests in flight. Above this number `drive` skips requests, so that an outage does not pile them up. */
const MAX_PENDING = 64;

/**
 * Begins requests at a steady rate until `signal` is aborted or the time is up.
 * @template T
 * @param {object} options
 * @param {number} options.perSecond
 * @param {(number: number) => Promise<T>} options.send
 * @param {number} [options.durationMs]
 * @param {AbortSignal} [options.signal]
 * @param {number} [options.maxPending]
 * @returns {Promise<{ results: T[], skipped: number }>} skipped: requests that were due while too many were pending
 */
export async function drive({
  perSecond,
  send,
  durationMs = Number.POSITIVE_INFINITY,
  signal,
  maxPending = MAX_PENDING,
}) {
  /** @type {Promise<T>[]} */
  const all = [];
  let pending = 0;
  let skipped = 0;
  const begin = performance.now();
  // Computes each due time from the start, so that delays do not add up to a lower rate.
  for (let number = 0, dueMs = 0; dueMs < durationMs && !signal?.aborted; number++) {
    if (pending < maxPending) {
      pending += 1;
      all.push(
        send(number).finally(() => {
          pending -= 1;
        }),
      );
    } else skipped += 1;
    dueMs = (1e3 * (number + 1)) / perSecond;
    const waitMs = Math.max(0, begin + dueMs - performance.now());
    await delay(waitMs, undefined, signal && { signal }).catch(() => {});
  }
  return { results: await Promise.all(all), skipped };
}

/**
 * Measures the highest rate that a number of clients can reach.
 * @template T
 * @param {object} options
 * @param {number} options.clients
 * @param {number} options.durationMs
 * @param {(number: number) => Promise<T>} options.send
 * @returns {Promise<{ results: T[], perSecond: number }>}
 */
export async function saturate({ clients, durationMs, send }) {
  /** @type {T[]} */
  const results = [];
  let number = 0;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - begin < durationMs) results.push(await send(number++));
    }),
  );
  return { results, perSecond: (1e3 * results.length) / (performance.now() - begin) };
}

/**
 * With hundreds of virtual users, k6's garbage collector takes much CPU time from the service on the same machine: k6
 * then reported 100 ms and more for tens of requests. These settings make collections rare and limit the heap.
 */
const RARE_COLLECTION = { GOGC: '1000', GOMEMLIMIT: '4GiB' };
/** k6's exit code for a crossed threshold, which is a result and not a failure. */
const THRESHOLDS_CROSSED = 99;

/**
 * Runs a k6 script.
 * @param {string} k6 path of the program, from `installTool(K6, ...)`
 * @param {string} script
 * @param {{ env?: Readonly<NodeJS.ProcessEnv>, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ points: string, summary: string, thresholdsHeld: boolean }>} paths of k6's JSON output, one line
 * per
 *   sample, and of its summary
 * @throws Error with k6's last output when the script itself fails
 */
export async function runK6(k6, script, { env = {}, onStart } = {}) {
  const folder = temporaryFolder();
  const [points, summary] = [join(folder, 'points.json'), join(folder, 'summary.json')];
  const args = [
    'run',
    '--quiet',
    '--no-color',
    '--out',
    `json=${points}`,
    '--summary-export',
    summary,
    script,
  ];
  const { code, stderr } = await runToEnd(k6, args, {
    name: 'k6',
    env: { ...RARE_COLLECTION, K6_NO_USAGE_REPORT: 'true', ...env },
    ...(onStart && { onStart: ({ pid }) => onStart(pid) }),
  });
  if (code !== 0 && code !== THRESHOLDS_CROSSED)
    throw new Error(`k6 ended with exit code ${code}:\n${stderr.slice(-4096)}`);
  return { points, summary, thresholdsHeld: code === 0 };
}
