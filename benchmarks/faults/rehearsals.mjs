/** A measurement out of rehearsals: sets the stage, plays each fault in its turn, holds all to the same bars. */
import { needProc } from '../lib/process.mjs';
import { figure } from '../lib/report.mjs';
import { ACCOUNTS, LINGER_MS, prepare, probe, rehearse, SLACK_MS, silentAttemptMs } from './rehearse.mjs';
import { setStage } from './stage.mjs';

/** @typedef {import('./rehearse.mjs').Fault} Fault */
/** @typedef {import('./rehearse.mjs').Row} Row */
/** @typedef {import('../lib/types').Own} Own */

/**
 * What each may be told to do otherwise. `only`: part of the name of a fault, to play no other. `perSecond`: operations
 * of each of the accounts; where it is 0, `share` of what all of them can do at most, as is tried for `probeSeconds`.
 */
const courseParameters = {
  only: '',
  perSecond: 1.5,
  share: 0.5,
  probeSeconds: 8,
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
 * @param {number} [play.perSecond] instead of the others'
 * @param {() => void} [play.clear] whatever becomes of it
 * @returns {import('../lib/types').Measurement}
 */
export function rehearsals({
  name,
  answers,
  remark,
  setting = () => ({}),
  faults,
  clear = () => {},
  ...own
}) {
  return {
    name,
    answers,
    parameters: { ...courseParameters, ...own },
    async run(parameters, log) {
      needProc();
      const seed = parameters.seed || (Date.now() % 1e6) + 1;
      log(`seed ${seed}`);
      try {
        const stage = await setStage({ deadlineMs: parameters.deadlineMs, ...(await setting(log)) });
        try {
          const chosen = faults(stage).filter((fault) => fault.name.includes(parameters.only));
          const { rows, ...load } = await playAll(stage, chosen, { ...parameters, seed }, log);
          return { bars: barsOf(rows, parameters.deadlineMs), figures: { seed, ...load, rows } };
        } finally {
          await stage.close();
        }
      } finally {
        clear();
      }
    },
    report: ({ seed, perSecond, most, rows }) =>
      tablesOf(rows, `Seed ${seed}. ${loadOf({ perSecond, most })} ${remark}`),
  };
}

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {readonly Fault[]} faults
 * @param {Own} parameters
 * @param {(line: string) => void} log
 */
async function playAll(stage, faults, parameters, log) {
  const { share, probeSeconds, steadySeconds, faultSeconds, afterSeconds, seed } = parameters;
  const prepared = await prepare(stage);
  const most =
    parameters.perSecond > 0 ? null : await probe(stage, prepared, { seconds: probeSeconds, seed });
  const perSecond = most === null ? parameters.perSecond : (share * most) / ACCOUNTS;
  log(loadOf({ perSecond, most }));
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
  return { rows, perSecond, most };
}

/** @param {{ perSecond: number, most: number | null }} load of each account, and what all can do where that was tried */
const loadOf = ({ perSecond, most }) =>
  `${figure(ACCOUNTS * perSecond)} operations a second${most ? ` of ${figure(most)} that the service can do here` : ''}.`;

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

/** @param {readonly Row[]} rows @param {number} deadlineMs @returns {import('../lib/types').Bar[]} */
export function barsOf(rows, deadlineMs) {
  /** @param {(row: Row) => number} value */
  const total = (value) => rows.reduce((sum, row) => sum + value(row), 0);
  /** @param {boolean} silent */
  const steadyS = (silent) =>
    Math.max(0, ...rows.filter((row) => row.silent === silent).map((row) => row.steadyS));
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
    { what: 'Operations that were due and not begun', value: total(({ skipped }) => skipped), ...zero },
    { what: 'Answers or parts of them that say 500', value: total(({ defects }) => defects), ...zero },
    {
      what: 'Longest time from the end of a fault to the first answer',
      value: Math.max(0, ...rows.map(({ firstS }) => firstS)),
      unit: 's',
      bar: RECOVERY_S,
      better: 'lower',
    },
    {
      what: 'Longest time from the end of a fault to the last failure',
      value: steadyS(false),
      unit: 's',
      // What the fault left without an answer fails at the deadline, and the client has a while to read that. The lease,
      // which ends later, is waited for as Retry-After says and fails nobody. A batch has four deadlines: one that
      // spends them all on a connection that is dead misses this.
      bar: (deadlineMs + LINGER_MS + SLACK_MS) / 1e3,
      better: 'lower',
    },
    {
      what: 'The same, of clients that waited for somebody silent',
      value: steadyS(true),
      unit: 's',
      // They wait for as long as they have patience, whatever the service does, and no longer.
      bar: (silentAttemptMs(deadlineMs) + SLACK_MS) / 1e3,
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
        'Never begun',
        'Said 500',
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
        row.skipped,
        row.defects,
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
      remark: `${remark} Each account sends single operations and batches, one in ten pictures broken, each under an Idempotency-Key of its own, to either gateway, and repeats them as Retry-After says. Wrong: another status, count, similarity or confidence (0.02 apart or more) than before the fault. Billed otherwise: answers against ledger, counters by month, day and product, and marks of the keys. First answer: 0 where nothing failed from the beginning of the fault on, and something was answered meanwhile. "no answer" is a client that stopped waiting.`,
    },
    {
      title: 'Memory, MiB before and after',
      columns: ['Fault', ...(rows[0]?.memory ?? []).map(({ name }) => name)],
      rows: rows
        .filter((row, i) => rows.findIndex(({ rehearsal }) => rehearsal === row.rehearsal) === i)
        .map(({ rehearsal, memory }) => [rehearsal, ...memory.map(memoryText)]),
      remark:
        'In parentheses: worker threads that were replaced meanwhile, and what each left behind. The first ones leave most: for a moment a worker and its successor are there both.',
    },
  ];
}

/** @param {Row['memory'][number]} part */
function memoryText({ beforeMiB, afterMiB, replaced = 0 }) {
  if (beforeMiB === undefined) return `new, ${Math.round(afterMiB)}`;
  const each = ` (${replaced} replaced, ${figure((afterMiB - beforeMiB) / replaced)} MiB each)`;
  return `${Math.round(beforeMiB)}, ${Math.round(afterMiB)}${replaced > 0 ? each : ''}`;
}
