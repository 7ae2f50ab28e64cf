/** From measured service times to what the simulation takes. */
import { operations } from './requests.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */
/** @typedef {import('../lib/types').Own} Own */
/** @typedef {import('./simulation/service.mjs').Run} Run */

/** As the tier has it on processors (inference/src/serving-policy.ts, config.ts) and the gateway (config.ts). */
const PRODUCT = Object.freeze({
  tasksPerWorker: 2,
  policy: { maxBatch: 1, maxQueue: 256, delayMs: 0, spread: true },
  deadlineMs: 15_000,
});

/**
 * One machine that does everything, the load included: what a ramp on one machine measures.
 * @param {Own} times figures of capacity/service-times
 * @param {OperationName} operation
 * @param {{ cores: number, workers: number, clientMs: number }} machine
 * @returns {Pick<Run, 'layout' | 'times' | 'work' | 'factors'>}
 */
export function oneMachine(times, operation, { cores, workers, clientMs }) {
  const measured = times.operations[operation];
  return {
    layout: layoutOf({
      cores,
      workers,
      together: true,
      alone: measured.totalMs,
      busy: measured.together.totalMs,
    }),
    times: {
      gateway: measured.gateway,
      redisMs: measured.redisMs,
      tierMs: measured.tier.mainMs,
      clientMs,
      parts: operations[operation].parts,
    },
    work: workOf(operation, measured),
    factors: measured.factors,
  };
}

/**
 * The inference tier on cores of its own, gateway, Redis and clients elsewhere: how it is run for more than one machine.
 * @param {Own} times
 * @param {OperationName} operation
 * @returns {Pick<Run, 'layout' | 'times' | 'work' | 'factors'>}
 */
export function ownCores(times, operation) {
  const { tier, together } = times.operations[operation];
  const alone = { median: tier.mainMs + tier.workerMs + tier.decodeMs };
  const cores = times.workers;
  return {
    ...oneMachine(times, operation, { cores, workers: cores, clientMs: 0 }),
    layout: layoutOf({ cores, workers: cores, together: false, alone, busy: { median: together.tierMs } }),
  };
}

/**
 * @param {{ cores: number, workers: number, together: boolean, alone: { median: number }, busy: { median: number } }} options
 * @returns {import('./simulation/service.mjs').Layout}
 */
const layoutOf = ({ cores, workers, together, alone, busy }) => ({
  ...PRODUCT,
  cores,
  workers,
  together,
  sharedSpeed: alone.median / busy.median,
  // UV_THREADPOOL_SIZE as the tier sets it (inference/src/main.ts).
  decodeThreads: Math.max(4, cores),
});

/**
 * The work of each part: decoding is taken as equal for all, the worker's own time is divided among the models as their
 * times are, so that what happens between two runs goes with them.
 * @param {OperationName} operation
 * @param {Own} measured
 */
function workOf(operation, { tier, modelMs }) {
  const { parts, roles } = operations[operation];
  const sum = Object.values(/** @type {Record<string, number>} */ (modelMs)).reduce((a, b) => a + b, 0);
  return Object.fromEntries(
    Object.entries(/** @type {Record<string, readonly string[]>} */ (roles)).map(([part, own]) => {
      const times = parts.filter((one) => one === part).length;
      const steps = own
        .filter((role) => modelMs[role] > 0)
        .map((role) => ({ baseMs: 0, perItemMs: ((modelMs[role] / sum) * tier.workerMs) / times }));
      return [part, { decodeMs: tier.decodeMs / parts.length, steps }];
    }),
  );
}

/**
 * What the load generator took of the machine for each request, by the ramp's own samples, at the highest of the given
 * rates: it costs something even when it sends nothing, which at low rates would count as work of the few requests.
 * @param {readonly Own[]} steps
 * @returns {number} milliseconds
 */
export function clientMsOf(steps) {
  const highest = steps.reduce((a, b) => (b.offeredPerSecond > a.offeredPerSecond ? b : a));
  return (1e3 * (highest.cpuCores.k6 ?? 0)) / highest.answeredPerSecond;
}
