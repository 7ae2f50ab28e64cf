/**
 * What the simulation and the plan compute with: processor time of each part of the path, one request at a time and with
 * all cores busy; metering on Redis; memory. Nothing in here comes from a load that is to be predicted.
 */
import { availableParallelism } from 'node:os';
import { memoryOf, needProc } from '../lib/process.mjs';
import { figure, range } from '../lib/report.mjs';
import { withStack } from '../lib/stack.mjs';
import { mean } from '../lib/stats.mjs';
import { measureAlone, measureFrame, measureTogether, warmUp } from './path-times.mjs';
import { measureRedisBehindGateway, measureScripts } from './redis-limit.mjs';
import { operations, portraits } from './requests.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */
/** @typedef {Awaited<ReturnType<typeof measureAlone>>} Alone */

/** A few with many units each: what Redis sets aside for the first lines of a ledger would not show otherwise. */
const ACCOUNTS = 20;

const names = /** @type {OperationName[]} */ (Object.keys(operations));

/** @type {import('../lib/types').Measurement} */
export const serviceTimes = {
  name: 'capacity/service-times',
  answers: 'What does each part of the path cost in processor time, memory and bytes?',
  parameters: {
    rounds: 3,
    requests: 40,
    seconds: 5,
    warmUpSeconds: 25,
    redisSeconds: 10,
    redisRequests: 30_000,
  },

  async run({ rounds, requests, seconds, warmUpSeconds, redisSeconds, redisRequests }, log) {
    needProc();
    const pictures = await portraits();
    const workers = availableParallelism();
    /** @type {Record<string, Alone>} */
    const alone = {};
    const single = await withStack({ workers: 1 }, async (stack) => {
      await warmUp(stack, pictures, warmUpSeconds);
      for (const name of names) {
        alone[name] = await measureAlone(stack, name, { pictures, rounds, requests });
        log(`${name}, one at a time: ${figure(alone[name].totalMs.median)} ms of processor time`);
      }
      const frame = await measureFrame(stack, pictures, requests);
      return { frame, tierMiB: memoryOf(stack.tier.pid).rssMiB };
    });
    /** @type {Record<string, Awaited<ReturnType<typeof measureTogether>>>} */
    const together = {};
    const memory = await withStack({ workers }, async (stack) => {
      await warmUp(stack, pictures, warmUpSeconds);
      for (const name of names) {
        together[name] = await measureTogether(stack, name, { pictures, rounds, seconds, workers });
        log(`${name}, all cores busy: ${figure(together[name].totalMs.median)} ms`);
      }
      return { tierMiB: memoryOf(stack.tier.pid).rssMiB, gatewayMiB: memoryOf(stack.gateway.pid).rssMiB };
    });
    const redis = await measureRedisBehindGateway({ seconds: redisSeconds, connections: 48 });
    const scripts = await measureScripts({ requests: redisRequests, atOnce: 64, accounts: ACCOUNTS });
    log(
      `Redis: ${figure(redis.perCore)} metered requests a second and core behind a gateway, ${figure(scripts.perCore)} by scripts alone`,
    );
    return {
      bars: [],
      figures: {
        workers,
        pictureBytes: Math.round(mean(pictures.map(({ length }) => length))),
        operations: Object.fromEntries(
          names.map((name) => [name, { ...alone[name], together: together[name] }]),
        ),
        frame: single.frame,
        redis: {
          ...redis,
          scriptsPerCore: scripts.perCore,
          accounts: scripts.accounts,
          commandsPerRequest: scripts.commandsPerRequest,
          bytesPerUnit: scripts.bytesPerUnit,
        },
        memory: {
          gatewayMiB: memory.gatewayMiB,
          tierMiB: memory.tierMiB,
          perWorkerMiB: workers > 1 ? (memory.tierMiB - single.tierMiB) / (workers - 1) : single.tierMiB,
          oneWorkerMiB: single.tierMiB,
        },
      },
    };
  },

  report({ workers, pictureBytes, operations, redis, memory, frame }) {
    /** @param {[string, any]} entry */
    const row = ([name, { gateway, redisMs, tier, totalMs, together }]) => [
      name,
      gateway.loopMs + gateway.besideMs,
      redisMs,
      tier.mainMs,
      tier.decodeMs,
      tier.workerMs,
      range(totalMs),
      range(together.totalMs),
    ];
    return [
      {
        title: 'Processor time of a request, milliseconds',
        columns: [
          'Operation',
          'Gateway',
          'Redis',
          'Tier, main',
          'Decode',
          'Models',
          'Sum, alone',
          'Sum, all cores busy',
        ],
        rows: Object.entries(operations).map(row),
        remark: `Portraits of 640 x 480, ${Math.round(pictureBytes / 1e3)} kB, as JSON; comparison has two of them. Processor time by process and thread, from the kernel's books. Alone: one request at a time on one worker. All cores busy: ${2 * workers} requests at once on ${workers} workers; cores share caches and memory, which makes a request dearer, and what a pause would cool stays warm, which makes it cheaper. Sums: median of the rounds (lowest to highest). One frame of a liveness capture takes the inference tier ${figure(frame.tierMs)} ms.`,
      },
      {
        title: 'Redis and memory',
        columns: ['What', 'Figure'],
        rows: [
          ['Metered requests a second and core of Redis, behind a gateway', redis.perCore],
          ['The same by scripts alone, from one client: the most there can be', figure(redis.scriptsPerCore)],
          ['Commands of Redis a request, in two scripts', redis.commandsPerRequest],
          ['Bytes of Redis a unit counted', redis.bytesPerUnit],
          ['Inference tier with one worker, MiB', memory.oneWorkerMiB],
          ['Each further worker, MiB', memory.perWorkerMiB],
          ['Gateway, MiB', memory.gatewayMiB],
        ],
        remark: `Redis: its processor time is counted, not how fast it is asked; its log is synced every second. Behind a gateway: ${figure(redis.perSecond)} small requests a second, all that one gateway process carries here beside the load and a stand-in for the inference tier. A plan counts with this. Scripts alone: the gateway's own, for ${redis.accounts} accounts, 64 requests at once from one client, of which Redis reads and writes several in one go. Commands and bytes are of these. Memory: resident, after the load above.`,
      },
    ];
  },
};
