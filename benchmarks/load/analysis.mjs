/** Figures from responses and samples. Pure functions. */
import { mean, percentile } from '../lib/stats.mjs';

/** @typedef {import('./k6.mjs').Response} Response */
/** @typedef {import('../../gateway/harness/index.mjs').Sample<{ queueLength: number }>} Sample */

/** Error code of a request that reached its deadline. */
export const LATE = 'DEADLINE_EXCEEDED';

/**
 * @typedef {object} StepFigures
 * @property {number} offeredPerSecond
 * @property {number} windowSeconds
 * @property {number} servedPerSecond right responses that arrived
 * @property {number} refusedShare of the offered requests, 0 to 1: at once, or only at the deadline
 * @property {number} failedShare of the offered requests: wrong, failed, cut off, or never sent
 * @property {number | null} p50Ms of right responses, null without any
 * @property {number | null} p95Ms
 * @property {number | null} p99Ms
 * @property {number} queueLength mean of the samples
 * @property {number} queueMost
 * @property {Record<string, number>} cpuCores used on average, by process
 * @property {Record<string, number>} rssMb highest, by process
 */

/**
 * One step of offered load, without its lead-in, in which the step before still echoes. Percentiles are of requests that
 * started in the window, throughput is of responses that ended in it.
 * @param {Pick<import('./k6.mjs').K6Run, 'responses' | 'dropped' | 'cutOff'> & { samples: readonly Sample[] }} run
 * @param {{ name: string, perSecond: number, seconds: number, leadSeconds: number }} step
 * @returns {StepFigures}
 */
export function stepFigures(
  { responses, dropped, cutOff, samples },
  { name, perSecond, seconds, leadSeconds },
) {
  const stepResponses = responses.filter(({ scenario }) => scenario === name);
  if (stepResponses.length === 0) throw new Error(`No request of the step ${name} got a response.`);
  const from = stepResponses[0].beginMs + 1000 * leadSeconds;
  const to = stepResponses[0].beginMs + 1000 * seconds;
  const windowSeconds = seconds - leadSeconds;
  const begun = stepResponses.filter(({ beginMs }) => beginMs >= from && beginMs < to);
  const arrived = stepResponses.filter(
    ({ outcome, endMs }) => outcome === 'ok' && endMs >= from && endMs < to,
  );
  const offered = perSecond * windowSeconds;
  const refused = begun.filter(({ outcome, code }) => outcome === 'refused' || code === LATE).length;
  const failed = begun.filter(
    ({ outcome, code }) => outcome === 'wrong' || (outcome === 'failed' && code !== LATE),
  );
  const unsent = (dropped[name] ?? []).filter((dueMs) => dueMs >= from && dueMs < to);
  // k6 does not say which request it cut off.
  const lost = ((cutOff[name] ?? 0) * windowSeconds) / seconds;
  return {
    offeredPerSecond: perSecond,
    windowSeconds,
    servedPerSecond: arrived.length / windowSeconds,
    refusedShare: refused / offered,
    failedShare: (failed.length + unsent.length + lost) / offered,
    ...latencyFigures(begun.filter(({ outcome }) => outcome === 'ok').map(({ tookMs }) => tookMs)),
    ...resourceFigures(samples.filter(({ atMs }) => atMs >= from && atMs <= to)),
  };
}

/** @param {readonly number[]} milliseconds */
function latencyFigures(milliseconds) {
  const at = (percent) => (milliseconds.length > 0 ? percentile(milliseconds, percent) : null);
  return { p50Ms: at(50), p95Ms: at(95), p99Ms: at(99) };
}

/** @param {readonly Sample[]} samples */
export function resourceFigures(samples) {
  const queues = samples.map(({ queueLength }) => queueLength).filter(Number.isFinite);
  const cpuCores = {};
  const rssMb = {};
  for (const name of Object.keys(samples[0]?.cpuSeconds ?? {})) {
    const seen = samples.filter(({ cpuSeconds }) => name in cpuSeconds);
    const [first, last] = [seen[0], seen[seen.length - 1]];
    const seconds = (last.atMs - first.atMs) / 1000;
    if (seconds > 0) cpuCores[name] = (last.cpuSeconds[name] - first.cpuSeconds[name]) / seconds;
    rssMb[name] = Math.max(...seen.map((sample) => sample.rssMb[name]));
  }
  return {
    queueLength: queues.length > 0 ? mean(queues) : 0,
    queueMost: Math.max(0, ...queues),
    cpuCores,
    rssMb,
  };
}

/** The service carries a step if it meets the target, sheds almost no load, and builds up no backlog. */
export const CARRIED = Object.freeze({ refusedShare: 0.001, servedShare: 0.99 });

