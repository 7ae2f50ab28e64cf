/**
 * Turns faults into a measurement: starts the service with a proxy on every connection, plays each fault during a steady
 * load by an account with a hard limit and one with overage, and audits both at the end. Every operation has an
 * idempotency key and is retried as Retry-After advises until it has its result or two minutes have passed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  audit,
  deviation,
  drive,
  memoryOf,
  RetryingClient,
  readMetrics,
  saturate,
  unlimited,
  whenSettled,
  withService,
} from '../../gateway/harness/index.mjs';
import { everyQuestion, operations } from '../../gateway/harness/operations.mjs';
import { randomFrom } from '../../gateway/harness/random.mjs';
import { smallImages } from '../../gateway/harness/small-images.mjs';
import { Truth } from '../../gateway/harness/truth.mjs';
import { atMost, zero } from '../lib/figures.mjs';
import { cells, figure } from '../lib/report.mjs';
import { sum } from '../lib/stats.mjs';
import { needProc } from '../lib/tier.mjs';

/** @typedef {import('../../gateway/harness/index.mjs').Service} Service */
/** @typedef {import('../../gateway/harness/index.mjs').Outcome} Outcome */

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {() => unknown} begin
 * @property {() => unknown} end resolves when the failed part is back
 * @property {number} [faultMs] between the two; default: the condition
 * @property {boolean} [silent] whether clients may meet a part that cannot even refuse, and have to stop waiting
 * @property {boolean} [withoutRetry] whether no request may fail, so that no client would have to retry
 * @property {readonly string[]} [urls] of the clients; default: one of each gateway
 */

/** A gateway responds, or disconnects a client that does not read, this long after its deadline. */
const LINGER_MS = 5_000;
/** A batch has four deadlines. */
const BATCH_DEADLINES = 4;
/** Tolerance of a busy machine before a response counts as overdue. */
const SLACK_MS = 1_000;
const GIVE_UP_MS = 120_000;
const LONGEST_WAIT_MS = 60_000;
/** Few, so that the right result of every request is known within seconds. */
const IMAGES = 3;
/** Enough clients to keep two workers busy. */
const PROBING_CLIENTS = 8;
/** Clients notice a slower recovery as another outage. */
const RECOVERY_S = 10;

/** Without Redis, the first account has to wait, and the service serves the second one. */
const accountKinds = { 'hard limit': 'free', 'with overage': 'business' };
const ACCOUNTS = Object.keys(accountKinds).length;

/** Images, and the right results for them, from a healthy service. @param {Service} service */
export async function learnTruth(service) {
  const images = await smallImages(IMAGES);
  const truth = new Truth();
  const { apiKey } = await service.createAccount({ overrides: unlimited });
  const client = new RetryingClient(service.urls, apiKey, { onResult: truth.learn });
  for (const operation of everyQuestion(images)) await client.pursue(operation);
  client.close();
  return { images, truth };
}

/**
 * The highest throughput of the healthy service.
 * @param {Service} service
 * @param {{ images: readonly string[], apiKey: string, seconds: number, seed: number }} options
 * @returns {Promise<{ perSecond: number, results: Outcome[] }>}
 */
export async function probe(service, { images, apiKey, seconds, seed }) {
  const client = new RetryingClient(service.urls, apiKey, { random: randomFrom(seed).next });
  const next = operations(images, randomFrom(seed + 1), `probe-${seed}`);
  const send = () => client.pursue(next());
  const probed = await saturate({ clients: PROBING_CLIENTS, durationMs: 1e3 * seconds, send });
  client.close();
  return probed;
}

const defaults = {
  /** Plays only faults whose name contains this. */
  only: '',
  /** Operations of each account; 0: `share` of the highest throughput, which is probed first. */
  perSecond: 1.5,
  share: 0.5,
  probeSeconds: 8,
  steadySeconds: 5,
  faultSeconds: 8,
  afterSeconds: 8,
  deadlineMs: 8_000,
  seed: 0,
};
const quick = { steadySeconds: 1, faultSeconds: 3, afterSeconds: 2, probeSeconds: 2 };

