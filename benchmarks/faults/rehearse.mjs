/**
 * One rehearsal: steady load by accounts of both kinds, a fault in its middle, and the audit afterwards. Every operation
 * has an Idempotency-Key and is repeated as clients are told, until it has its answer or two minutes have passed.
 */
import { createAccount, unlimited } from '../lib/gateway.mjs';
import { memoryOf } from '../lib/process.mjs';
import { randomFrom } from '../lib/random.mjs';
import { sum } from '../lib/stats.mjs';
import { audit, deviation, whenSettled } from '../resilience/audit.mjs';
import { Client } from '../resilience/client.mjs';
import { capacityOf, drive, everyQuestion, operations, smallPictures } from '../resilience/load.mjs';
import { learn } from '../resilience/truth.mjs';

/** @typedef {import('./stage.mjs').Stage} Stage */
/** @typedef {import('../resilience/client.mjs').Pursued} Pursued */
/** @typedef {import('../resilience/client.mjs').Attempt} Attempt */
/** @typedef {Awaited<ReturnType<typeof rehearse>>[number]} Row */

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {() => unknown} begin
 * @property {() => unknown} end resolves when what failed is back
 * @property {number} [faultMs] between the two, where it is another than the rehearsals' own
 * @property {boolean} [silent] whether clients may meet somebody who cannot even refuse, and have to stop waiting
 * @property {boolean} [withoutRetry] whether nothing may be dropped, so that no client would have to repeat anything
 * @property {readonly string[]} [urls] where clients go; default: to each gateway
 */

/**
 * @typedef {object} Course
 * @property {number} perSecond operations of each account
 * @property {number} steadyMs before the fault
 * @property {number} faultMs
 * @property {number} afterMs
 * @property {number} seed
 */

/** A gateway answers, or cuts off who does not read, so long after its deadline. */
export const LINGER_MS = 5_000;
/** Four deadlines for a batch. */
const BATCH_DEADLINES = 4;
/** What a busy machine may add before an answer counts as overdue. */
export const SLACK_MS = 1_000;
/** Whoever has no answer by then never gets one. */
const GIVE_UP_MS = 120_000;
const LONGEST_WAIT_MS = 60_000;
/** Few, so that each question's answer is known within seconds. */
const PICTURES = 3;

/** Both kinds of accounts: without Redis one has to wait, the other is served. */
const accountKinds = /** @type {const} */ ({ 'hard limit': 'free', 'with overage': 'business' });

/** Pictures, and what is right to say about them; asked once of a stage that is well. @param {Stage} stage */
export async function prepare(stage) {
  const pictures = await smallPictures(PICTURES);
  const { apiKey } = await createAccount(stage.redisUrl, { overrides: unlimited });
  const client = new Client(stage.urls, apiKey, randomFrom(1));
  const truth = await learn(client, everyQuestion(pictures));
  client.close();
  return { pictures, truth };
}

/**
 * What a stage that is well can do, of both kinds of accounts together.
 * @param {Stage} stage
 * @param {Awaited<ReturnType<typeof prepare>>} prepared
 * @param {{ seconds: number, seed: number }} options
 * @returns operations a second
 */
export async function probe(stage, { pictures }, { seconds, seed }) {
  const { apiKey } = await createAccount(stage.redisUrl, { overrides: unlimited });
  const client = new Client(stage.urls, apiKey, randomFrom(seed));
  const next = operations(pictures, randomFrom(seed + 1), `probe-${seed}`);
  const { perSecond } = await capacityOf(client, next, 1e3 * seconds);
  client.close();
  return perSecond;
}

/** Accounts that share a load. */
export const ACCOUNTS = Object.keys(accountKinds).length;

/**
 * @param {Stage} stage
 * @param {Fault} fault
 * @param {{ course: Course, prepared: Awaited<ReturnType<typeof prepare>> }} options
 */
