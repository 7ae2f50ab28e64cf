// Waits for a state with a deadline. An event can trigger the next probe.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends a hang: what tests wait for takes seconds, and minutes on a machine under load. */
const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_INTERVAL_MS = 20;

/**
 * @typedef {object} WaitOptions
 * @property {number} [timeoutMs]
 * @property {number} [intervalMs] between two probes, where no event wakes the wait earlier
 * @property {readonly [import('node:events').EventEmitter, string]} [wakeOn] event after which the probe runs again at
 * once
 * @property {AbortSignal} [signal] ends the wait with its reason
 */

/**
 * Probes until the result is truthy. A probe that throws counts as "not yet", and the timeout error quotes it.
 * @template T
 * @param {string} what completes the sentence "Timed out after 300 s waiting until ..."
 * @param {() => T | Promise<T>} probe
 * @param {WaitOptions} [options]
 * @returns {Promise<NonNullable<Awaited<T>>>}
 */
export async function waitUntil(what, probe, options = {}) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs = DEFAULT_INTERVAL_MS, wakeOn, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    // The last probe begins after the deadline: a process that did not run for a while gets to see what has happened.
    const isLast = performance.now() >= deadline;
    // Listens before the probe, so that no event is lost between the probe and the pause.
    const pause = startPause(Math.min(intervalMs, Math.max(0, deadline - performance.now())), wakeOn);
    try {
      const { result, reason } = await outcomeOf(probe);
      if (result) return /** @type {NonNullable<Awaited<T>>} */ (result);
      if (isLast) {
        throw new Error(
          `Timed out after ${timeoutMs / 1000} s waiting until ${what}${reason && ` (${reason})`}.`,
        );
      }
      await pause.ended;
    } finally {
      pause.cancel();
    }
  }
}

/**
 * @template T
 * @param {() => T | Promise<T>} probe
 */
async function outcomeOf(probe) {
  try {
    return { result: await probe(), reason: '' };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {number} ms
 * @param {WaitOptions['wakeOn']} wakeOn
 */
function startPause(ms, wakeOn) {
  const controller = new AbortController();
  const { signal } = controller;
  const events = wakeOn ? [once(wakeOn[0], wakeOn[1], { signal })] : [];
  const ended = Promise.race([delay(ms, undefined, { signal }), ...events]);
  for (const each of [...events, ended]) each.catch(() => {}); // canceled below
  return { ended, cancel: () => controller.abort() };
}
