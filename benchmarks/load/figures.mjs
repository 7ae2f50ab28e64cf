/** From answers and samples to the figures of a report. Pure: the same input gives the same output. */
import { growthOf, percentile } from '../lib/stats.mjs';

/** @typedef {import('./k6-run.mjs').Answer} Answer */
/** @typedef {import('./sampler.mjs').Sample} Sample */

/** Code of an answer that came only at the deadline, and says no more than that. */
export const LATE = 'DEADLINE_EXCEEDED';

/**
 * @typedef {object} StepFigures
 * @property {number} offeredPerSecond
 * @property {number} windowSeconds that were looked at
 * @property {number} answeredPerSecond right answers that arrived
 * @property {number} refusedShare of what was offered, 0 to 1: at once, or only at the deadline
 * @property {number} failedShare of what was offered: wrong, failed, never answered, or never sent since k6 had no user
 *   free
 * @property {number | null} p50Ms of right answers, null without any
 * @property {number | null} p95Ms
 * @property {number | null} p99Ms
 * @property {string} lateness how late each request of the window was begun, in whole milliseconds with blanks between, in
 *   order: against the even rate at which they were due, those that were never sent included, from the one that kept to
 *   it best
 * @property {number} queueLength mean of the samples
 * @property {number} queueMost
 * @property {Record<string, number>} cpuCores taken on average, by process
 * @property {Record<string, number>} rssMb most, by process
 */

/**
 * One step of offered load, without its lead-in, in which the step before still echoes. Percentiles are of requests that
 * began in the window; throughput counts answers that ended in it.
 * @param {Pick<import('./k6-run.mjs').K6Run, 'answers' | 'dropped' | 'unanswered'> & { samples: readonly Sample[] }} run
 * @param {{ name: string, perSecond: number, seconds: number, leadSeconds: number }} step
 * @returns {StepFigures}
 */
export function stepFigures(
  { answers, dropped, unanswered, samples },
  { name, perSecond, seconds, leadSeconds },
) {
  const own = answers.filter(({ scenario }) => scenario === name);
  if (own.length === 0) throw new Error(`No request of the step ${name} came to anything.`);
  const from = own[0].beginMs + 1000 * leadSeconds;
  const to = own[0].beginMs + 1000 * seconds;
  const begun = own.filter(({ beginMs }) => beginMs >= from && beginMs < to);
  const arrived = own.filter(({ outcome, endMs }) => outcome === 'ok' && endMs >= from && endMs < to);
  const offered = perSecond * (seconds - leadSeconds);
  const refused = begun.filter(({ outcome, code }) => outcome === 'refused' || code === LATE).length;
  const failed = begun.filter(
    ({ outcome, code }) => outcome === 'wrong' || (outcome === 'failed' && code !== LATE),
  ).length;
  const unsent = (dropped[name] ?? []).filter((dueMs) => dueMs >= from && dueMs < to);
  // k6 does not say which question it cut off.
  const cutOff = ((unanswered[name] ?? 0) * (seconds - leadSeconds)) / seconds;
  return {
    offeredPerSecond: perSecond,
    windowSeconds: seconds - leadSeconds,
    answeredPerSecond: arrived.length / (seconds - leadSeconds),
    refusedShare: refused / offered,
    failedShare: (failed + unsent.length + cutOff) / offered,
    lateness: latenessOf(begun, unsent, 1000 / perSecond).join(' '),
    ...latencyFigures(begun.filter(({ outcome }) => outcome === 'ok').map(({ tookMs }) => tookMs)),
    ...resourceFigures(samples.filter(({ atMs }) => atMs >= from && atMs <= to)),
  };
}

/**
 * A load generator that shares the machine is late now and then, and then sends what is due at once.
 * @param {readonly Pick<Answer, 'beginMs'>[]} begun in their order
 * @param {readonly number[]} unsent when each request was due that was never sent, in order: it had a turn as well
 * @param {number} everyMs
 * @returns {number[]} milliseconds, at least 0, of each that was begun
 */
export function latenessOf(begun, unsent, everyMs) {
  let missed = 0;
  const against = begun.map(({ beginMs }, i) => {
    while (unsent[missed] <= beginMs) missed += 1;
    return beginMs - (i + missed) * everyMs;
  });
  const best = Math.min(...against);
  return against.map((one) => Math.round(one - best));
}

/** @param {readonly number[]} milliseconds */
export function latencyFigures(milliseconds) {
  const at = (/** @type {number} */ percent) =>
    milliseconds.length > 0 ? percentile(milliseconds, percent) : null;
  return { p50Ms: at(50), p95Ms: at(95), p99Ms: at(99) };
}

