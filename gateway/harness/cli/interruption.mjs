// Ctrl-C, termination signals and a closed output as one AbortSignal, which they abort once.

import { Interrupted } from './stop.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * npm forwards the Ctrl-C that the terminal has already sent to its child as well, so one keypress arrives twice
 * within a few milliseconds. A later signal is a second keypress.
 */
const SAME_KEYPRESS_MS = 500;

/**
 * @typedef {object} Interruption
 * @property {AbortSignal} abort aborted, with an Interrupted as its reason, by the first signal or a closed output
 * @property {Promise<void>} requested resolves then
 * @property {Promise<void>} insisted resolves at a second one
 */

/**
 * Takes over the process's termination signals, and the end of the program that reads its output, as in `npm start | head`.
 * @param {{ on: (signal: NodeJS.Signals, listener: () => void) => unknown }} source
 * @param {() => number} now milliseconds
 * @param {{ on: (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown }} output
 * @returns {Interruption}
 */
export function watchSignals(source = process, now = () => performance.now(), output = process.stdout) {
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
  output.on('error', ({ code }) => {
    if (code !== 'EPIPE' || firstAt !== undefined) return;
    firstAt = now();
    controller.abort(new Interrupted('the end of the program that reads the output'));
    request();
  });
  return { abort: controller.signal, requested, insisted };
}