/**
 * @param {object} rehearsal
 * @param {string} rehearsal.name
 * @param {string} rehearsal.question
 * @param {string} rehearsal.remark for readers of the table
 * @param {string} rehearsal.shortest fault of `--quick`
 * @param {() => Partial<import('../../gateway/harness/index.mjs').ServiceOptions>} [rehearsal.options] of the service
 * @param {(service: Service & { deadlineMs: number }) => readonly Fault[]} rehearsal.faults
 * @param {number} [rehearsal.perSecond]
 * @param {() => void} [rehearsal.cleanUp] in any case
 * @returns {import('../lib/types').Measurement}
 */
export const rehearsal = ({ name, question, remark, shortest, faults, ...more }) => ({
  name,
  question,
  conditions: { ...defaults, ...(more.perSecond !== undefined && { perSecond: more.perSecond }) },
  quick: { ...quick, only: shortest },

  async run({ deadlineMs, only, ...conditions }, log) {
    needProc();
    const seed = conditions.seed || (Date.now() % 1e6) + 1;
    log(`seed ${seed}`);
    try {
      const { gatewayEnv = {}, ...options } = more.options?.() ?? {};
      const env = { GATEWAY_DEADLINE_MS: String(deadlineMs), ...gatewayEnv };
      return await withService(
        // A frozen part gets no requests after a second, as Kubernetes does by default.
        { gateways: 2, proxies: true, probeTimeoutMs: 1_000, ...options, gatewayEnv: env },
        async (service) => {
          const rehearsed = Object.assign(service, { deadlineMs });
          const chosen = faults(rehearsed).filter((fault) => fault.name.includes(only));
          return { seed, ...(await playAll(rehearsed, chosen, { ...conditions, seed }, log)) };
        },
      );
    } finally {
      more.cleanUp?.();
    }
  },

  summarize: ({ seed, perSecond, most, rows }, { deadlineMs }) => ({
    figures: figuresOf(rows, deadlineMs),
    tables: tablesOf(rows, `Seed ${seed}. ${describeLoad({ perSecond, most })} ${remark}`),
  }),
});

/** @param {{ perSecond: number, most: number | null }} load of each account, and the highest throughput where it was probed */
const describeLoad = ({ perSecond, most }) =>
  `${figure(ACCOUNTS * perSecond)} operations a second${most ? ` of ${figure(most)} that the service carries here` : ''}.`;

async function playAll(service, faults, conditions, log) {
  const { share, probeSeconds, steadySeconds, faultSeconds, afterSeconds, seed } = conditions;
  const prepared = await learnTruth(service);
  let { perSecond } = conditions;
  /** @type {number | null} */
  let most = null;
  if (perSecond === 0) {
    const { apiKey } = await service.createAccount({ overrides: unlimited });
    most = (await probe(service, { images: prepared.images, apiKey, seconds: probeSeconds, seed })).perSecond;
    perSecond = (share * most) / ACCOUNTS;
  }
  log(describeLoad({ perSecond, most }));
  const rows = [];
  for (const [i, fault] of faults.entries()) {
    const course = {
      perSecond,
      steadyMs: 1e3 * steadySeconds,
      faultMs: fault.faultMs ?? 1e3 * faultSeconds,
      afterMs: 1e3 * afterSeconds,
      seed: seed + 10_000 * i,
    };
    for (const row of await rehearse(service, fault, course, prepared)) {
      log(
        `${row.rehearsal}, ${row.kind}: ${row.operations} operations, lost ${row.lost}, wrong ${row.wrong}, billed wrongly ${row.deviation}; back after ${figure(row.firstS)} s, steady after ${figure(row.steadyS)} s`,
      );
      rows.push(row);
    }
  }
  return { rows, perSecond, most };
}

