// One line per piece of work: what is being done, then how long it took.

import { Interrupted } from './stop.mjs';

/**
 * @callback Step
 * @param {string} title
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */

/**
 * @param {string} label first word of every line, such as "setup"
 * @param {{ write: (text: string) => unknown }} stream
 * @returns {Step}
 */
export function progress(label, stream = process.stdout) {
  return async (title, work) => {
    const startedAt = performance.now();
    stream.write(`${label}  ${title} ... `);
    try {
      await work();
    } catch (error) {
      stream.write(error instanceof Interrupted ? ' stopped\n' : ' failed\n');
      throw error;
    }
    stream.write(` done in ${duration(performance.now() - startedAt)}\n`);
  };
}

/** @param {number} ms */
export function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