export async function rehearse(stage, fault, { course, prepared }) {
  const { perSecond, steadyMs, afterMs, seed } = course;
  const { pictures, truth } = prepared;
  const attemptMs = attemptLimit(stage, fault);
  let stopping = false;
  const groups = [];
  for (const [place, [kind, plan]] of Object.entries(accountKinds).entries()) {
    const account = await createAccount(stage.redisUrl, { plan, overrides: unlimited });
    const random = (/** @type {number} */ n) => randomFrom(seed + 1000 * place + n);
    const patience = { attemptMs, longestWaitMs: LONGEST_WAIT_MS, giveUpMs: GIVE_UP_MS };
    const client = new Client(fault.urls ?? stage.urls, account.apiKey, random(1), { ...patience, truth });
    groups.push({ kind, account, client, next: operations(pictures, random(2), `${seed}-${place}`) });
  }
  const memoryBefore = await memoryOfAll(stage);
  const works = groups.map(({ client, next }) => drive({ client, next, perSecond, isOver: () => stopping }));
  let [from, to] = [0, 0];
  try {
    await pause(steadyMs);
    from = performance.now();
    await fault.begin();
    await pause(fault.faultMs ?? course.faultMs);
    await fault.end();
    to = performance.now();
    await pause(afterMs);
  } finally {
    stopping = true;
  }
  const driven = await Promise.all(works);
  const until = performance.now();
  const settledMs = await whenSettled(stage.redisUrl, {
    accounts: groups.map(({ account }) => account.accountId),
    journals: stage.journals,
  });
  const memory = compareMemory(memoryBefore, await memoryOfAll(stage));
  const rows = [];
  for (const [i, { kind, account }] of groups.entries()) {
    const { pursued, skipped } = driven[i];
    const found = await audit(stage.redisUrl, account, pursued);
    const looked = look(pursued, { from, to, until, deadlineMs: stage.deadlineMs });
    rows.push({
      rehearsal: fault.name,
      kind,
      faultS: (to - from) / 1e3,
      deviation: deviation(found),
      units: found.answered,
      expired: found.expired,
      skipped,
      ...looked,
      silent: fault.silent ?? false,
      // Nobody can answer for a process that does not run.
      overdue: fault.silent ? 0 : looked.overdue,
      unanswered: fault.silent ? 0 : looked.timedOut,
      /** Where nothing may be. */
      dropped: fault.withoutRetry ? looked.failed : 0,
      settledS: settledMs / 1e3,
      memory,
    });
  }
  return rows;
}

/** Where nobody may be there to answer, a client does not wait as long as the longest answer may take. @param {number} deadlineMs */
export const silentAttemptMs = (deadlineMs) => 2 * deadlineMs + LINGER_MS;

/** @param {Stage} stage @param {Fault} fault */
const attemptLimit = ({ deadlineMs }, { silent }) =>
  silent ? silentAttemptMs(deadlineMs) : BATCH_DEADLINES * deadlineMs + LINGER_MS + 2 * SLACK_MS;

/**
 * What clients saw.
 * @param {readonly Pursued[]} pursued
 * @param {{ from: number, to: number, until: number, deadlineMs: number }} fault when it was, and how long anybody looked
 */
