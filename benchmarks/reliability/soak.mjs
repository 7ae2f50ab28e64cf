/**
 * Looks for growth in the whole service during a long mixed load at 60 % of its highest throughput.
 *
 * Growth is taken of the memory that a collection of all garbage leaves: a busy tier grows by 100 MiB and more until it
 * collects by itself, which would hide a slope of a few MiB/h. Nothing is collected during the warm-up, so the highest
 * figure is that of undisturbed tiers.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  audit,
  descriptorsOf,
  deviation,
  drive,
  memoryOf,
  RetryingClient,
  unlimited,
  whenSettled,
  withRedis,
  withService,
} from '../../gateway/harness/index.mjs';
import { operations } from '../../gateway/harness/operations.mjs';
import { randomFrom } from '../../gateway/harness/random.mjs';
import { atMost } from '../lib/figures.mjs';
import { figure } from '../lib/report.mjs';
import { growthOf, sum } from '../lib/stats.mjs';
import { needProc } from '../lib/tier.mjs';
import { startEvents, startReceiver, untilReceived } from './receiver.mjs';
import { evaluate, learnTruth, patienceOf, probe } from './rehearsal.mjs';
import { createEndpoint } from './webhooks.mjs';

const SAMPLE_EVERY_MS = 5_000;
const COLLECT_EVERY_MS = 20_000;
/** Growth needs six samples, and the end of the soak may cut one off. */
const LEAST_COLLECTIONS = 7;
const preload = fileURLToPath(new URL('collecting.cjs', import.meta.url));
/** MiB/h: a gigabyte in nine days, and deployments are more frequent. */
const GROWTH_TARGET = 5;
/** An account has two dozen keys of its own, each from its first use on. A key for each request would be hundreds. */
const NEW_KEYS_TARGET = 24;

