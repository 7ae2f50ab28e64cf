/** Is everything billed once, and nothing else, while every part of the service is killed again and again? */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, startGateway, startRedis, temporaryFolder, unlimited } from '../lib/gateway.mjs';
import { freePort } from '../lib/process.mjs';
import { randomFrom } from '../lib/random.mjs';
import { figure } from '../lib/report.mjs';
import { startService } from '../lib/service.mjs';
import { sum } from '../lib/stats.mjs';
import { audit, deviation, whenSettled } from './audit.mjs';
import { Client } from './client.mjs';
import { drive, operations, smallPictures, tally } from './load.mjs';
import { havoc, Part } from './parts.mjs';

/** @typedef {import('./client.mjs').Pursued} Pursued */

/** @type {import('../lib/types').Measurement} */
export const meteringChaos = {
  name: 'gateway/metering-chaos',
  answers:
    'Is every answer billed exactly once while Redis, two gateways and the inference tier are killed at random?',
  parameters: { kills: 20, perSecond: 1.5, seed: 0, deadlineMs: 5_000, longDownMs: 24_000 },

  async run({ kills, perSecond, seed, deadlineMs, longDownMs }, log) {
    const own = seed || (Date.now() % 1e6) + 1;
    log(`seed ${own}`);
    const random = randomFrom(own);
    const { parts, urls, redisUrl, journals } = await assemble(deadlineMs);
    try {
      for (const part of parts) await part.begin();
      const accounts = {
        'hard limit': await createAccount(redisUrl, { plan: 'free', overrides: unlimited }),
        'with overage': await createAccount(redisUrl, { plan: 'business', overrides: unlimited }),
      };
      const pictures = await smallPictures();
      let stopping = false;
      const groups = Object.entries(accounts).map(([name, account], place) => {
        const work = drive({
          client: new Client(urls, account.apiKey, randomFrom(own + 1000 * (place + 1))),
          next: operations(pictures, randomFrom(own + 5000 * (place + 1)), `${own}-${place}`),
          perSecond,
          isOver: () => stopping,
        });
        return { name, account, work };
      });
      await havoc(parts, { kills, random, longDownMs, log });
      stopping = true;
      const pursued = await Promise.all(
        groups.map(async ({ work, ...group }) => ({ ...group, ...(await work) })),
      );
      const settledMs = await whenSettled(redisUrl, {
        accounts: pursued.map(({ account }) => account.accountId),
        journals,
      });
      log(`settled ${figure(settledMs / 1e3)} s after the last answer`);
      const absences = parts.flatMap((part) => part.absences);
      const audits = [];
      for (const { name, account, pursued: all, skipped } of pursued) {
        const found = await audit(redisUrl, account, all);
        log(
          `${name}: ${found.answered} units answered, ${found.ledger} in the ledger, ${found.counted} counted`,
        );
        audits.push({ name, ...found, skipped, answers: tally(all), outages: outages(all, absences) });
      }
      return {
        figures: { seed: own, settledMs, kills: absences, audits },
      };
    } finally {
      for (const part of [...parts].reverse()) await part.stop();
    }
  },

  bars: ({ audits }, { kills }) => [
    ...audits.map((/** @type {any} */ found) => ({
      what: `Units billed otherwise than answered after ${kills} kills, account ${found.name}`,
      value: deviation(found),
      unit: '',
      bar: 0,
      better: /** @type {const} */ ('lower'),
      sample: { n: found.answered, of: 'units' },
    })),
    {
      what: 'Operations that were due and not begun',
      value: sum(audits.map((/** @type {{ skipped: number }} */ { skipped }) => skipped)),
      unit: '',
      bar: 0,
      better: 'lower',
    },
  ],

  report({ seed, settledMs, audits }) {
    const kinds = [...new Set(audits.flatMap((/** @type {any} */ one) => Object.keys(one.outages)))];
    return [
      {
        title: 'What was answered and what was billed',
        columns: [
          'Account',
          'Requests',
          'Never begun',
          'Units answered',
          'Ledger',
          'Counters',
          'Given back',
          'Expired',
          'Left reserved',
          'Attempts by status',
        ],
        rows: audits.map((/** @type {any} */ one) => [
          one.name,
          one.operations,
          figure(one.skipped),
          one.answered,
          one.ledger,
          one.counted,
          one.refunded,
          one.expired,
          one.reserved + one.held,
          Object.entries(one.answers)
            .map(([status, count]) => `${status}: ${count}`)
            .join(', '),
        ]),
        remark: `Seed ${seed}. Single detections, comparisons, moderations and batches, some of them of broken pictures, each under an Idempotency-Key of its own and repeated at either gateway until its answer stands. Ledger and counters also agree by product and by day, and every key marks as counted exactly the parts that were answered. Whose gateway was killed while it worked answers 409 until the lease of the operation ends, 15 s after the deadline. Everything was replayed and swept ${figure(settledMs / 1e3)} s after the last answer.`,
      },
      {
        title: 'How long clients went without an answer',
        columns: [
          'Killed',
          'Account',
          'Times',
          'Away, s',
          'Longest gap between answers, s',
          'Answered meanwhile',
        ],
        rows: kinds.flatMap((kind) =>
          audits.map((/** @type {any} */ one) => [
            kind,
            one.name,
            one.outages[kind].times,
            one.outages[kind].awayS.map(figure).join(', '),
            one.outages[kind].gapS.map(figure).join(', '),
            one.outages[kind].answered,
          ]),
        ),
        remark:
          'Each kill in its order: from the kill until the part was ready again, and the longest time in it, or just after it, in which no request of the account succeeded. Times away overlap, so another part may be to blame. Answered meanwhile: requests that succeeded while the part was away.',
      },
    ];
  },
};

