// Prints each step and its duration. On a terminal, the elapsed time and the command's latest line are updated.

import { Interrupted } from './stop.mjs';
import { Terminal } from './terminal.mjs';

const TICK_MS = 1000;

/**
 * @callback Step
 * @param {string} title
 * @param {(report: (detail: string) => void) => Promise<void>} work may report details of its progress
 * @returns {Promise<void>}
 */

/**
 * @param {string} label first word of every line, such as "setup"
 * @param {Terminal} [terminal]
 * @returns {Step}
 */
export function progress(label, terminal = new Terminal()) {
  return async (title, work) => {
    const startedAt = performance.now();
    const took = () => duration(performance.now() - startedAt);
    let detail = '';
    const show = () => terminal.status(show, `${label}  ${title} ... ${took()}${detail && `  ${detail}`}`);
    const timer = terminal.isInteractive ? setInterval(show, TICK_MS) : undefined;
    if (!timer) terminal.line(`${label}  ${title} ...`);
    let outcome = 'failed';
    try {
      show();
      await work((line) => {
        detail = line.trim();
        show();
      });
      outcome = `done in ${took()}`;
    } catch (error) {
      if (error instanceof Interrupted) outcome = 'stopped';
      throw error;
    } finally {
      clearInterval(timer);
      terminal.status(show, '');
      terminal.line(`${label}  ${title}: ${outcome}`);
    }
  };
}

/** @param {number} ms */
export function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
