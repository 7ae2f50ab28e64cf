/** Figures and tables that several load measurements share. */
import { atMost, zero } from '../lib/figures.mjs';
import { figure, list } from '../lib/report.mjs';
import { sum } from '../lib/stats.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { LATE } from './analysis.mjs';

/** @typedef {Pick<import('./k6.mjs').K6Run, 'responses' | 'dropped' | 'cutOff'>} Run */
/** @typedef {import('../lib/types').Figure} Figure */

/** A request without a response has failed as well. @param {Pick<Run, 'responses' | 'cutOff'>} run */
export const countFailures = ({ responses, cutOff }) =>
  responses.filter(({ outcome }) => outcome === 'wrong' || outcome === 'failed').length +
  sum(Object.values(cutOff));

/**
 * Under load above the maximum, where the queue is longer than the deadline, a 504 is load shedding, though late. Below the
 * maximum it is a failure.
 * @param {Run['responses']} responses
 */
export const withoutLate = (responses) => responses.filter(({ code }) => code !== LATE);

/** The share of requests that were refused, cut off or never sent, in per cent. @param {Run} run */
export function unservedPercent({ responses, dropped, cutOff }) {
  const lost = Object.values(dropped).flat().length + sum(Object.values(cutOff));
  const refused = responses.filter(({ outcome }) => outcome === 'refused').length;
  return (100 * (refused + lost)) / (responses.length + lost);
}

/** @param {number} value @returns {Figure} */
export const failureFigure = (value) => zero('Wrong or failed responses', value);

/** The target for load that must be carried: a service that refuses everything would meet all other targets. @param {number} value @returns {Figure} */
export const unservedFigure = (value) => atMost('Refused, without a response or never sent', value, '%', 0);

/**
 * One figure per requested operation; infinite without a right response.
 * @param {readonly { operation: string, p95Ms: number | null }[]} rows
 * @param {readonly string[]} operations
 * @param {string} where
 * @returns {Figure[]}
 */
export const p95Figures = (rows, operations, where) =>
  operations.map((operation) =>
    atMost(
      `${operation}, p95, ${where}`,
      rows.find((row) => row.operation === operation)?.p95Ms ?? Number.POSITIVE_INFINITY,
      'ms',
      p95TargetsMs[operation],
    ),
  );

/** @param {number | null} value */
export const ms = (value) => (value === null ? '–' : figure(Number(value.toFixed(1))));

/** @returns {import('../lib/types').Table} */
export const latencyTable = (rows, title, remark = '') => ({
  title,
  columns: 'Operation | Requests | p50, ms | p95, ms | p99, ms | Outcomes',
  rows: rows.map((row) => [
    row.operation,
    row.requests,
    ms(row.p50Ms),
    ms(row.p95Ms),
    ms(row.p99Ms),
    list(row.outcomes),
  ]),
  remark,
});

/** Memory and processor time by process. @returns {import('../lib/types').Table} */
export const resourceTable = ({ cpuCores, rssMb, queueMost }, title = 'Processes') => ({
  title,
  columns: 'Process | CPU, cores | RSS, highest, MB',
  rows: Object.keys(rssMb).map((name) => [
    name,
    name in cpuCores ? figure(Number(cpuCores[name].toFixed(2))) : '–',
    Math.round(rssMb[name]),
  ]),
  remark: `At most ${figure(queueMost)} images waited for a worker. k6 represents clients, on the same machine.`,
});