/** One fault under load, and the audit of each account. */
async function rehearse(service, fault, { perSecond, steadyMs, faultMs, afterMs, seed }, { images, truth }) {
  const stopping = new AbortController();
  const before = await memoryOfParts(service);
  const groups = [];
  for (const [place, [kind, plan]] of Object.entries(accountKinds).entries()) {
    const account = await service.createAccount({ plan, overrides: unlimited });
    const ownSeed = seed + 1000 * place;
    const wrong = [];
    const options = {
      ...patienceOf(service.deadlineMs, fault.silent),
      random: randomFrom(ownSeed + 1).next,
      onResult: truth.check(wrong),
    };
    const client = new RetryingClient(fault.urls ?? service.urls, account.apiKey, options);
    const next = operations(images, randomFrom(ownSeed + 2), `${seed}-${place}`);
    const driven = drive({ perSecond, send: () => client.pursue(next()), signal: stopping.signal });
    groups.push({ kind, account, wrong, client, driven });
  }
  let [from, to] = [0, 0];
  try {
    await delay(steadyMs);
    from = performance.now();
    await fault.begin();
    await delay(faultMs);
    await fault.end();
    to = performance.now();
    await delay(afterMs);
  } finally {
    stopping.abort();
  }
  const all = await Promise.all(groups.map(({ driven }) => driven));
  for (const { client } of groups) client.close();
  const until = performance.now();
  const accounts = groups.map(({ account }) => account.accountId);
  await whenSettled(service.redisUrl, { accounts, journals: service.journals });
  const memory = compareMemory(before, await memoryOfParts(service));
  const rows = [];
  for (const [i, { kind, account, wrong }] of groups.entries()) {
    const { results, skipped } = all[i];
    const audited = await audit(service.redisUrl, account, results);
    const seen = evaluate(results, { from, to, until, deadlineMs: service.deadlineMs });
    rows.push({
      rehearsal: fault.name,
      kind,
      faultS: (to - from) / 1e3,
      deviation: deviation(audited),
      skipped,
      wrong: wrong.length,
      wrongResults: wrong.slice(0, 5),
      ...seen,
      silent: fault.silent ?? false,
      // A process that does not run cannot respond.
      overdue: fault.silent ? 0 : seen.overdue,
      hung: fault.silent ? 0 : seen.timedOut,
      /** The requests of which none may fail. */
      dropped: fault.withoutRetry ? seen.failed : 0,
      memory,
    });
  }
  return rows;
}

/** A client does not wait for a silent part as long as the longest response may take. @param {number} deadlineMs */
const silentAttemptMs = (deadlineMs) => 2 * deadlineMs + LINGER_MS;

/**
 * Clients wait for the longest possible response and for as long as Retry-After says. With less patience their retries
 * would keep a busy machine from finishing any request before its deadline, and the load would never end.
 * @param {number} deadlineMs of the gateways
 * @param {boolean} [silent] see Fault
 */
export const patienceOf = (deadlineMs, silent = false) => ({
  attemptMs: silent ? silentAttemptMs(deadlineMs) : BATCH_DEADLINES * deadlineMs + LINGER_MS + 2 * SLACK_MS,
  longestWaitMs: LONGEST_WAIT_MS,
  giveUpMs: GIVE_UP_MS,
});

/** Codes of a client that stops waiting. @param {string} name */
const isTimeout = (name) => ['TimeoutError', 'AbortError', 'ABORT_ERR', '23'].includes(name);

/**
 * Measures a fault as clients see it.
 * @param {readonly Outcome[]} outcomes
 * @param {{ from: number, to: number, until: number, deadlineMs: number }} fault its time, and the end of the observation
 */
