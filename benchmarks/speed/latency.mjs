/**
 * What one caller waits for on an idle machine, one request after the other: over the API, through a gateway with key,
 * limits and Redis, pictures as JSON. Beside it the inference tier alone, which gets raw bytes at its own port.
 */
import { availableParallelism } from 'node:os';
import { apiJob, Client, compareJob, detectJob, moderateJob, withoutObjects } from '../lib/client.mjs';
import { selfies } from '../lib/material.mjs';
import { dataUri } from '../lib/portraits.mjs';
import { range } from '../lib/report.mjs';
import { Skip } from '../lib/skip.mjs';
import { withStack } from '../lib/stack.mjs';
import { latencies, spread, sum } from '../lib/stats.mjs';

/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {ReturnType<typeof latencies>} Latencies */

/** A gateway that begins takes several times the processor time of one that has run for a while. */
const WARM_UP = 200;

/** What the gateway may add to the tier's own bar: as much as gateway/latency allows its 99th percentile. */
const GATEWAY_MS = 5;

/** @type {import('../lib/types').Measurement} */
export const latency = {
  name: 'speed/latency',
  answers: 'How long does one 640x480 selfie take over the API, nothing else running?',
  parameters: { requests: 200, rounds: 3, warmUp: WARM_UP, picture: '002_A.jpg', other: '006_A.jpg' },

  async run({ requests, rounds, warmUp, picture, other }, log) {
    const all = await selfies();
    const [one, two] = [picture, other].map((name) => find(all, name));
    return withStack({ workers: availableParallelism() }, async ({ gateway, tier, apiKey }) => {
      const clients = { api: new Client(gateway.url), tier: new Client(tier.url) };
      const measured = [];
      /** @type {string[]} */
      const missing = [];
      try {
        for (const { name, at, job, bar } of operationsOf(one, two, apiKey)) {
          const taken = await time(clients[at], job, { requests, rounds, warmUp }).catch((error) => {
            if (!(error instanceof Skip)) throw error;
            missing.push(error.message);
          });
          if (!taken) continue;
          measured.push({ name, bar, ...taken });
          log(`${name}: p50 ${range(taken.p50Ms)} ms, p95 ${range(taken.p95Ms)} ms`);
        }
      } finally {
        for (const client of Object.values(clients)) client.close();
      }
      if (measured.length === 0) throw new Skip(missing.join(' '));
      return { figures: { operations: measured, missing } };
    });
  },

  bars: ({ operations }) => operations.flatMap(barOf),

  report({ operations, missing }) {
    return [
      {
        title: 'Milliseconds per request',
        columns: ['Operation', 'p50', 'p95', 'p99', 'Highest', 'Requests'],
        rows: operations.map((/** @type {any} */ operation) => [
          operation.name,
          range(operation.p50Ms),
          range(operation.p95Ms),
          range(operation.p99Ms),
          Math.max(...operation.rounds.map((/** @type {Latencies} */ round) => round.maxMs)),
          `${operation.rounds.length} x ${operation.rounds[0].requests}`,
        ]),
        remark: [
          'Over the API, through a gateway with its Redis, pictures as JSON; inference tier alone: raw bytes to its own port. Median of the rounds (lowest to highest), seen by the client, keep-alive connection.',
          ...missing,
        ].join(' '),
      },
    ];
  },
};

/**
 * @param {Buffer} one
 * @param {Buffer} two
 * @param {string} apiKey
 * @returns {{ name: string, at: 'api' | 'tier', job: Job, bar?: number }[]}
 */
function operationsOf(one, two, apiKey) {
  const [image, targetImage] = [dataUri(one), dataUri(two)];
  const both = [
    { name: 'detect', ask: { path: '/detect', body: { image }, images: 1 }, raw: detectJob(one), bar: 40 },
    {
      name: 'compare (two selfies)',
      ask: { path: '/compare', body: { sourceImage: image, targetImage }, images: 2 },
      raw: compareJob(one, two),
      bar: 70,
    },
    {
      name: 'moderate',
      ask: { path: '/moderate', body: { image }, images: 1 },
      raw: moderateJob(one),
      bar: 25,
    },
  ];
  const alone = 'inference tier alone';
  return [
    ...both.flatMap(({ name, ask, raw, bar }) => [
      { name, at: /** @type {const} */ ('api'), job: apiJob(apiKey, ask), bar: bar + GATEWAY_MS },
      { name: `${name}, ${alone}`, at: /** @type {const} */ ('tier'), job: raw, bar },
    ]),
    { name: `detect, all attributes, ${alone}`, at: 'tier', job: detectJob(one, 'all') },
    { name: `moderate without objects, ${alone}`, at: 'tier', job: moderateJob(one, withoutObjects) },
  ];
}

/** @param {import('../lib/material.mjs').Picture[]} pictures @param {string} name */
function find(pictures, name) {
  const found = pictures.find((picture) => picture.name.endsWith(name));
  if (!found) throw new Error(`There is no selfie of ${name}: ${pictures.map((p) => p.name).join(', ')}.`);
  return found.bytes;
}

/** @param {Client} client @param {Job} job @param {{ requests: number, rounds: number, warmUp: number }} options */
async function time(client, job, { requests, rounds, warmUp }) {
  for (let i = 0; i < warmUp; i++) await client.ask(job);
  /** @type {Latencies[]} */
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const milliseconds = [];
    for (let i = 0; i < requests; i++) milliseconds.push((await client.ask(job)).ms);
    taken.push(latencies(milliseconds));
  }
  return {
    p50Ms: spread(taken.map(({ p50Ms }) => p50Ms)),
    p95Ms: spread(taken.map(({ p95Ms }) => p95Ms)),
    p99Ms: spread(taken.map(({ p99Ms }) => p99Ms)),
    rounds: taken,
  };
}

/**
 * @param {{ name: string, bar?: number, p95Ms: ReturnType<typeof spread>, rounds: Latencies[] }} operation
 * @returns {import('../lib/types').Bar[]}
 */
function barOf({ name, bar, p95Ms, rounds }) {
  if (bar === undefined) return [];
  const n = sum(rounds.map(({ requests }) => requests));
  return [
    {
      what: `${name}, p95, idle machine`,
      value: p95Ms.median,
      unit: 'ms',
      bar,
      better: 'lower',
      sample: { n, of: `requests in ${rounds.length} rounds`, range: [p95Ms.min, p95Ms.max] },
    },
  ];
}