/** @param {readonly Sample[]} samples */
export function resourceFigures(samples) {
  const queues = samples.map(({ queueLength }) => queueLength).filter(Number.isFinite);
  /** @type {Record<string, number>} */
  const cpuCores = {};
  /** @type {Record<string, number>} */
  const rssMb = {};
  for (const name of Object.keys(samples[0]?.cpuSeconds ?? {})) {
    const seen = samples.filter(({ cpuSeconds }) => name in cpuSeconds);
    const [first, last] = [seen[0], seen[seen.length - 1]];
    const seconds = (last.atMs - first.atMs) / 1000;
    if (seconds > 0) cpuCores[name] = (last.cpuSeconds[name] - first.cpuSeconds[name]) / seconds;
    rssMb[name] = Math.max(...seen.map((sample) => sample.rssMb[name]));
  }
  return {
    queueLength: queues.length > 0 ? queues.reduce((a, b) => a + b, 0) / queues.length : 0,
    queueMost: Math.max(0, ...queues),
    cpuCores,
    rssMb,
  };
}

/** What a step must hold to count as carried: times within the target, nearly nothing refused, and no growing backlog. */
export const CARRIED = Object.freeze({ refusedShare: 0.001, answeredShare: 0.99 });

/** Answers at the edges of the window that may fall to either side: at low rates they are more than a hundredth. */
const EDGE_ANSWERS = 2;

/**
 * @param {Pick<StepFigures, 'offeredPerSecond' | 'answeredPerSecond' | 'windowSeconds' | 'refusedShare' | 'p95Ms'>} step
 * @param {number} targetMs of the 95th percentile
 */
export const isCarried = (step, targetMs) =>
  step.p95Ms !== null &&
  step.p95Ms <= targetMs &&
  step.refusedShare < CARRIED.refusedShare &&
  step.answeredPerSecond + EDGE_ANSWERS / step.windowSeconds >= CARRIED.answeredShare * step.offeredPerSecond;

/**
 * The knee of the curve: the highest offered rate that is carried, with every lower one carried as well. A step that
 * happens to go well above one that did not is luck.
 * @param {readonly StepFigures[]} steps
 * @param {number} targetMs
 * @returns {{ perSecond: number, p95Ms: number } | null} null where not even the lowest rate is carried
 */
export function kneeOf(steps, targetMs) {
  let knee = null;
  for (const step of [...steps].sort((a, b) => a.offeredPerSecond - b.offeredPerSecond)) {
    if (!isCarried(step, targetMs)) break;
    knee = { perSecond: step.offeredPerSecond, p95Ms: /** @type {number} */ (step.p95Ms) };
  }
  return knee;
}

/** What belongs to the product; k6 stands for clients, which run elsewhere. */
const PRODUCT = ['gateway', 'inference', 'redis'];

/**
 * @param {Pick<StepFigures, 'answeredPerSecond' | 'cpuCores'>} step
 * @param {number} imagesPerAnswer
 * @returns {number} processor time of gateway, inference and Redis for 10^6 images, in hours of one core
 */
export function coreHoursPerMillion({ answeredPerSecond, cpuCores }, imagesPerAnswer) {
  const cores = PRODUCT.reduce((sum, name) => sum + (cpuCores[name] ?? 0), 0);
  return ((cores / (answeredPerSecond * imagesPerAnswer)) * 1e6) / 3600;
}

/**
 * Whether memory grows: a line through the samples after the warm-up.
 * @param {readonly Sample[]} samples
 * @param {string} name of the process
 * @param {number} warmUp part of the samples that is left out, 0 to 1
 * @returns {{ mbPerHour: number, intervalMbPerHour: number }} with half of the 95 % interval
 */
export function memorySlope(samples, name, warmUp) {
  const seen = samples.filter(({ rssMb }) => name in rssMb);
  const kept = seen.slice(Math.floor(warmUp * seen.length));
  const { slope, error } = growthOf(
    kept.map(({ atMs, rssMb }) => ({ x: (atMs - kept[0].atMs) / 3.6e6, y: rssMb[name] })),
  );
  return { mbPerHour: slope, intervalMbPerHour: error };
}

/**
 * How long after a surge answers were not as they should be: until the last request that was refused, wrong, or took
 * longer than the target had begun. Where nothing was answered any more, nothing has recovered.
 * @param {readonly Answer[]} after requests that began after the surge
 * @param {number} surgeEndMs
 * @param {number} targetMs
 * @returns {number} seconds; 0 where all was well at once, infinite without a right answer
 */
export function recoverySeconds(after, surgeEndMs, targetMs) {
  if (!after.some(({ outcome }) => outcome === 'ok')) return Number.POSITIVE_INFINITY;
  const bad = after.filter(({ outcome, tookMs }) => outcome !== 'ok' || tookMs > targetMs);
  return bad.length === 0 ? 0 : (Math.max(...bad.map(({ beginMs }) => beginMs)) - surgeEndMs) / 1000;
}

/** @template T @param {readonly T[]} list @param {(item: T) => string} keyOf @returns {Record<string, number>} */
export function countBy(list, keyOf) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const item of list) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