/** Redis, the real inference tier and two gateways, each at a place of its own to which it comes back. */
/** @param {number} deadlineMs of the gateways; operations count as lost 15 s after it */
async function assemble(deadlineMs) {
  const folder = temporaryFolder();
  const [redisPort, inferencePort, ...gatewayPorts] = await Promise.all(Array.from({ length: 4 }, freePort));
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const inferenceUrl = `http://127.0.0.1:${inferencePort}`;
  const journals = gatewayPorts.map((_, i) => join(folder, `journal-${i + 1}`));
  const redisFolder = join(folder, 'redis');
  mkdirSync(redisFolder);
  const env = { GATEWAY_DEADLINE_MS: String(deadlineMs), GATEWAY_REPLICAS: '2' };
  const parts = [
    new Part('redis', () => startRedis({ folder: redisFolder, port: redisPort })),
    new Part('inference', () => startService({ env: { INFERENCE_PORT: String(inferencePort) }, workers: 1 })),
    ...gatewayPorts.map(
      (port, i) =>
        new Part(`gateway ${i + 1}`, () =>
          startGateway({ redisUrl, inferenceUrl, journal: journals[i], port, env }),
        ),
    ),
  ];
  const urls = gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
  return { parts, urls, redisUrl, journals };
}

/** How long after its return a part's absence may still be felt. */
const AFTERMATH_MS = 3_000;

/**
 * @param {readonly Pursued[]} pursued
 * @param {readonly { part: string, from: number, to: number }[]} absences
 */
function outages(pursued, absences) {
  const times = pursued
    .filter(({ succeeded }) => succeeded.some(Boolean))
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  /** @type {Record<string, { times: number, awayS: number[], gapS: number[], answered: number }>} */
  const kinds = {};
  for (const { part, from, to } of absences) {
    kinds[part] ??= { times: 0, awayS: [], gapS: [], answered: 0 };
    const kind = kinds[part];
    kind.times += 1;
    kind.awayS.push((to - from) / 1e3);
    kind.gapS.push(longestGap(times, from, to + AFTERMATH_MS) / 1e3);
    kind.answered += times.filter((at) => at >= from && at <= to).length;
  }
  return kinds;
}

/** @param {readonly number[]} times ascending @param {number} from @param {number} to */
function longestGap(times, from, to) {
  const inside = times.filter((at) => at > from && at < to);
  const edges = [from, ...inside, times.find((at) => at >= to) ?? to];
  return Math.max(...edges.slice(1).map((at, i) => at - edges[i]));
}
