// Jest's report as one line of totals.

import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/**
 * @param {string} report file that Jest's --outputFile wrote
 * @returns {Totals | undefined} undefined without a report, or for one without tests, as that of --listTests
 */
export function readTotals(report) {
  if (!existsSync(report)) return undefined;
  const result = JSON.parse(readFileSync(report, 'utf8'));
  if (result.numPassedTests === undefined) return undefined;
  return {
    passed: result.numPassedTests,
    // A test file that does not load has no failed test, but it is a failure.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** @param {readonly (Totals | undefined)[]} runs @returns {Totals | undefined} undefined when no run has totals */
export function addTotals(runs) {
  const totals = runs.filter((run) => run !== undefined);
  if (totals.length === 0) return undefined;
  const sum = (/** @type {keyof Totals} */ name) => totals.reduce((total, run) => total + run[name], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** @param {Totals} totals */
export function describeTotals({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
