/**
 * Whether anything grows in the whole service over half an hour of everything at once, near 60 % of what it can do.
 *
 * Growth is taken of what is left after a collection of all garbage: a tier at work grows by 100 MiB and more until it
 * collects by itself, and beside that no slope of a few MiB/h could be seen in an hour. During the warm-up nobody is
 * told to collect, so that the highest figure is of the tiers as they are.
 */
import { fileURLToPath } from 'node:url';
import { admin, createAccount, unlimited, withRedis } from '../lib/gateway.mjs';
import { descriptorsOf, memoryOf, needProc } from '../lib/process.mjs';
import { randomFrom } from '../lib/random.mjs';
import { figure } from '../lib/report.mjs';
import { growthOf } from '../lib/stats.mjs';
import { audit, deviation, whenSettled } from '../resilience/audit.mjs';
import { Client } from '../resilience/client.mjs';
import { capacityOf, drive, operations } from '../resilience/load.mjs';
import { startReceiver } from './receiver.mjs';
import { look, pause, prepare } from './rehearse.mjs';
import { setStage } from './stage.mjs';
import { startEvents } from './webhooks.mjs';

/** @typedef {import('./stage.mjs').Stage} Stage */
/** @typedef {{ name: string, rssMiB: number, descriptors: number }} PartSample */
/** @typedef {{ atS: number, collected: boolean, parts: PartSample[], redis: { usedMiB: number, keys: number } }} Sample */

const SAMPLE_EVERY_MS = 5_000;
const COLLECT_EVERY_MS = 20_000;
/** From which growth can be told, and one that the end of the soak may cut off. */
const LEAST_COLLECTIONS = 7;
const preload = fileURLToPath(new URL('../lib/collecting.cjs', import.meta.url));
/** MiB/h. A gigabyte in nine days: somebody deploys before. */
const GROWTH_BAR = 5;
/** An account has two dozen keys of its own, each from its first use on; what is kept for each request is hundreds. */
const NEW_KEYS_BAR = 24;