export function evaluate(outcomes, { from, to, until, deadlineMs }) {
  const attempts = outcomes.flatMap(({ attempts: ownAttempts, operation }) =>
    ownAttempts.map((attempt) => ({
      ...attempt,
      ms: attempt.to - attempt.from,
      batch: operation.path === '/batch',
    })),
  );
  const responses = attempts.filter(({ name }) => /^\d{3}/.test(name));
  const meanwhile = attempts.filter((attempt) => attempt.to >= from && attempt.from <= to);
  const servedMeanwhile = meanwhile.filter((attempt) => !attempt.failed && attempt.to <= to).length;
  const failedSince = attempts.some((attempt) => attempt.failed && attempt.to >= from);
  const failedAfter = attempts.filter((attempt) => attempt.failed && attempt.to > to);
  // Without a later success, the time is at least that of the observation.
  const firstAfter = Math.min(
    until,
    ...attempts.filter((attempt) => !attempt.failed && attempt.to > to).map((attempt) => attempt.to),
  );
  const retries = attempts.flatMap(({ retryMs }) => (retryMs === undefined ? [] : [retryMs / 1e3]));
  const limitMs = (batch) => deadlineMs * (batch ? BATCH_DEADLINES : 1) + LINGER_MS + SLACK_MS;
  return {
    operations: outcomes.length,
    lost: outcomes.filter(({ lost }) => lost).length,
    defects: sum(outcomes.map(({ defects }) => defects)),
    failed: attempts.filter((attempt) => attempt.failed).length,
    timedOut: attempts.filter(({ name }) => isTimeout(name)).length,
    overdue: responses.filter(({ ms, batch }) => ms > limitMs(batch)).length,
    /** The time from the end of the fault to the first success. A hanging request neither fails nor succeeds. */
    firstS: servedMeanwhile > 0 && !failedSince ? 0 : (firstAfter - to) / 1e3,
    /** The time from the end of the fault to the last attempt that failed. */
    steadyS: failedAfter.length > 0 ? (Math.max(...failedAfter.map((attempt) => attempt.to)) - to) / 1e3 : 0,
    servedMeanwhile,
    longestResponseS: Math.max(0, ...responses.map(({ ms }) => ms)) / 1e3,
    /** The time of one operation with all its attempts. */
    longestOperationS:
      Math.max(0, ...outcomes.map(({ attempts: [first], endedAt }) => endedAt - first.from)) / 1e3,
    retryAfterS: retries.length > 0 ? { min: Math.min(...retries), max: Math.max(...retries) } : null,
    meanwhile: count(meanwhile),
    failedAfter: count(failedAfter),
  };
}

/** @param {readonly { name: string }[]} attempts */
export function count(attempts) {
  const counts = {};
  for (const { name } of attempts) {
    const shown = isTimeout(name) ? 'no response' : name;
    counts[shown] = (counts[shown] ?? 0) + 1;
  }
  return counts;
}

/** Memory of every part, and how many worker threads a tier replaced so far. @param {Service} service */
const memoryOfParts = ({ parts, inference, inferenceMetricsUrls }) =>
  Promise.all(
    parts.map(async ({ name, running: { pid } }) => {
      const place = inference.findIndex((part) => part.name === name);
      const replaced = place < 0 ? 0 : await replacedWorkers(inferenceMetricsUrls[place]);
      return { name, pid, rssMiB: memoryOf(pid).rssMiB, replaced };
    }),
  );

async function replacedWorkers(url) {
  const metrics = await readMetrics(url);
  const recycledFor = (reason) => metrics.sum('presenza_inference_workers_recycled_total', { reason });
  return recycledFor('tasks') + recycledFor('memory');
}

/** A part that was started again has no before. */
export const compareMemory = (before, after) =>
  after.map(({ name, pid, rssMiB, replaced }, i) => ({
    name,
    ...(pid === before[i].pid && { beforeMiB: before[i].rssMiB, replaced: replaced - before[i].replaced }),
    afterMiB: rssMiB,
  }));