export function look(pursued, { from, to, until, deadlineMs }) {
  const attempts = pursued.flatMap(({ attempts: own, operation }) =>
    own.map((one) => ({ ...one, ms: one.to - one.from, batch: operation.path === '/batch' })),
  );
  const answered = attempts.filter(({ name }) => /^\d{3}/.test(name));
  const meanwhile = attempts.filter((one) => one.to >= from && one.from <= to);
  const answeredMeanwhile = meanwhile.filter((one) => !one.failed && one.to <= to).length;
  const failedSince = attempts.some((one) => one.failed && one.to >= from);
  const failedAfter = attempts.filter((one) => one.failed && one.to > to).map((one) => one.to);
  // Where none came any more, at least as long as anybody looked.
  const firstAfter = Math.min(
    until,
    ...attempts.filter((one) => !one.failed && one.to > to).map((one) => one.to),
  );
  const retries = attempts.flatMap(({ retryMs }) => (retryMs === undefined ? [] : [retryMs / 1e3]));
  const limitMs = (/** @type {boolean} */ batch) =>
    deadlineMs * (batch ? BATCH_DEADLINES : 1) + LINGER_MS + SLACK_MS;
  return {
    operations: pursued.length,
    lost: pursued.filter(({ lost }) => lost).length,
    wrong: pursued.reduce((sum, one) => sum + one.wrong.length, 0),
    wrongAnswers: pursued.flatMap(({ wrong }) => wrong).slice(0, 5),
    defects: pursued.reduce((sum, one) => sum + one.defects, 0),
    failed: attempts.filter((one) => one.failed).length,
    timedOut: attempts.filter(({ name }) => isTimeout(name)).length,
    overdue: answered.filter(({ ms, batch }) => ms > limitMs(batch)).length,
    /** From the end of the fault to the first answer that stands; who hangs fails nobody, and answers nobody either. */
    firstS: answeredMeanwhile > 0 && !failedSince ? 0 : (firstAfter - to) / 1e3,
    /** From the end of the fault to the last attempt that had to be repeated. */
    steadyS: failedAfter.length > 0 ? (Math.max(...failedAfter) - to) / 1e3 : 0,
    /** Answers that came before its end. */
    answeredMeanwhile,
    longestAnswerS: Math.max(0, ...answered.map(({ ms }) => ms)) / 1e3,
    /** Of one operation with all its attempts. */
    longestPursuitS: Math.max(0, ...pursued.map(({ attempts: [first], at }) => at - first.from)) / 1e3,
    retryAfterS: retries.length > 0 ? { min: Math.min(...retries), max: Math.max(...retries) } : null,
    meanwhile: count(meanwhile.map(({ name }) => name)),
    /** Attempts after the end of the fault that had to be repeated. */
    failedAfter: count(attempts.filter((one) => one.failed && one.to > to).map(({ name }) => name)),
  };
}

/** Codes with which a client stops waiting. @param {string} name */
const isTimeout = (name) => ['TimeoutError', 'AbortError', 'ABORT_ERR', '23'].includes(name);

/** @param {readonly string[]} names */
function count(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of names) {
    const shown = isTimeout(name) ? 'no answer' : name;
    counts[shown] = (counts[shown] ?? 0) + 1;
  }
  return counts;
}

/** @typedef {{ name: string, pid: number, rssMiB: number, replaced: number }} Memory `replaced`: worker threads so far */

/** @param {Stage} stage @returns {Promise<Memory[]>} */
const memoryOfAll = ({ parts, inference, inferenceMetricsUrls }) =>
  Promise.all(
    parts.map(async (part) => ({
      name: part.name,
      pid: part.running.pid,
      rssMiB: memoryOf(part.running.pid).rssMiB,
      replaced: inference.includes(part)
        ? await replacedAt(inferenceMetricsUrls[inference.indexOf(part)])
        : 0,
    })),
  );

/** Worker threads that a tier replaced for their age or their memory. @param {string} url of its metrics */
async function replacedAt(url) {
  const text = await (await fetch(url)).text();
  const counts = text.matchAll(
    /^presenza_inference_workers_recycled_total\{reason="(?:tasks|memory)"\} (\d+)$/gm,
  );
  return sum([...counts].map(([, count]) => Number(count)));
}

/** Of a part that was started anew there is no before. @param {readonly Memory[]} before @param {readonly Memory[]} after */
export const compareMemory = (before, after) =>
  after.map(({ name, pid, rssMiB, replaced }, i) => ({
    name,
    ...(pid === before[i].pid && { beforeMiB: before[i].rssMiB, replaced: replaced - before[i].replaced }),
    afterMiB: rssMiB,
  }));

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