/** @type {import('../lib/types').Measurement} */
export const soak = {
  name: 'faults/soak',
  answers:
    'Does memory, descriptors or what Redis keeps grow while everything is used at once for half an hour?',
  parameters: {
    minutes: 30,
    share: 0.6,
    warmUp: 0.33,
    sessionsPerSecond: 1,
    probeSeconds: 10,
    deadlineMs: 10_000,
    seed: 0,
  },

  async run({ minutes, share, warmUp, sessionsPerSecond, probeSeconds, deadlineMs, seed: given }, log) {
    needProc();
    const collections = Math.floor((60e3 * minutes * (1 - warmUp)) / COLLECT_EVERY_MS);
    if (collections < LEAST_COLLECTIONS) {
      throw new Error(
        `After its warm-up this soak collects garbage ${collections} times, and growth needs ${LEAST_COLLECTIONS}: --minutes=4 is enough.`,
      );
    }
    const seed = given || (Date.now() % 1e6) + 1;
    const collecting = { NODE_OPTIONS: `--require=${preload}` };
    const stage = await setStage({
      deadlineMs,
      inferenceEnv: collecting,
      gatewayEnv: collecting,
    });
    const receiver = await startReceiver('well');
    try {
      const account = await createAccount(stage.redisUrl, { plan: 'growth', overrides: unlimited });
      const args = ['--account', account.accountId, '--url', receiver.url];
      await admin(stage.redisUrl, ['webhooks', 'create', ...args], { WEBHOOK_ALLOW_LOOPBACK: 'true' });
      // By an account of its own: these are billed as well.
      const { pictures, truth } = await prepare(stage);
      const plain = new Client(stage.urls, account.apiKey, randomFrom(seed));
      const next = operations(pictures, randomFrom(seed + 1), `${seed}`);
      const probed = await capacityOf(plain, next, 1e3 * probeSeconds);
      plain.close();
      const perSecond = share * probed.perSecond;
      log(
        `seed ${seed}; it can do ${figure(probed.perSecond)} operations/s, and is asked ${figure(perSecond)}`,
      );

      const client = new Client(stage.urls, account.apiKey, randomFrom(seed + 2), {
        truth,
        giveUpMs: 120_000,
      });
      const endless = {
        before: await endlessKeys(stage.redisUrl),
        after: /** @type {Record<string, number>} */ ({}),
      };
      let over = false;
      const events = startEvents(stage.urls, account.apiKey, sessionsPerSecond);
      const begin = performance.now();
      const work = drive({ client, next, perSecond, isOver: () => over });
      const samples = await sampleFor(stage, { ms: 60e3 * minutes, warmUp, log });
      over = true;
      const made = await events.stop();
      const driven = await work;
      const pursued = [...probed.pursued, ...driven.pursued];
      await whenSettled(stage.redisUrl, { accounts: [account.accountId], journals: stage.journals });
      await untilDelivered(receiver, made.size);
      endless.after = await endlessKeys(stage.redisUrl);
      const found = await audit(stage.redisUrl, account, pursued);
      const slopes = slopesOf(samples, warmUp);
      for (const one of slopes)
        log(
          `${one.name}: ${figure(one.perHour)} ± ${figure(one.error)} MiB/h, descriptors ${one.descriptors.join(' to ')}`,
        );
      const until = performance.now();
      const seen = look(pursued, { from: begin, to: until, until, deadlineMs });
      const undelivered = [...made.keys()].filter((id) => !receiver.heard.has(id)).length;
      return {
        bars: barsOf({
          slopes,
          seen,
          undelivered,
          deviation: deviation(found),
          endless,
          skipped: driven.skipped,
          sessionFailures: events.failures(),
        }),
        figures: {
          seed,
          perSecond,
          capacity: probed.perSecond,
          sessions: made.size,
          sessionFailures: events.failures(),
          skipped: driven.skipped,
          undelivered,
          deviation: deviation(found),
          units: found.answered,
          seen,
          slopes,
          endless,
          samples: samples.filter((_, i) => i % Math.ceil(samples.length / 60) === 0),
        },
      };
    } finally {
      await receiver.close();
      await stage.close();
    }
  },

  report: ({
    perSecond,
    capacity,
    sessions,
    sessionFailures,
    skipped,
    undelivered,
    deviation: billed,
    units,
    seen,
    slopes,
    endless,
  }) => [
    {
      title: 'Memory and descriptors',
      columns: [
        'Part',
        'Growth, MiB/h (95 %)',
        `Less than ${GROWTH_BAR} MiB/h`,
        'Before, after, highest, MiB',
        'Descriptors before, after',
      ],
      rows: slopes.map((/** @type {ReturnType<typeof slopesOf>[number]} */ one) => [
        one.name,
        `${figure(one.perHour)} ± ${figure(one.error)}`,
        verdictOn(one),
        one.memory.map(Math.round).join(', '),
        one.descriptors.join(', '),
      ]),
      remark: `Least squares over a dozen stretches after the warm-up, of what is left ${SAMPLE_EVERY_MS / 1e3} s after a collection of all garbage each ${COLLECT_EVERY_MS / 1e3} s; the highest is that between collections of their own. ${figure(perSecond)} operations/s of ${figure(capacity)} that the service can do here, and sessions that are made and cancelled, with an endpoint for their events. Redis keeps by design a line of the ledger for each unit, and keys and sessions for 24 hours: that is its growth.`,
    },
    {
      title: 'What became of everything',
      columns: ['What', 'Seen'],
      rows: [
        [
          'Operations, lost, wrong, never begun',
          [seen.operations, seen.lost, seen.wrong, skipped].join(', '),
        ],
        ['Units answered, billed otherwise', [units, billed].join(', ')],
        ['Attempts that had to be repeated', seen.failed],
        ['Longest answer, s', seen.longestAnswerS],
        ['Sessions, not made, events not delivered', [sessions, sessionFailures, undelivered].join(', ')],
        ['Keys of Redis without an end, before and after; kinds that grew', describe(endless)],
      ],
    },
  ],
};

/** Noise may hide growth as well as look like it: what the bar misses is a no only where chance is no excuse. @param {{ perHour: number, error: number }} slope */
const verdictOn = ({ perHour, error }) => {
  if (perHour - error > GROWTH_BAR) return 'no';
  return perHour + error <= GROWTH_BAR ? 'yes' : 'not shown';
};

/** @typedef {{ before: Record<string, number>, after: Record<string, number> }} Endless keys without an end, by kind */

/**
 * @param {{ slopes: ReturnType<typeof slopesOf>, seen: ReturnType<typeof look>, undelivered: number, deviation: number, endless: Endless, skipped: number, sessionFailures: number }} found
 * @returns {import('../lib/types').Bar[]}
 */
export function barsOf({ slopes, seen, undelivered, deviation: billed, endless, skipped, sessionFailures }) {
  const zero = /** @type {const} */ ({ unit: '', bar: 0, better: 'lower' });
  return [
    ...slopes
      .filter(({ name }) => !name.startsWith('redis'))
      .map(({ name, perHour, error }) => ({
        what: `Growth of ${name}, upper end of the 95 % interval`,
        value: perHour + error,
        unit: 'MiB/h',
        bar: GROWTH_BAR,
        better: /** @type {const} */ ('lower'),
      })),
    {
      what: 'Descriptors more than before, all parts',
      value: Math.max(...slopes.map(({ descriptors: [before, after] }) => after - before)),
      ...zero,
      // Connections of clients come and go.
      bar: 20,
    },
    { what: 'Kinds of keys without an end that grew', value: grown(endless).length, ...zero },
    { what: 'Keys without an end, more than before', value: more(endless), ...zero, bar: NEW_KEYS_BAR },
    { what: 'Operations that were due and not begun', value: skipped, ...zero },
    { what: 'Answers or parts of them that say 500', value: seen.defects, ...zero },
    { what: 'Sessions that could not be made', value: sessionFailures, ...zero },
    { what: 'Operations without an answer in the end', value: seen.lost, ...zero },
    { what: 'Answers that differ from the truth', value: seen.wrong, ...zero },
    { what: 'Units billed otherwise than answered', value: billed, ...zero },
    { what: 'Events that were not delivered', value: undelivered, ...zero },
  ];
}

