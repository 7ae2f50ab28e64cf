/**
 * How much of everything a given number of images a second needs. It multiplies what was measured and simulated on the
 * layout that was measured, a pod of as many cores and workers as the machine had; it never assumes that more cores in
 * one pod are as good. It refuses to speak where the simulation does not reproduce the measured curve.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS } from '../lib/paths.mjs';
import { Skip } from '../lib/skip.mjs';
import { readFigures } from './knee.mjs';
import { ownCores } from './model.mjs';
import { operations } from './requests.mjs';
import { simulate } from './simulation/service.mjs';
import { amounts, firstLimits, gpuImagesPerSecond } from './sizing.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */

const names = /** @type {OperationName[]} */ (Object.keys(operations));
const RATES = [10, 1_000, 100_000];

/** @type {import('../lib/types').Measurement} */
export const plan = {
  name: 'capacity/plan',
  answers:
    'How many cores, gateways, shards and bytes do 10, 1,000 and 100,000 images a second need, and what breaks first?',
  parameters: {
    /** Largest part of an inference pod's cores in use: what is left takes bursts, and the pods that fail. */
    podUse: 0.75,
    /** Of a gateway's event loop, and of a Redis core: single threads, whose queues grow steeply above it. */
    threadUse: 0.6,
    nicGbps: 10,
    redisMemoryGb: 64,
    /** Per cent by which the simulated interpolated knee may be off. */
    tolerance: 15,
    seconds: 120,
    seed: 1,
  },

  async run(parameters, log) {
    const times = readFigures('capacity/service-times');
    const { mixes } = readFigures('capacity/knee');
    const off = 100 * Math.max(...mixes.map((/** @type {any} */ { knee }) => Math.abs(knee.error)));
    if (off > parameters.tolerance) {
      throw new Skip(
        `The simulated interpolated knee is off by ${Math.round(off)} %, more than ${parameters.tolerance}: it does not reproduce what was measured, so nothing is extrapolated.`,
      );
    }
    const gpu = gpuRates();
    const planned = [];
    for (const operation of names) {
      const targetMs = mixes.find((/** @type {any} */ mix) => mix.operation === operation)?.knee.targetMs;
      if (targetMs === undefined) continue;
      const pod = await sizePod(operation, times, { ...parameters, targetMs });
      log(
        `${operation}: ${pod.perSecond.toFixed(1)} requests/s a pod of ${times.workers} cores, p95 ${pod.p95Ms.toFixed(0)} ms`,
      );
      const gpuPerSecond = gpu(operation);
      planned.push({
        operation,
        pod,
        gpuPerSecond,
        rates: RATES.map((imagesPerSecond) =>
          amounts(operation, times, { imagesPerSecond, pod, gpuPerSecond, ...parameters }),
        ),
        limits: firstLimits(operation, times, { pod, ...parameters }),
      });
    }
    return { bars: [], figures: { ...parameters, kneeErrorPercent: off, podCores: times.workers, planned } };
  },

  report({ planned, podCores, podUse, threadUse, kneeErrorPercent, nicGbps, redisMemoryGb }) {
    return [
      ...planned.map((/** @type {any} */ { operation, pod, rates }) => ({
        title: `${operation}: what so many images a second need`,
        columns: [
          'Images/s',
          'Requests/s',
          'Inference pods',
          'Cores',
          'Memory, GiB',
          'Gateways',
          'Redis shards, requests',
          'Redis shards, ledger',
          'In, Gbit/s',
          'Ledger a day, GB',
        ],
        rows: rates.map((/** @type {any} */ rate) => [
          rate.imagesPerSecond,
          rate.requestsPerSecond,
          rate.pods,
          rate.podCores,
          rate.podGiB,
          rate.gateways,
          rate.shards,
          rate.ledgerShards,
          rate.inGbps,
          rate.ledgerGbPerDay,
        ]),
        remark: `A pod: ${podCores} cores, ${podCores} workers, at most ${100 * podUse} % of them in use, which is ${pod.perSecond.toFixed(1)} requests/s with a simulated p95 of ${pod.p95Ms.toFixed(0)} ms (target ${pod.targetMs}). One pod and one gateway more than are needed; gateways and shards at most ${100 * threadUse} % busy. Shards by requests, and by the ledger of 400 days in ${redisMemoryGb} GB each: the larger number counts, and each has a replica beside it. The simulated interpolated knee is off by ${kneeErrorPercent.toFixed(0)} % at most.`,
      })),
      ...planned.map((/** @type {any} */ { operation, limits }) => ({
        title: `${operation}: where one of each ends, in the order in which it does`,
        columns: ['What', 'Images/s'],
        rows: limits.map((/** @type {any} */ { what, imagesPerSecond }) => [what, imagesPerSecond]),
        remark: `Network: ${nicGbps} Gbit/s. Ledger: its lines of 400 days in ${redisMemoryGb} GB of Redis, three quarters full.`,
      })),
    ];
  },
};

/** Only where a GPU was measured; nothing is assumed of one. @returns {(operation: OperationName) => number | null} */
function gpuRates() {
  if (!existsSync(join(RESULTS, 'gpu', 'sweep-cuda.json'))) return () => null;
  const { models } = readFigures('gpu/sweep-cuda');
  const recorded = readFigures('speed/http-path').operations;
  return (operation) => {
    const { runs } = recorded.find((/** @type {any} */ { name }) => name === operation);
    return gpuImagesPerSecond(operations[operation].images, runs, models);
  };
}

/**
 * The most requests a second that one pod takes: as much of its cores as may be in use, less where the 95th percentile
 * of Poisson arrivals would not hold.
 * @param {OperationName} operation
 * @param {any} times
 * @param {{ podUse: number, targetMs: number, seconds: number, seed: number }} options
 */
async function sizePod(operation, times, { podUse, targetMs, seconds, seed }) {
  const run = {
    ...ownCores(times, operation),
    pattern: /** @type {const} */ ('poisson'),
    seconds,
    warmUpSeconds: 10,
    seed,
  };
  const most = (1e3 * times.workers) / times.operations[operation].together.tierMs;
  for (let use = podUse; use > 0.05; use -= 0.05) {
    const perSecond = use * most;
    const { p50Ms, p95Ms, p99Ms, refused } = await simulate({ ...run, perSecond });
    if (p95Ms <= targetMs && refused === 0) return { perSecond, use, targetMs, p50Ms, p95Ms, p99Ms };
  }
  throw new Skip(`A pod of this machine does not hold the target of ${operation} at any load.`);
}