/** @param {number} deadlineMs @returns {import('../lib/types').Figure[]} */
export function figuresOf(rows, deadlineMs) {
  const none = (what, key) => zero(what, sum(rows.map((row) => row[key])));
  const longest = (what, seconds, target) => atMost(what, Math.max(0, ...seconds), 's', target);
  const steadyS = (silent) => rows.filter((row) => row.silent === silent).map((row) => row.steadyS);
  return [
    none('Operations without a result in the end', 'lost'),
    none('Results that differ from the truth', 'wrong'),
    none('Units billed wrongly', 'deviation'),
    none('Responses after the deadline and the time to read them', 'overdue'),
    none('Requests that hung until the client gave up', 'hung'),
    none('Requests that failed where none may', 'dropped'),
    none('Operations that were due and not started', 'skipped'),
    none('Responses or parts of them with status 500', 'defects'),
    longest(
      'Longest time from the end of a fault to the first success',
      rows.map((row) => row.firstS),
      RECOVERY_S,
    ),
    longest(
      'Longest time from the end of a fault to the last failure',
      steadyS(false),
      // A stuck request fails at the deadline, and the client has some time to read the response. Waiting for the lease,
      // which ends later, follows Retry-After and is no failure.
      (deadlineMs + LINGER_MS + SLACK_MS) / 1e3,
    ),
    longest(
      'The same, of clients that waited for a silent part',
      steadyS(true),
      // The patience of these clients alone decides how long they wait.
      (silentAttemptMs(deadlineMs) + SLACK_MS) / 1e3,
    ),
  ];
}

const statuses = (counts) =>
  Object.entries(counts)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ');

/** @param {string} remark @returns {import('../lib/types').Table[]} */
export function tablesOf(rows, remark) {
  return [
    {
      title: 'Outcome of every operation',
      columns:
        'Fault | Account | Operations | Lost | Wrong | Never started | Status 500 | Billed wrongly | Fault, s | First success after it, s | Last failure after it, s | Longest response, s | Longest operation, s | Served meanwhile | Retry-After, s | Attempts meanwhile, by status | Failed after it',
      rows: rows.map((row) => [
        ...cells(
          row,
          'rehearsal kind operations lost wrong skipped defects deviation faultS firstS steadyS longestResponseS longestOperationS servedMeanwhile',
        ),
        row.retryAfterS ? `${figure(row.retryAfterS.min)} to ${figure(row.retryAfterS.max)}` : 'none',
        statuses(row.meanwhile),
        statuses(row.failedAfter) || 'none',
      ]),
      remark: `${remark} Each account sends single operations and batches with idempotency keys to either gateway, one image in ten broken, and retries as Retry-After says. Wrong: another status, count, similarity or confidence (0.02 apart or more) than before the fault. Billed wrongly: responses against ledger, counters by month, day and product, and marks of the keys. First success: 0 where nothing failed and something was served meanwhile. "no response" is a client that stopped waiting.`,
    },
    ...memoryTables(rows),
  ];
}

/** The table of worker threads that were replaced, which may leave memory behind; none without any. @returns {import('../lib/types').Table[]} */
function memoryTables(rows) {
  if (!rows.some(({ memory }) => memory.some(({ replaced }) => replaced > 0))) return [];
  const first = (row, i) => rows.findIndex(({ rehearsal: name }) => name === row.rehearsal) === i;
  return [
    {
      title: 'Memory, MiB before and after',
      columns: ['Fault', ...rows[0].memory.map(({ name }) => name)].join(' | '),
      rows: rows.filter(first).map(({ rehearsal: name, memory }) => [name, ...memory.map(describeMemory)]),
      remark:
        'In parentheses: worker threads that were replaced meanwhile, and what each left behind. The first ones leave most, because a worker and its successor exist at once for a moment.',
    },
  ];
}

function describeMemory({ beforeMiB, afterMiB, replaced = 0 }) {
  if (beforeMiB === undefined) return `new, ${Math.round(afterMiB)}`;
  const each = ` (${replaced} replaced, ${figure((afterMiB - beforeMiB) / replaced)} MiB each)`;
  return `${Math.round(beforeMiB)}, ${Math.round(afterMiB)}${replaced > 0 ? each : ''}`;
}