/** Responses at the edges of the window that may fall to either side: at low rates they are more than a hundredth. */
const EDGE_RESPONSES = 2;

/**
 * @param {Pick<StepFigures, 'offeredPerSecond' | 'servedPerSecond' | 'windowSeconds' | 'refusedShare' | 'p95Ms'>} step
 * @param {number} targetMs of p95
 */
export const isCarried = (step, targetMs) =>
  step.p95Ms !== null &&
  step.p95Ms <= targetMs &&
  step.refusedShare < CARRIED.refusedShare &&
  step.servedPerSecond + EDGE_RESPONSES / step.windowSeconds >= CARRIED.servedShare * step.offeredPerSecond;

/**
 * The knee of the curve: the highest offered rate that is carried together with all lower ones. A carried step above one
 * that is not carried is luck.
 * @param {readonly StepFigures[]} steps
 * @param {number} targetMs
 * @returns {{ perSecond: number, p95Ms: number } | null} null where not even the lowest rate is carried
 */
export function kneeOf(steps, targetMs) {
  /** @type {{ perSecond: number, p95Ms: number } | null} */
  let knee = null;
  for (const step of [...steps].sort((a, b) => a.offeredPerSecond - b.offeredPerSecond)) {
    if (!isCarried(step, targetMs)) break;
    knee = { perSecond: step.offeredPerSecond, p95Ms: /** @type {number} */ (step.p95Ms) };
  }
  return knee;
}

/** Leaves out k6, which stands for clients on other machines. */
const PRODUCT = ['gateway', 'inference', 'redis'];

/**
 * @param {Pick<StepFigures, 'servedPerSecond' | 'cpuCores'>} step
 * @param {number} imagesPerResponse
 * @returns {number} processor time of gateway, inference and Redis for 10^6 images, in hours of one core
 */
export function coreHoursPerMillion({ servedPerSecond, cpuCores }, imagesPerResponse) {
  const cores = PRODUCT.reduce((total, name) => total + (cpuCores[name] ?? 0), 0);
  return ((cores / (servedPerSecond * imagesPerResponse)) * 1e6) / 3600;
}

/**
 * The time after a surge until the last request started that was refused, wrong, or slower than the target.
 * @param {readonly Response[]} after requests that started after the surge
 * @param {number} surgeEndMs
 * @param {number} targetMs
 * @returns {number} seconds; 0 if no request suffered, infinite without a right response
 */
export function recoverySeconds(after, surgeEndMs, targetMs) {
  if (!after.some(({ outcome }) => outcome === 'ok')) return Number.POSITIVE_INFINITY;
  const bad = after.filter(({ outcome, tookMs }) => outcome !== 'ok' || tookMs > targetMs);
  return bad.length === 0 ? 0 : (Math.max(...bad.map(({ beginMs }) => beginMs)) - surgeEndMs) / 1000;
}

/** The time from the first request to the last response. @param {readonly Response[]} responses */
export const secondsOf = (responses) =>
  (Math.max(...responses.map(({ endMs }) => endMs)) - responses[0].beginMs) / 1e3;

/** @template T @param {readonly T[]} items @param {(item: T) => string} keyOf @returns {Record<string, number>} */
export function countBy(items, keyOf) {
  const counts = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

/** Times and outcomes by operation, or by another key. @param {readonly Response[]} responses @param {(one: Response) => string} [keyOf] */
export function byOperation(responses, keyOf = ({ operation }) => operation) {
  return [...new Set(responses.map(keyOf))].sort().map((operation) => {
    const ofOperation = responses.filter((response) => keyOf(response) === operation);
    return {
      operation,
      requests: ofOperation.length,
      outcomes: countBy(ofOperation, ({ outcome, code }) => (code ? `${outcome}: ${code}` : outcome)),
      ...latencyFigures(ofOperation.filter(({ outcome }) => outcome === 'ok').map(({ tookMs }) => tookMs)),
    };
  });
}

/** Counts the outcomes of each second, by the end of the response. @param {readonly Response[]} responses */
export function timeline(responses) {
  const begin = responses[0]?.beginMs ?? 0;
  const secondOf = ({ endMs }) => Math.floor((endMs - begin) / 1000);
  const last = Math.max(0, ...responses.map(secondOf));
  return Array.from({ length: last + 1 }, (_, second) => {
    const inSecond = responses.filter((response) => secondOf(response) === second);
    const right = inSecond.filter(({ outcome }) => outcome === 'ok');
    const refused = inSecond.filter(({ outcome }) => outcome === 'refused').length;
    return {
      second,
      ok: right.length,
      refused,
      p95Ms: latencyFigures(right.map(({ tookMs }) => tookMs)).p95Ms,
    };
  });
}
