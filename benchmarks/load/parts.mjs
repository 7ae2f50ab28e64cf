/** What reports of several load scenarios share: bars, rows, charts. */

import { figure } from '../lib/report.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { countBy, LATE, latencyFigures } from './figures.mjs';

/** @typedef {import('./k6-run.mjs').Answer} Answer */
/** @typedef {keyof typeof p95TargetsMs} Operation */

/** @typedef {Pick<import('./k6-run.mjs').K6Run, 'answers' | 'dropped' | 'unanswered'>} Seen */

/** @param {Readonly<Record<string, number>>} counts */
const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);

/** What never had an answer has failed as well. @param {readonly Pick<Seen, 'answers' | 'unanswered'>[]} runs @returns {import('../lib/types').Bar} */
export const wrongBar = (...runs) => ({
  what: 'Wrong or failed answers',
  value: runs
    .map(
      ({ answers, unanswered }) =>
        answers.filter(({ outcome }) => outcome === 'wrong' || outcome === 'failed').length + sum(unanswered),
    )
    .reduce((a, b) => a + b, 0),
  unit: '',
  bar: 0,
  better: 'lower',
});

/**
 * Of load beyond the most that is answered: with a queue longer than the deadline, to answer 504 is to shed load, though
 * late. Below that it is a failure, as `wrongBar` has it without this.
 * @param {Seen['answers']} answers
 */
export const withoutLate = (answers) => answers.filter(({ code }) => code !== LATE);

/** Of load that should be carried: who refuses all of it keeps every other bar. @param {Seen} seen @returns {import('../lib/types').Bar} */
export function unservedBar({ answers, dropped, unanswered }) {
  const lost = Object.values(dropped).flat().length + sum(unanswered);
  const refused = answers.filter(({ outcome }) => outcome === 'refused').length;
  return {
    what: 'Refused, unanswered or never sent',
    value: (100 * (refused + lost)) / (answers.length + lost),
    unit: '%',
    bar: 0,
    better: 'lower',
  };
}

/**
 * One for each operation that was to be asked; without a right answer its time is infinite.
 * @param {ReturnType<typeof byOperation>} rows
 * @param {readonly string[]} operations
 * @param {string} where
 */
export const p95Bars = (rows, operations, where) =>
  operations.map((operation) => ({
    what: `${operation}, p95, ${where}`,
    value: rows.find((row) => row.operation === operation)?.p95Ms ?? Number.POSITIVE_INFINITY,
    unit: 'ms',
    bar: p95TargetsMs[/** @type {Operation} */ (operation)],
    better: /** @type {const} */ ('lower'),
  }));

/** @param {readonly Answer[]} answers @param {(answer: Answer) => string} [keyOf] */
export function byOperation(answers, keyOf = ({ operation }) => operation) {
  return [...new Set(answers.map(keyOf))].sort().map((operation) => {
    const own = answers.filter((answer) => keyOf(answer) === operation);
    const right = own.filter(({ outcome }) => outcome === 'ok').map(({ tookMs }) => tookMs);
    return {
      operation,
      requests: own.length,
      outcomes: countBy(own, ({ outcome, code }) => (code ? `${outcome}: ${code}` : outcome)),
      ...latencyFigures(right),
    };
  });
}

/** @param {number | null} value */
export const ms = (value) => (value === null ? '–' : figure(Number(value.toFixed(1))));

/** @param {Record<string, number>} counts */
export const list = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${figure(Number(count.toFixed(2)))}`)
    .join(', ');

/** @param {readonly ReturnType<typeof byOperation>[number][]} rows @returns {import('../lib/types').Table} */
export const latencyTable = (rows, title = 'Answers') => ({
  title,
  columns: ['Operation', 'Requests', 'p50, ms', 'p95, ms', 'p99, ms', 'Outcomes'],
  rows: rows.map((row) => [
    row.operation,
    row.requests,
    ms(row.p50Ms),
    ms(row.p95Ms),
    ms(row.p99Ms),
    list(row.outcomes),
  ]),
});

/** Memory and processor by process. @param {{ cpuCores: Record<string, number>, rssMb: Record<string, number>, queueMost: number }} resources */
export const resourceTable = ({ cpuCores, rssMb, queueMost }) => ({
  title: 'Processes',
  columns: ['Process', 'CPU, cores', 'RSS, most, MB'],
  rows: Object.keys(rssMb).map((name) => [
    name,
    name in cpuCores ? figure(Number(cpuCores[name].toFixed(2))) : '–',
    Math.round(rssMb[name]),
  ]),
  remark: `At most ${figure(queueMost)} images waited for a worker. k6 stands for clients, on the same machine.`,
});

/** @param {{ name: string, ok: boolean }[]} thresholds */
export const thresholdTable = (thresholds) => ({
  title: "k6's thresholds",
  columns: ['Threshold', 'Held'],
  rows: thresholds.map(({ name, ok }) => [`\`${name}\``, ok ? 'yes' : '**no**']),
});

/**
 * What happened in each second, counted by the end of the answer.
 * @param {readonly Answer[]} answers
 * @returns {{ second: number, ok: number, refused: number, p95Ms: number | null }[]}
 */
export function timeline(answers) {
  const begin = answers[0]?.beginMs ?? 0;
  const secondOf = (/** @type {Answer} */ { endMs }) => Math.floor((endMs - begin) / 1000);
  const last = Math.max(0, ...answers.map(secondOf));
  return Array.from({ length: last + 1 }, (_, second) => {
    const own = answers.filter((answer) => secondOf(answer) === second);
    const right = own.filter(({ outcome }) => outcome === 'ok');
    return {
      second,
      ok: right.length,
      refused: own.filter(({ outcome }) => outcome === 'refused').length,
      p95Ms: latencyFigures(right.map(({ tookMs }) => tookMs)).p95Ms,
    };
  });
}

/** Samples as a report keeps them: seconds since the first, at most so many. @param {readonly import('./sampler.mjs').Sample[]} samples */
export function thinned(samples, most = 300) {
  const every = Math.ceil(samples.length / most);
  return samples
    .filter((_, i) => i % every === 0)
    .map(({ atMs, rssMb, queueLength }) => ({
      second: Math.round((atMs - samples[0].atMs) / 1000),
      rssMb,
      queueLength: Number.isFinite(queueLength) ? queueLength : 0,
    }));
}
