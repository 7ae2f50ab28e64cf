// Puts load on a running service. `drive` is an open model: requests start on schedule, independent of earlier ones.
// `saturate` is a closed model: each client sends a request when it has the response to the last one.

import { setTimeout as delay } from 'node:timers/promises';

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
