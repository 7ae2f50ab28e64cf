/**
 * Does memory or the number of descriptors grow? Many mixed requests, and the process watched from outside. Growth is
 * taken of what a collection of all garbage leaves: between two of its own a tier takes far more than it could leak.
 */
import { fileURLToPath } from 'node:url';
import { Client, compareJob, detectJob, mapConcurrently, moderateJob } from '../lib/client.mjs';
import { demoPhotographs, selfies } from '../lib/material.mjs';
import { descriptorsOf, memoryOf, needProc } from '../lib/process.mjs';
import { figure } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { growthOf } from '../lib/stats.mjs';

/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {{ requests: number, rssMiB: number, descriptors: number }} Sample */

const COLLECTIONS = 100;
const preload = fileURLToPath(new URL('../lib/collecting.cjs', import.meta.url));

/** @type {import('../lib/types').Measurement} */
export const soak = {
  name: 'resources/soak',
  answers:
    'Does the memory or the number of open descriptors of the inference tier grow over 10,000 mixed requests?',
  parameters: { requests: 10_000, concurrency: 8, warmUp: 0.3, arenas: 2 },

  async run({ requests, concurrency, warmUp, arenas }, log) {
    needProc();
    const pictures = await selfies();
    // Threads of glibc's malloc each keep memory of their own; the tier asks its operator to set this. 0: unset.
    const env = arenas > 0 ? { MALLOC_ARENA_MAX: String(arenas) } : {};
    const options = { env, nodeOptions: ['--require', preload] };
    return withService(async ({ url, pid }) => {
      const client = new Client(url);
      try {
        const before = look(pid, 0);
        const jobs = await mix(client, pictures);
        const { samples, statuses } = await soakWith(client, pid, { jobs, requests, concurrency });
        // Connections of this client are descriptors too; without them, what is left is the tier's own.
        client.close();
        const { peakMiB } = memoryOf(pid);
        const after = await settled(pid, requests, before.descriptors);
        const kept = samples.filter((sample) => sample.requests >= warmUp * requests);
        const line = growthOf(kept.map(({ requests: x, rssMiB: y }) => ({ x: x / 1000, y })));
        log(
          `${figure(line.slope)} ± ${figure(line.error)} MiB per 1,000 requests; descriptors ${before.descriptors} before, ${after.descriptors} after`,
        );
        return {
          bars: [
            // "About zero": 10,000 requests may leave less than 5 MiB behind.
            {
              what: 'Memory growth per 1,000 requests, upper end of the 95 % interval',
              value: line.slope + line.error,
              unit: 'MiB',
              bar: 0.5,
              better: 'lower',
            },
            {
              what: 'Descriptors more than before',
              value: after.descriptors - before.descriptors,
              unit: '',
              bar: 0,
              better: 'lower',
            },
          ],
          figures: {
            jobs: jobs.length,
            before,
            after,
            line,
            peakMiB,
            statuses,
            samples,
          },
        };
      } finally {
        client.close();
      }
    }, options);
  },

  report({ before, after, line, peakMiB, statuses, samples }) {
    const every = Math.ceil(samples.length / 10);
    const shown = samples.filter((/** @type {Sample} */ _, /** @type {number} */ i) => i % every === 0);
    return [
      {
        title: 'Resources of the inference process',
        columns: ['What', 'Seen'],
        rows: [
          ['RSS growth, MiB per 1,000 requests (95 %)', `${figure(line.slope)} ± ${figure(line.error)}`],
          [
            'RSS before, after, highest, MiB',
            [before.rssMiB, after.rssMiB, peakMiB].map(Math.round).join(', '),
          ],
          ['Descriptors before, after', `${before.descriptors}, ${after.descriptors}`],
          [
            'Answers by status',
            Object.entries(statuses)
              .map(([status, count]) => `${status}: ${count}`)
              .join(', '),
          ],
        ],
        remark:
          'Least squares over the means of a dozen stretches after the warm-up, of what a collection of all garbage left. The mix: detection with and without attributes, comparison and moderation of selfies and of 1920-pixel photographs, and two broken images.',
      },
      {
        title: 'RSS on the way',
        columns: ['Requests', 'RSS, MiB', 'Descriptors'],
        rows: shown.map((/** @type {Sample} */ s) => [s.requests, Math.round(s.rssMiB), s.descriptors]),
      },
    ];
  },
};

/**
 * One job of each kind per picture, as far as the tier built here has the operation.
 * @param {Client} client
 * @param {import('../lib/material.mjs').Picture[]} selfiePictures
 */
async function mix(client, selfiePictures) {
  const pictures = [...selfiePictures, ...demoPhotographs()].map(({ bytes }) => bytes);
  const [first, second] = pictures;
  /** @type {((picture: Buffer, i: number) => Job)[]} */
  const kinds = [
    (picture) => detectJob(picture),
    (picture) => detectJob(picture, 'all'),
    (picture, i) => compareJob(selfiePictures[i % selfiePictures.length].bytes, picture),
    (picture) => moderateJob(picture),
  ];
  /** @type {typeof kinds} */
  const available = [];
  for (const kind of kinds) {
    const { status } = await client.send(kind(second, 0));
    if (status !== 404) available.push(kind);
  }
  const jobs = pictures.flatMap((picture, i) => available.map((kind) => kind(picture, i)));
  const broken = [
    detectJob(first.subarray(0, first.length >> 1)),
    detectJob(Buffer.from('this is no image')),
  ];
  return [...jobs, ...broken];
}

/**
 * @param {Client} client
 * @param {number} pid
 * @param {{ jobs: Job[], requests: number, concurrency: number }} options
 */
async function soakWith(client, pid, { jobs, requests, concurrency }) {
  /** @type {Record<string, number>} */
  const statuses = {};
  /** @type {Sample[]} */
  const samples = [];
  const every = Math.max(2, Math.floor(requests / COLLECTIONS));
  let done = 0;
  await mapConcurrently(Array.from({ length: requests }), concurrency, async (_, i) => {
    const { status } = await client.send(jobs[i % jobs.length]);
    if (status >= 500) throw new Error(`Request ${i} was answered ${status}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
    done += 1;
    if (done % every === 0) process.kill(pid, 'SIGUSR2');
    // Half of the requests until the next collection have passed: this one is done, and little has come since.
    else if (done > every && done % every === every >> 1) samples.push(look(pid, done));
  });
  return { samples, statuses };
}

/** @param {number} pid @param {number} requests answered so far @returns {Sample} */
function look(pid, requests) {
  return { requests, rssMiB: memoryOf(pid).rssMiB, descriptors: descriptorsOf(pid) };
}

/**
 * The server closes connections a moment after the client does.
 * @param {number} pid
 * @param {number} requests
 * @param {number} expected descriptors
 */
async function settled(pid, requests, expected) {
  for (let i = 0; i < 50 && look(pid, requests).descriptors > expected; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return look(pid, requests);
}
