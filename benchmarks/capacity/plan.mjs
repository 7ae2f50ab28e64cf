/**
 * Plans the resources for a number of images a second. The plan multiplies the measured layout, a pod with as many cores and
 * workers as the machine, and never assumes that a larger pod scales as well. It is skipped if the same arithmetic does not
 * predict the measured knee.
 */
import { cells } from '../lib/report.mjs';
import { readResult } from '../lib/results.mjs';
import { Skip } from '../lib/skip.mjs';
import { amounts, firstLimits, perMillionImages } from './sizing.mjs';

const RATES = [10, 1_000, 100_000];

/** @type {import('../lib/types').Measurement} */
export const plan = {
  name: 'capacity/plan',
  question:
    'How many cores, gateways, shards and bytes do 10, 1,000 and 100,000 images a second need, and what is exhausted first?',
  conditions: {
    /** Highest share of an inference pod's cores in use: the rest absorbs bursts and failed pods. */
    podUse: 0.75,
    /** The highest share of a gateway's event loop and of a Redis core: above it, the queue of a single thread grows steeply. */
    threadUse: 0.6,
    nicGbps: 10,
    redisMemoryGb: 64,
    /** Per cent by which the predicted interpolated knee may be off. */
    tolerance: 15,
  },
  quick: {},

  async run(conditions, log) {
    const times = readResult('capacity/service-times').data;
    const { mixes } = readResult('capacity/knee').data;
    const off = 100 * Math.max(...mixes.map(({ knee }) => Math.abs(knee.error)));
    if (off > conditions.tolerance)
      throw new Skip(
        `The predicted interpolated knee is off by ${Math.round(off)} %, more than ${conditions.tolerance}, so nothing is extrapolated.`,
      );
    const planned = mixes.map(({ operation }) => {
      const { tierMs } = times.operations[operation].together;
      const pod = { perSecond: (conditions.podUse * 1e3 * times.workers) / tierMs };
      log(`${operation}: ${pod.perSecond.toFixed(1)} requests/s a pod of ${times.workers} cores`);
      const options = { ...conditions, pod };
      return {
        operation,
        pod,
        rates: RATES.map((imagesPerSecond) => amounts(operation, times, { ...options, imagesPerSecond })),
        limits: firstLimits(operation, times, options),
        perMillion: perMillionImages(operation, times, options),
      };
    });
    return { kneeErrorPercent: off, podCores: times.workers, planned };
  },

  summarize(raw, conditions) {
    const { planned, podCores, kneeErrorPercent } = raw;
    const { podUse, threadUse, nicGbps, redisMemoryGb } = conditions;
    return {
      figures: [],
      tables: [
        ...planned.map(({ operation, pod, rates }) => ({
          title: `${operation}: resources by images a second`,
          columns:
            'Images/s | Requests/s | Inference pods | Cores | Memory, GiB | Gateways | Redis shards, requests | Redis shards, ledger | In, Gbit/s | Ledger a day, GB',
          rows: rates.map((rate) =>
            cells(
              rate,
              'imagesPerSecond requestsPerSecond pods podCores podGiB gateways shards ledgerShards inGbps ledgerGbPerDay',
            ),
          ),
          remark: `A pod: ${podCores} cores, ${podCores} workers, at most ${100 * podUse} % of them in use, which is ${pod.perSecond.toFixed(1)} requests/s. One pod and one gateway more than needed; gateways and shards at most ${100 * threadUse} % busy. Shards by requests, and by the ledger of 400 days in ${redisMemoryGb} GB each: the larger number counts, with a replica for each. The predicted interpolated knee is off by ${kneeErrorPercent.toFixed(0)} % at most.`,
        })),
        {
          title: 'A million images',
          columns: 'Operation | Pod-hours | Core-hours',
          rows: planned.map(({ operation, perMillion }) => [
            operation,
            ...cells(perMillion, 'podHours coreHours'),
          ]),
          remark: `Pods, gateways and Redis as above, busy as much as they may be, without spare ones. Core-hours are those of all three. Multiply them by your price of a core-hour.`,
        },
        ...planned.map(({ operation, limits }) => ({
          title: `${operation}: the limit of one of each, lowest first`,
          columns: 'What | Images/s',
          rows: limits.map(({ what, imagesPerSecond }) => [what, imagesPerSecond]),
          remark: `Network: ${nicGbps} Gbit/s. Ledger: its lines of 400 days in ${redisMemoryGb} GB of Redis, three quarters full.`,
        })),
      ],
      data: { kneeErrorPercent, planned },
    };
  },
};