/** @param {Stage} stage @param {{ ms: number, warmUp: number, log: (line: string) => void }} options */
function sampleFor(stage, { ms, warmUp, log }) {
  return withRedis(stage.redisUrl, async (redis) => {
    /** @type {Sample[]} */
    const samples = [];
    const begin = performance.now();
    let nextCollection = warmUp * ms;
    let collected = false;
    for (let at = 0; at <= ms; at = performance.now() - begin) {
      const used = (await redis.info('memory')).match(/used_memory:(\d+)/)?.[1];
      const parts = stage.parts.map(({ name, running: { pid } }) => ({
        name,
        rssMiB: memoryOf(pid).rssMiB,
        descriptors: descriptorsOf(pid),
      }));
      samples.push({
        atS: at / 1e3,
        collected,
        parts,
        redis: { usedMiB: Number(used) / 2 ** 20, keys: await redis.dbsize() },
      });
      if (samples.length % 60 === 0) log(`${figure(at / 60e3)} minutes`);
      collected = at >= nextCollection;
      if (collected) {
        for (const { running } of [...stage.inference, ...stage.gateways])
          process.kill(running.pid, 'SIGUSR2');
        nextCollection += COLLECT_EVERY_MS;
      }
      await pause(SAMPLE_EVERY_MS);
    }
    return samples;
  });
}

/** @param {readonly Sample[]} samples @param {number} warmUp part of the time that is left out */
export function slopesOf(samples, warmUp) {
  const last = samples[samples.length - 1];
  const kept = samples.filter(({ atS, collected }) => collected && atS >= warmUp * last.atS);
  return last.parts.map(({ name }, place) => {
    const { slope, error } = growthOf(
      kept.map(({ atS, parts }) => ({ x: atS / 3_600, y: parts[place].rssMiB })),
    );
    const left = kept.map(({ parts }) => parts[place]);
    return {
      name,
      perHour: slope,
      error,
      /** The first and the last that a collection left, and the highest of all. */
      memory: [
        left[0].rssMiB,
        left[left.length - 1].rssMiB,
        Math.max(...samples.map(({ parts }) => parts[place].rssMiB)),
      ],
      descriptors: [left[0].descriptors, last.parts[place].descriptors],
    };
  });
}

/** Keys that Redis is to keep for ever, counted by kind. @param {string} redisUrl */
function endlessKeys(redisUrl) {
  return withRedis(redisUrl, async (redis) => {
    /** @type {Record<string, number>} */
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

/**
 * The name without what it is of: an account, a session, the hash of a key, the source of a failure. Two parts are left,
 * whose it is and what it is.
 * @param {string} key
 */
export const kindOf = (key) =>
  key.replace(/\{acc_[^}]*\}/, '{account}').match(/^(?:\{[^}]*\}|[^:]+)(?::\{account\})?:[^:]+/)?.[0] ?? key;

/** Deliveries that ended, which the queue itself bounds: a day, and 10,000 of them. @param {string} kind */
const isBounded = (kind) => /^\{[^}]*:webhooks\}:deliveries$/.test(kind);

/** @param {Endless} endless @returns {[kind: string, more: number][]} */
const growth = ({ before, after }) =>
  Object.keys(after)
    .filter((kind) => !isBounded(kind))
    .map((kind) => [kind, after[kind] - (before[kind] ?? 0)]);

/** Kinds of which there are many more. @param {Endless} endless */
const grown = (endless) =>
  growth(endless)
    .filter(([, count]) => count > 2)
    .map(([kind]) => kind);

/** Of all kinds together. @param {Endless} endless */
const more = (endless) => growth(endless).reduce((sum, [, count]) => sum + Math.max(0, count), 0);

/** @param {Endless} endless */
function describe({ before, after }) {
  const many = grown({ before, after });
  const sum = (/** @type {Record<string, number>} */ counts) =>
    Object.values(counts).reduce((a, b) => a + b, 0);
  const named = many.map((kind) => `${kind}: ${before[kind] ?? 0}, ${after[kind]}`);
  return [`all: ${sum(before)}, ${sum(after)}`, ...named].join('; ');
}

/** @param {import('./receiver.mjs').Receiver} receiver @param {number} events */
async function untilDelivered({ heard }, events) {
  for (let i = 0; i < 100 && heard.size < events; i++) await pause(100);
}
