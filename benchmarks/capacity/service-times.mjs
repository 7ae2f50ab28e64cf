/**
 * The times that the simulation computes with: processor time of each part of the path, one request at a time and with
 * all cores busy; models by batch; metering on Redis; memory. Nothing in here comes from a load that is to be predicted.
 */
import { availableParallelism } from 'node:os';
import { memoryOf, needProc } from '../lib/process.mjs';
import { figure, percent, range } from '../lib/report.mjs';
import { mean } from '../lib/stats.mjs';
import { measureModels } from './model-times.mjs';
import { measureAlone, measureFrame, measureTogether, warmUp } from './path-times.mjs';
import { measureRedis } from './redis-limit.mjs';
import { operations, portraits } from './requests.mjs';
import { withStack } from './stack.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */
/** @typedef {Awaited<ReturnType<typeof measureAlone>>} Alone */

const names = /** @type {OperationName[]} */ (Object.keys(operations));

/** @type {import('../lib/types').Measurement} */
export const serviceTimes = {
  name: 'capacity/service-times',
  answers: 'What does each part of the path cost in processor time, memory and bytes?',
  parameters: { rounds: 3, requests: 40, seconds: 5, warmUpSeconds: 25, redisRequests: 30_000 },

  async run({ rounds, requests, seconds, warmUpSeconds, redisRequests }, log) {
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
    const models = await measureModels(log);
    const redis = await measureRedis({ requests: redisRequests, atOnce: 64, accounts: 200 });
    log(`Redis: ${figure(redis.perCore)} metered requests a second and core`);
    return {
      bars: [],
      figures: {
        workers,
        pictureBytes: Math.round(mean(pictures.map(({ length }) => length))),
        operations: Object.fromEntries(
          names.map((name) => [name, { ...alone[name], together: together[name] }]),
        ),
        frame: single.frame,
        models,
        redis,
        memory: {
          gatewayMiB: memory.gatewayMiB,
          tierMiB: memory.tierMiB,
          perWorkerMiB: workers > 1 ? (memory.tierMiB - single.tierMiB) / (workers - 1) : single.tierMiB,
          oneWorkerMiB: single.tierMiB,
        },
      },
    };
  },

  report({ workers, pictureBytes, operations, models, redis, memory, frame }) {
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
        title: 'Models by batch: milliseconds = a n + b',
        columns: ['Model', 'a, per item', 'b, per batch', 'Part that batching saves at 8'],
        rows: models.map((/** @type {any} */ { id, perItemMs, baseMs }) => [
          id,
          perItemMs,
          baseMs,
          percent((baseMs * 7) / 8 / (baseMs + perItemMs)),
        ]),
        remark:
          'One session, one thread, least squares over batches of 1, 2, 4 and 8; neither may be below 0.',
      },
      {
        title: 'Redis and memory',
        columns: ['What', 'Figure'],
        rows: [
          ['Metered requests a second and core of Redis', redis.perCore],
          ['Commands of Redis a request, in two scripts', redis.commandsPerRequest],
          ['Bytes of Redis a unit counted', redis.bytesPerUnit],
          ['Inference tier with one worker, MiB', memory.oneWorkerMiB],
          ['Each further worker, MiB', memory.perWorkerMiB],
          ['Gateway, MiB', memory.gatewayMiB],
        ],
        remark: `Redis: the gateway's own scripts for ${redis.accounts} accounts, 64 requests at once, log synced every second; its processor time is counted, not how fast the sender is. Memory: resident, after the load above.`,
      },
    ];
  },
};