/** @type {import('../lib/types').Measurement} */
export const soak = {
  name: 'reliability/soak',
  question:
    'Do memory, descriptors or the data in Redis grow while everything is used at once for a long time?',
  conditions: {
    minutes: 30,
    share: 0.6,
    warmUp: 0.33,
    sessionsPerSecond: 1,
    probeSeconds: 10,
    deadlineMs: 10_000,
    seed: 0,
  },
  quick: { minutes: 4, probeSeconds: 3 },

  async run({ minutes, share, warmUp, sessionsPerSecond, probeSeconds, deadlineMs, seed: given }, log) {
    needProc();
    const collections = Math.floor((60e3 * minutes * (1 - warmUp)) / COLLECT_EVERY_MS);
    if (collections < LEAST_COLLECTIONS)
      throw new Error(
        `After its warm-up this soak collects garbage ${collections} times; --minutes=4 is enough.`,
      );
    const seed = given || (Date.now() % 1e6) + 1;
    const collecting = { NODE_OPTIONS: `--require=${preload}` };
    const gatewayEnv = { ...collecting, GATEWAY_DEADLINE_MS: String(deadlineMs) };
    return withService({ gateways: 2, gatewayEnv, inferenceEnv: collecting }, async (service) => {
      const receiver = await startReceiver('healthy');
      try {
        const account = await service.createAccount({ plan: 'growth', overrides: unlimited });
        await createEndpoint(service, account.accountId, receiver.url);
        const { images, truth } = await learnTruth(service);
        const probed = await probe(service, { images, apiKey: account.apiKey, seconds: probeSeconds, seed });
        const perSecond = share * probed.perSecond;
        log(`seed ${seed}; ${figure(perSecond)} operations/s of ${figure(probed.perSecond)}`);

        const wrong = [];
        const client = new RetryingClient(service.urls, account.apiKey, {
          ...patienceOf(deadlineMs),
          random: randomFrom(seed + 2).next,
          onResult: truth.check(wrong),
        });
        const next = operations(images, randomFrom(seed + 3), `soak-${seed}`);
        const before = await endlessKeys(service.redisUrl);
        const events = startEvents(service.urls, account.apiKey, sessionsPerSecond);
        const begin = performance.now();
        const stopping = new AbortController();
        const driven = drive({ perSecond, send: () => client.pursue(next()), signal: stopping.signal });
        const samples = await sampleFor(service, { ms: 60e3 * minutes, warmUp, log }).finally(async () => {
          stopping.abort();
          await events.stop();
        });
        const { results, skipped } = await driven;
        client.close();
        const outcomes = [...probed.results, ...results];
        await whenSettled(service.redisUrl, { accounts: [account.accountId], journals: service.journals });
        await untilReceived([receiver], events.created, 10_000);
        const audited = await audit(service.redisUrl, account, outcomes);
        const until = performance.now();
        return {
          seed,
          perSecond,
          capacity: probed.perSecond,
          sessions: events.created.size,
          sessionFailures: events.failures(),
          skipped,
          undelivered: [...events.created.keys()].filter((id) => !receiver.received.has(id)).length,
          deviation: deviation(audited),
          units: audited.succeeded,
          wrong: wrong.length,
          wrongResults: wrong.slice(0, 5),
          seen: evaluate(outcomes, { from: begin, to: until, until, deadlineMs }),
          slopes: slopesOf(samples, warmUp),
          endless: { before, after: await endlessKeys(service.redisUrl) },
          samples,
        };
      } finally {
        await receiver.close();
      }
    });
  },

  summarize: (raw) => ({
    figures: figuresOf(raw),
    tables: [
      {
        title: 'Memory and descriptors',
        columns: `Part | Growth, MiB/h (95 %) | Less than ${GROWTH_TARGET} MiB/h | Before, after, highest, MiB | Descriptors before, after`,
        rows: raw.slopes.map((slope) => [
          slope.name,
          `${figure(slope.perHour)} ± ${figure(slope.error)}`,
          verdictOn(slope),
          slope.memory.map(Math.round).join(', '),
          slope.descriptors.join(', '),
        ]),
        remark: `Least squares over a dozen stretches after the warm-up, of the memory ${SAMPLE_EVERY_MS / 1e3} s after a collection of all garbage every ${COLLECT_EVERY_MS / 1e3} s; the highest is between the tiers' own collections. Clients send ${figure(raw.perSecond)} operations/s, where the service carries ${figure(raw.capacity)}, and create and cancel sessions, with an endpoint for their events. Redis grows by design: it keeps a line of the ledger for each unit, and keys and sessions for 24 hours.`,
      },
      {
        title: 'Outcome of everything',
        columns: 'Figure | Measured',
        rows: [
          [
            'Operations, lost, wrong, never started',
            [raw.seen.operations, raw.seen.lost, raw.wrong, raw.skipped].join(', '),
          ],
          ['Units succeeded, billed wrongly', [raw.units, raw.deviation].join(', ')],
          ['Attempts that had to be repeated', raw.seen.failed],
          ['Longest response, s', raw.seen.longestResponseS],
          [
            'Sessions, not created, events not delivered',
            [raw.sessions, raw.sessionFailures, raw.undelivered].join(', '),
          ],
          ['Keys of Redis without an expiry, before and after; kinds that grew', describeKeys(raw.endless)],
        ],
      },
    ],
  }),
};

/** Noise can hide growth and can look like it: the verdict is `no` only if the whole interval exceeds the target. */
const verdictOn = ({ perHour, error }) => {
  if (perHour - error > GROWTH_TARGET) return 'no';
  return perHour + error <= GROWTH_TARGET ? 'yes' : 'not shown';
};

/** @returns {import('../lib/types').Figure[]} */
export function figuresOf(raw) {
  const { slopes, seen, endless } = raw;
  const lower = (what, value, target = 0, unit = '') => atMost(what, value, unit, target);
  const descriptors = slopes.map(({ descriptors: [before, after] }) => after - before);
  return [
    ...slopes
      .filter(({ name }) => !name.startsWith('redis'))
      .map(({ name, perHour, error }) =>
        lower(`Growth of ${name}, upper end of the 95 % interval`, perHour + error, GROWTH_TARGET, 'MiB/h'),
      ),
    // The number of client connections varies.
    lower('Descriptors more than before, all parts', Math.max(...descriptors), 20),
    lower('Kinds of keys without an expiry that grew', grownKinds(endless).length),
    lower('Keys without an expiry, more than before', newKeys(endless), NEW_KEYS_TARGET),
    lower('Operations that were due and not started', raw.skipped),
    lower('Responses or parts of them with status 500', seen.defects),
    lower('Sessions that could not be created', raw.sessionFailures),
    lower('Operations without a result in the end', seen.lost),
    lower('Results that differ from the truth', raw.wrong),
    lower('Units billed wrongly', raw.deviation),
    lower('Events that were not delivered', raw.undelivered),
  ];
}

