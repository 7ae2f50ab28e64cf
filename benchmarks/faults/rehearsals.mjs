/** A measurement out of rehearsals: sets the stage, plays each fault in its turn, holds all to the same bars. */
import { needProc } from '../lib/process.mjs';
import { figure } from '../lib/report.mjs';
import { prepare, rehearse } from './rehearse.mjs';
import { setStage } from './stage.mjs';

/** @typedef {import('./rehearse.mjs').Fault} Fault */
/** @typedef {import('./rehearse.mjs').Row} Row */
/** @typedef {import('../lib/types').Own} Own */

/** What each may be told to do otherwise. `only`: part of the name of a fault, to play no other. */
export const courseParameters = {
  only: '',
  perSecond: 1.5,
  steadySeconds: 5,
  faultSeconds: 8,
  afterSeconds: 8,
  deadlineMs: 8_000,
  seed: 0,
};

/**
 * @param {object} play
 * @param {string} play.name
 * @param {string} play.answers
 * @param {string} play.remark what a reader of the tables should know
 * @param {(log: (line: string) => void) => Partial<import('./stage.mjs').Setting> | Promise<Partial<import('./stage.mjs').Setting>>} [play.setting] of its stage
 * @param {(stage: import('./stage.mjs').Stage) => readonly Fault[]} play.faults
 * @param {() => void} [play.clear] whatever becomes of it
 * @returns {import('../lib/types').Measurement}
 */
export function rehearsals({ name, answers, remark, setting = () => ({}), faults, clear = () => {} }) {
  return {
    name,
    answers,
    parameters: courseParameters,
    async run(parameters, log) {
      needProc();
      const seed = parameters.seed || (Date.now() % 1e6) + 1;
      log(`seed ${seed}`);
      try {
        const stage = await setStage({ deadlineMs: parameters.deadlineMs, ...(await setting(log)) });
        try {
          const chosen = faults(stage).filter((fault) => fault.name.includes(parameters.only));
          const rows = await playAll(stage, chosen, { ...parameters, seed }, log);
          return { bars: barsOf(rows), figures: { seed, rows } };
        } finally {
          await stage.close();
        }
      } finally {
        clear();
      }
    },
    report: ({ seed, rows }) => tablesOf(rows, `Seed ${seed}. ${remark}`),
  };
}

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {readonly Fault[]} faults
 * @param {Own} parameters
 * @param {(line: string) => void} log
 */
async function playAll(stage, faults, parameters, log) {
  const { perSecond, steadySeconds, faultSeconds, afterSeconds, seed } = parameters;
  const prepared = await prepare(stage);
  /** @type {Row[]} */
  const rows = [];
  for (const [i, fault] of faults.entries()) {
    const course = {
      perSecond,
      steadyMs: 1e3 * steadySeconds,
      faultMs: 1e3 * faultSeconds,
      afterMs: 1e3 * afterSeconds,
      seed: seed + 10_000 * i,
    };
    for (const row of await rehearse(stage, fault, { course, prepared })) {
      log(sentenceOf(row));
      rows.push(row);
    }
  }
  return rows;
}

/** @param {Row} row */
const sentenceOf = (row) =>
  `${row.rehearsal}, ${row.kind}: ${row.operations} operations, lost ${row.lost}, wrong ${row.wrong}, billed otherwise ${row.deviation}; back after ${figure(row.firstS)} s, steady after ${figure(row.steadyS)} s; longest answer ${figure(row.longestAnswerS)} s; ${statuses(row.meanwhile)}; after it failed ${statuses(row.failedAfter) || 'none'}`;

/** @param {Record<string, number>} counts */
const statuses = (counts) =>
  Object.entries(counts)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');

/** Back at work within so long after a fault has ended: slower is felt as an outage of its own. */
const RECOVERY_S = 10;

/** @param {readonly Row[]} rows @returns {import('../lib/types').Bar[]} */
export function barsOf(rows) {
  /** @param {(row: Row) => number} value */
  const total = (value) => rows.reduce((sum, row) => sum + value(row), 0);
  const zero = /** @type {const} */ ({ unit: '', bar: 0, better: 'lower' });
  return [
    { what: 'Operations without an answer in the end', value: total(({ lost }) => lost), ...zero },
    { what: 'Answers that differ from the truth', value: total(({ wrong }) => wrong), ...zero },
    { what: 'Units billed otherwise than answered', value: total((row) => row.deviation), ...zero },
    {
      what: 'Answers after the deadline and the time to read them',
      value: total(({ overdue }) => overdue),
      ...zero,
    },
    { what: 'Requests that hung until the client gave up', value: total((row) => row.unanswered), ...zero },
    {
      what: 'Requests dropped where none may be',
      value: total(({ dropped }) => dropped),
      ...zero,
    },
    {
      what: 'Longest time from the end of a fault to the first answer',
      value: Math.max(0, ...rows.map(({ firstS }) => firstS)),
      unit: 's',
      bar: RECOVERY_S,
      better: 'lower',
    },
  ];
}

/** @param {readonly Row[]} rows @param {string} remark @returns {import('../lib/types').Table[]} */
export function tablesOf(rows, remark) {
  return [
    {
      title: 'What became of every operation',
      columns: [
        'Fault',
        'Account',
        'Operations',
        'Lost',
        'Wrong',
        'Billed otherwise',
        'Fault, s',
        'First answer after it, s',
        'Last failure after it, s',
        'Longest answer, s',
        'Longest until the final answer, s',
        'Answered meanwhile',
        'Retry-After, s',
        'Attempts meanwhile, by status',
        'Failed after it',
      ],
      rows: rows.map((row) => [
        row.rehearsal,
        row.kind,
        row.operations,
        row.lost,
        row.wrong,
        row.deviation,
        row.faultS,
        row.firstS,
        row.steadyS,
        row.longestAnswerS,
        row.longestPursuitS,
        row.answeredMeanwhile,
        row.retryAfterS ? `${figure(row.retryAfterS.min)} to ${figure(row.retryAfterS.max)}` : 'none',
        statuses(row.meanwhile),
        statuses(row.failedAfter) || 'none',
      ]),
      remark: `${remark} Each account sends single operations and batches, one in ten pictures broken, each under an Idempotency-Key of its own, to either gateway, and repeats them as Retry-After says. Wrong: another status, count, similarity or confidence (0.02 apart or more) than before the fault. Billed otherwise: answers against ledger, counters by month, day and product, and marks of the keys. First answer: 0 where the service never stopped answering. "no answer" is a client that stopped waiting.`,
    },
    {
      title: 'Memory, MiB before and after',
      columns: ['Fault', ...(rows[0]?.memory ?? []).map(({ name }) => name)],
      rows: rows
        .filter((row, i) => rows.findIndex(({ rehearsal }) => rehearsal === row.rehearsal) === i)
        .map(({ rehearsal, memory }) => [
          rehearsal,
          ...memory.map(({ beforeMiB, afterMiB }) =>
            beforeMiB === undefined
              ? `new, ${Math.round(afterMiB)}`
              : `${Math.round(beforeMiB)}, ${Math.round(afterMiB)}`,
          ),
        ]),
    },
  ];
}
