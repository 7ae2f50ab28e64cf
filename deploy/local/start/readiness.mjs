// Waits until a tier is ready, and stops the script with a sentence if it never is.

import { Stop } from '../../../gateway/harness/cli/stop.mjs';
import { statusOf } from '../../../gateway/harness/http.mjs';
import { waitUntil } from '../../../gateway/harness/wait.mjs';

/** Models load within seconds on a CPU and within minutes on a GPU driver in software. A longer wait means a hang. */
const TIMEOUT_MS = 300_000;

/**
 * @param {string} subject grammatical subject of the sentence shown after a timeout
 * @param {() => Promise<unknown>} probe rejects while it is not ready
 * @param {{ abort: AbortSignal, timeoutMs?: number }} options
 */
export async function untilReady(subject, probe, { abort, timeoutMs = TIMEOUT_MS }) {
  let reason = '';
  const isReady = async () => {
    try {
      await probe();
      return true;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      return false;
    }
  };
  await waitUntil(`${subject} is ready`, isReady, { timeoutMs, signal: abort }).catch(() => {
    abort.throwIfAborted();
    throw new Stop(`${subject} was not ready after ${Math.round(timeoutMs / 1000)} s (${reason}).`);
  });
}

/** @param {string} url @returns {() => Promise<void>} */
export function respondsOk(url) {
  return async () => {
    const status = await statusOf(url);
    if (status !== 200) throw new Error(`${url} responded with ${status}`);
  };
}