/** @param {import('../../gateway/harness/index.mjs').Service} service */
function sampleFor(service, { ms, warmUp, log }) {
  return withRedis(service.redisUrl, async (redis) => {
    const samples = [];
    const begin = performance.now();
    let nextCollection = warmUp * ms;
    let collected = false;
    for (let at = 0; at <= ms; at = performance.now() - begin) {
      const used = (await redis.info('memory')).match(/used_memory:(\d+)/)?.[1];
      const parts = service.parts.map(({ name, running: { pid } }) => ({
        name,
        rssMiB: memoryOf(pid).rssMiB,
        descriptors: descriptorsOf(pid),
      }));
      const usedMiB = Number(used) / 2 ** 20;
      samples.push({ atS: at / 1e3, collected, parts, redis: { usedMiB, keys: await redis.dbsize() } });
      if (samples.length % 60 === 0) log(`${figure(at / 60e3)} minutes`);
      collected = at >= nextCollection;
      if (collected) {
        for (const { running } of [...service.inference, ...service.gateways])
          process.kill(running.pid, 'SIGUSR2');
        nextCollection += COLLECT_EVERY_MS;
      }
      await delay(SAMPLE_EVERY_MS);
    }
    return samples;
  });
}

/** @param {number} warmUp part of the time that does not count */
export function slopesOf(samples, warmUp) {
  const last = samples[samples.length - 1];
  const kept = samples.filter(({ atS, collected }) => collected && atS >= warmUp * last.atS);
  return last.parts.map(({ name }, place) => {
    const points = kept.map(({ atS, parts }) => ({ x: atS / 3_600, y: parts[place].rssMiB }));
    const { slope, error } = growthOf(points);
    return {
      name,
      perHour: slope,
      error,
      /** The memory after the first and the last collection, and the highest of all. */
      memory: [
        points[0].y,
        points[points.length - 1].y,
        Math.max(...samples.map(({ parts }) => parts[place].rssMiB)),
      ],
      descriptors: [kept[0].parts[place].descriptors, last.parts[place].descriptors],
    };
  });
}

/** Keys that Redis keeps forever, counted by kind. @param {string} redisUrl @returns {Promise<Record<string, number>>} */
function endlessKeys(redisUrl) {
  return withRedis(redisUrl, async (redis) => {
    const kinds = {};
    for (let cursor = '0', first = true; first || cursor !== '0'; first = false) {
      const [after, keys] = await redis.scan(cursor, 'COUNT', 500);
      cursor = after;
      for (const key of keys) {
        if ((await redis.ttl(key)) !== -1) continue;
        const kind = kindOf(key);
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      }
    }
    return kinds;
  });
}

/** The name without the account, session, hash or source that it belongs to. @param {string} key */
export const kindOf = (key) =>
  key.replace(/\{acc_[^}]*\}/, '{account}').match(/^(?:\{[^}]*\}|[^:]+)(?::\{account\})?:[^:]+/)?.[0] ?? key;

/** The queue itself bounds finished deliveries: a day, and 10,000 of them. @param {string} kind */
const isBounded = (kind) => /^\{[^}]*:webhooks\}:deliveries$/.test(kind);

/** @returns {[kind: string, more: number][]} */
const growth = ({ before, after }) =>
  Object.keys(after)
    .filter((kind) => !isBounded(kind))
    .map((kind) => [kind, after[kind] - (before[kind] ?? 0)]);

const grownKinds = (endless) =>
  growth(endless)
    .filter(([, more]) => more > 2)
    .map(([kind]) => kind);

const newKeys = (endless) => sum(growth(endless).map(([, more]) => Math.max(0, more)));

function describeKeys({ before, after }) {
  const named = grownKinds({ before, after }).map((kind) => `${kind}: ${before[kind] ?? 0}, ${after[kind]}`);
  return [`all: ${sum(Object.values(before))}, ${sum(Object.values(after))}`, ...named].join('; ');
}
