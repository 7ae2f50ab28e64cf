// Ctrl-C and termination signals as one AbortSignal, which repeated signals abort once.

import { Interrupted } from './stop.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * npm forwards the Ctrl-C that the terminal has already sent to its child as well, so one keypress arrives twice
 * within a few milliseconds. A later signal is a second keypress.
 */
const SAME_KEYPRESS_MS = 500;

/**
 * @typedef {object} Interruption
 * @property {AbortSignal} abort aborted, with an Interrupted as its reason, by the first signal
 * @property {Promise<void>} requested resolves at the first signal
 * @property {Promise<void>} insisted resolves at a second one
 */

/**
 * Takes over the process's termination signals.
 * @param {{ on: (signal: NodeJS.Signals, listener: () => void) => unknown }} source
 * @param {() => number} now milliseconds
 * @returns {Interruption}
 */
export function watchSignals(source = process, now = () => performance.now()) {
  const controller = new AbortController();
  /** @type {number | undefined} */
  let firstAt;
  /** @type {() => void} */
  let request = () => {};
  /** @type {() => void} */
  let insist = () => {};
  const requested = new Promise((resolve) => {
    request = () => resolve(undefined);
  });
  const insisted = new Promise((resolve) => {
    insist = () => resolve(undefined);
  });

  for (const signal of SIGNALS) {
    source.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = now();
        controller.abort(new Interrupted(signal));
        request();
      } else if (now() - firstAt > SAME_KEYPRESS_MS) {
        insist();
      }
    });
  }
  return { abort: controller.signal, requested, insisted };
}
