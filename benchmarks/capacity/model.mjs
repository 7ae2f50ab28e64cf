/** Turns measured service times into inputs of the simulation. */
import { sum } from '../lib/stats.mjs';
import { operations } from './requests.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */
/** @typedef {Pick<import('./simulation/service.mjs').Run, 'layout' | 'times' | 'work' | 'factors'>} Model */

/** As in the tier on processors (inference/src/serving-policy.ts, config.ts) and in the gateway (config.ts). */
export const PRODUCT = Object.freeze({
  tasksPerWorker: 4,
  maxQueue: 256,
  deadlineMs: 15_000,
});

/**
 * One machine for everything, with its load: the layout of a ramp on one machine.
 * @param {any} times data of capacity/service-times
 * @param {OperationName} operation
 * @param {{ cores: number, workers: number, clientMs: number }} machine
 * @returns {Model}
 */
export function oneMachine(times, operation, { cores, workers, clientMs }) {
  const measured = times.operations[operation];
  const { gateway, redisMs, tier, totalMs, together } = measured;
  return {
    layout: layoutOf({
      cores,
      workers,
      together: true,
      aloneMs: totalMs.median,
      busyMs: together.totalMs.median,
    }),
    times: { gateway, redisMs, tierMs: tier.mainMs, clientMs, parts: operations[operation].parts },
    work: workOf(operation, measured),
    factors: measured.factors,
  };
}

/**
 * The inference tier on cores of its own, with gateway, Redis and clients elsewhere: the layout of several machines.
 * @param {any} times
 * @param {OperationName} operation
 * @returns {Model}
 */
export function ownCores(times, operation) {
  const { tier, together } = times.operations[operation];
  const [cores, aloneMs] = [times.workers, tier.mainMs + tier.workerMs + tier.decodeMs];
  return {
    ...oneMachine(times, operation, { cores, workers: cores, clientMs: 0 }),
    layout: layoutOf({ cores, workers: cores, together: false, aloneMs, busyMs: together.tierMs }),
  };
}

/** @returns {import('./simulation/service.mjs').Layout} */
const layoutOf = ({ cores, workers, together, aloneMs, busyMs }) => ({
  ...PRODUCT,
  cores,
  workers,
  together,
  sharedSpeed: aloneMs / busyMs,
  // UV_THREADPOOL_SIZE as the tier sets it (inference/src/main.ts).
  decodeThreads: Math.max(4, cores),
});

/**
 * The work of each part. All parts take the same time to decode. The models share the worker's time in proportion to their
 * own times, so that the sum includes the time between two runs.
 */
function workOf(operation, { tier, modelMs }) {
  const { parts, roles } = operations[operation];
  const total = sum(Object.values(modelMs));
  return Object.fromEntries(
    Object.entries(roles).map(([part, own]) => {
      const times = parts.filter((one) => one === part).length;
      const steps = own
        .filter((role) => modelMs[role] > 0)
        .map((role) => ({ baseMs: 0, perItemMs: ((modelMs[role] / total) * tier.workerMs) / times }));
      return [part, { decodeMs: tier.decodeMs / parts.length, steps }];
    }),
  );
}

/**
 * The load generator's CPU time per request, from the samples of the ramp at the highest of the given rates. At low rates
 * its idle work would count for the few requests.
 * @param {readonly any[]} steps
 * @returns {number} milliseconds
 */
export function clientMsOf(steps) {
  const highest = steps.reduce((a, b) => (b.offeredPerSecond > a.offeredPerSecond ? b : a));
  return (1e3 * (highest.cpuCores.k6 ?? 0)) / highest.servedPerSecond;
}
