/** What one caller waits for on an idle machine: one request after the other. */
import { Client, compareJob, detectJob, moderateJob, withoutObjects } from '../lib/client.mjs';
import { selfies } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { Skip } from '../lib/skip.mjs';
import { latencies, spread } from '../lib/stats.mjs';

/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {ReturnType<typeof latencies>} Latencies */

const WARM_UP = 20;

/** @type {import('../lib/types').Measurement} */
export const latency = {
  name: 'speed/latency',
  answers: 'How long does one 640x480 selfie take, nothing else running?',
  parameters: { requests: 200, rounds: 3, picture: '002_A.jpg', other: '006_A.jpg' },

  async run({ requests, rounds, picture, other }, log) {
    const all = await selfies();
    const [one, two] = [picture, other].map((name) => find(all, name));
    const operations = [
      { name: 'detect', job: detectJob(one), bar: 40 },
      { name: 'detect, all attributes', job: detectJob(one, 'all'), bar: undefined },
      { name: 'compare (two selfies)', job: compareJob(one, two), bar: 70 },
      { name: 'moderate', job: moderateJob(one), bar: 25 },
      { name: 'moderate without objects', job: moderateJob(one, withoutObjects), bar: undefined },
    ];
    return withService(async ({ url }) => {
      const client = new Client(url);
      const measured = [];
      /** @type {string[]} */
      const missing = [];
      try {
        for (const { name, job, bar } of operations) {
          const taken = await time(client, job, { requests, rounds }).catch((error) => {
            if (!(error instanceof Skip)) throw error;
            missing.push(error.message);
          });
          if (!taken) continue;
          measured.push({ name, bar, ...taken });
          log(`${name}: p50 ${range(taken.p50Ms)} ms, p95 ${range(taken.p95Ms)} ms`);
        }
      } finally {
        client.close();
      }
      if (measured.length === 0) throw new Skip(missing.join(' '));
      return { bars: measured.flatMap(barOf), figures: { operations: measured, missing } };
    });
  },

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
          'Median of the rounds (lowest to highest), seen by the client, keep-alive connection.',
          ...missing,
        ].join(' '),
      },
    ];
  },
};

/** @param {import('../lib/material.mjs').Picture[]} pictures @param {string} name */
function find(pictures, name) {
  const found = pictures.find((picture) => picture.name.endsWith(name));
  if (!found) throw new Error(`There is no selfie of ${name}: ${pictures.map((p) => p.name).join(', ')}.`);
  return found.bytes;
}

/** @param {Client} client @param {Job} job @param {{ requests: number, rounds: number }} options */
async function time(client, job, { requests, rounds }) {
  for (let i = 0; i < WARM_UP; i++) await client.ask(job);
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

/** @param {{ name: string, bar: number | undefined, p95Ms: { median: number } }} operation @returns {import('../lib/types').Bar[]} */
const barOf = ({ name, bar, p95Ms }) =>
  bar === undefined
    ? []
    : [{ what: `${name}, p95, idle machine`, value: p95Ms.median, unit: 'ms', bar, better: 'lower' }];
