/**
 * The inputs of the plan: processor time of each part of the path, one request at a time and with all cores busy; the cost
 * of metering in Redis; memory. No input comes from the load whose knee they predict.
 */
import { availableParallelism } from 'node:os';
import { memoryOf } from '../../gateway/harness/index.mjs';
import { portraits } from '../lib/material.mjs';
import { cells, figure, range } from '../lib/report.mjs';
import { mean } from '../lib/stats.mjs';
import { needProc } from '../lib/tier.mjs';
import { measureAlone, measureFrame, measureTogether, withStack } from './path-times.mjs';
import { measureRedisBehindGateway, measureScripts } from './redis-limit.mjs';
import { names } from './requests.mjs';

/** Few accounts with many units each, so that the initial size of a ledger in Redis hardly counts. */
const ACCOUNTS = 20;

/** @type {import('../lib/types').Measurement} */
export const serviceTimes = {
  name: 'capacity/service-times',
  question: 'What does each part of the path cost in processor time, memory and bytes?',
  conditions: {
    rounds: 3,
    requests: 40,
    seconds: 5,
    warmUpSeconds: 25,
    redisSeconds: 10,
    redisRequests: 30_000,
  },
  quick: { rounds: 1, requests: 4, seconds: 1, warmUpSeconds: 3, redisSeconds: 2, redisRequests: 500 },

  async run({ rounds, requests, seconds, warmUpSeconds, redisSeconds, redisRequests }, log) {
    needProc();
    const images = await portraits();
    const workers = availableParallelism();
    const operations = {};
    const single = await withStack({ workers: 1, images, warmUpSeconds }, async (stack) => {
      for (const name of names) {
        operations[name] = await measureAlone(stack, name, { images, rounds, requests });
        log(`${name}, one at a time: ${figure(operations[name].totalMs.median)} ms of processor time`);
      }
      const frame = await measureFrame(stack, images, requests);
      return { frame, tierMiB: memoryOf(stack.pids.tier).rssMiB };
    });
    const memory = await withStack({ workers, images, warmUpSeconds }, async (stack) => {
      for (const name of names) {
        operations[name].together = await measureTogether(stack, name, { images, rounds, seconds, workers });
        log(`${name}, all cores busy: ${figure(operations[name].together.totalMs.median)} ms`);
      }
      return {
        tierMiB: memoryOf(stack.pids.tier).rssMiB,
        gatewayMiB: memoryOf(stack.pids.gateway).rssMiB,
      };
    });
    const redis = await measureRedisBehindGateway({ seconds: redisSeconds, connections: 48 });
    const scripts = await measureScripts({ requests: redisRequests, atOnce: 64, accounts: ACCOUNTS });
    log(
      `Redis: ${figure(redis.perCore)} requests a second and core, ${figure(scripts.perCore)} by scripts alone`,
    );
    return {
      workers,
      imageBytes: Math.round(mean(images.map(({ length }) => length))),
      operations,
      frame: single.frame,
      redis: {
        ...redis,
        scriptsPerCore: scripts.perCore,
        accounts: scripts.accounts,
        commandsPerRequest: scripts.commandsPerRequest,
        bytesPerUnit: scripts.bytesPerUnit,
      },
      memory: {
        ...memory,
        perWorkerMiB: workers > 1 ? (memory.tierMiB - single.tierMiB) / (workers - 1) : single.tierMiB,
        oneWorkerMiB: single.tierMiB,
      },
    };
  },

  summarize(raw) {
    const { workers, imageBytes, operations, redis, memory, frame } = raw;
    return {
      figures: [],
      tables: [
        {
          title: 'Processor time of a request, milliseconds',
          columns:
            'Operation | Gateway | Redis | Tier, main | Decode | Models | Sum, alone | Sum, all cores busy',
          rows: names.map((name) => {
            const { gateway, redisMs, tier, totalMs, together } = operations[name];
            return [
              name,
              gateway.loopMs + gateway.besideMs,
              redisMs,
              ...cells(tier, 'mainMs decodeMs workerMs'),
              range(totalMs),
              range(together.totalMs),
            ];
          }),
          remark: `Portraits of 640 x 480, ${Math.round(imageBytes / 1e3)} kB, as JSON; a comparison has two of them. Processor time by process and thread, counted by the kernel. Alone: one request at a time on one worker. All cores busy: ${2 * workers} requests at once on ${workers} workers; cores share caches and memory, which makes a request more expensive, and caches stay warm, which makes it cheaper. Sums: median of the rounds (lowest to highest). One frame of a liveness capture takes the inference tier ${figure(frame.tierMs)} ms.`,
        },
        {
          title: 'Redis and memory',
          columns: 'What | Figure',
          rows: [
            ['Metered requests a second and core of Redis, behind a gateway', redis.perCore],
            ['The same by scripts alone, from one client: the upper limit', figure(redis.scriptsPerCore)],
            ['Commands of Redis a request, in two scripts', redis.commandsPerRequest],
            ['Bytes of Redis a billed unit', redis.bytesPerUnit],
            ['Inference tier with one worker, MiB', memory.oneWorkerMiB],
            ['Each further worker, MiB', memory.perWorkerMiB],
            ['Gateway, MiB', memory.gatewayMiB],
          ],
          remark: `Redis: its processor time, with a log that is synced every second. Behind a gateway: ${figure(redis.perSecond)} small requests a second, the limit of one gateway process beside the load and a stand-in for the inference tier. Plans compute with this. Scripts alone: the gateway's own, for ${redis.accounts} accounts, 64 requests at once from one client. Memory: resident, after the load above.`,
        },
      ],
      data: raw,
    };
  },
};
