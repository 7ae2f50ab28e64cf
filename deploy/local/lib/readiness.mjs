// Waits until something that was started says that it is ready.

import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from './http.mjs';
import { Stop } from './stop.mjs';

const POLL_MS = 50;

/** Models load within seconds on a CPU and within minutes on a GPU driver in software. Longer means that something hangs. */
const PATIENCE_MS = 300_000;

/**
 * @param {string} what subject of the sentence shown when it never gets ready
 * @param {() => Promise<unknown>} probe rejects while it is not ready
 * @param {{ abort: AbortSignal, patienceMs?: number }} options
 */
export async function untilReady(what, probe, { abort, patienceMs = PATIENCE_MS }) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    abort.throwIfAborted();
    try {
      await probe();
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Stop(`${what} was not ready after ${Math.round(patienceMs / 1000)} s (${reason}).`);
      }
    }
    await sleep(POLL_MS);
  }
}

/** @param {string} url @returns {() => Promise<void>} */
export function answersOk(url) {
  return async () => {
    const status = await statusOf(url);
    if (status !== 200) throw new Error(`${url} answered ${status}`);
  };
}
