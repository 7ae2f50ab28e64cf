/**
 * The overhead of the HTTP path: the inference tier at saturation against decoding and `session.run` alone, with the same
 * models, shapes and counts, on all cores or on the device of INFERENCE_DEVICE. Both sides take turns.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../deploy/local/harness/index.mjs';
import { compareJob, detectJob, moderateJob, saturate } from '../lib/client.mjs';
import { atLeast } from '../lib/figures.mjs';
import { selfies } from '../lib/material.mjs';
import { figure, list, range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { withRaw } from './raw.mjs';

const RECORDER = fileURLToPath(new URL('record-runs.cjs', import.meta.url));

/** @type {import('../lib/types').Measurement} */
export const httpPath = {
  name: 'gpu/http-path',
  question: 'Which part of the raw speed of decoding and session.run does the full HTTP path reach?',
  conditions: { rounds: 5, seconds: 8, perWorker: 4 },
  quick: { rounds: 1, seconds: 1 },

  async run({ rounds, seconds, perWorker }, log) {
    const images = (await selfies()).map(({ bytes }) => bytes);
    const recorded = await record(operationsOf(images));
    return withTier(async (tier) => {
      const operations = [];
      for (const { operation, work } of recorded) {
        const concurrency = perWorker * tier.workers;
        const taken = await compete(tier, { operation, work, rounds, seconds, concurrency });
        log(`${operation.name}: ${range(taken.http)} of ${range(taken.raw)} requests/s raw`);
        operations.push(taken);
      }
      return { workers: tier.workers, device: tier.device, operations };
    });
  },

  summarize: ({ workers, device, operations }) => ({
    figures: operations.map(({ name, ratio }) =>
      atLeast(`Full HTTP path of ${name} against raw decoding and session.run`, 100 * ratio.median, '%', 85),
    ),
    tables: [
      {
        title: 'Requests per second, 640x480 selfies',
        columns: 'Operation | HTTP | Raw | HTTP / raw | Runs per request | Client, cores',
        rows: operations.map((one) => [
          one.name,
          range(one.http),
          range(one.raw),
          `**${figure(100 * one.ratio.median)} %** (${figure(100 * one.ratio.min)} to ${figure(100 * one.ratio.max)})`,
          list(one.runs),
          range(one.clientCores),
        ]),
        remark: `${workers} workers on ${device} on either side. Raw: plain worker threads that decode with sharp and repeat the recorded session.run calls (same models, shapes and counts) on prepared inputs. The client shares the machine with the service and takes the cores of the last column. Median of the rounds (lowest to highest); the ratio is taken round by round.`,
      },
    ],
    data: { runs: Object.fromEntries(operations.map(({ name, runs }) => [name, runs])) },
  }),
};

/** @param {Buffer[]} images */
function operationsOf(images) {
  const pairs = images.map((image, i) => [image, images[(i + 1) % images.length]]);
  const single = images.map((image) => [image]);
  return [
    { name: 'detect', jobs: images.map((image) => detectJob(image)), images: single },
    { name: 'compare', jobs: pairs.map(([source, target]) => compareJob(source, target)), images: pairs },
    { name: 'moderate', jobs: images.map((image) => moderateJob(image)), images: single },
  ];
}

/** Sends every request once, alone, to a tier that records its runs. */
async function record(operations) {
  const file = join(temporaryFolder(), 'runs');
  writeFileSync(file, '');
  const options = { env: { BENCH_RECORD: file }, nodeOptions: ['--require', RECORDER], workers: 1 };
  return withTier(async ({ client }) => {
    const recorded = [];
    for (const operation of operations) {
      const work = [];
      for (const [i, job] of operation.jobs.entries()) {
        writeFileSync(file, '');
        await client.request(job);
        const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
        work.push({ images: operation.images[i], runs: lines.map((line) => JSON.parse(line)) });
      }
      if (work.some(({ runs }) => runs.length === 0))
        throw new Error(`No session.run was recorded for ${operation.name}.`);
      recorded.push({ operation, work });
    }
    return recorded;
  }, options);
}

async function compete({ client, device, workers }, { operation, work, rounds, seconds, concurrency }) {
  const { name, jobs } = operation;
  return withRaw({ work, device, threads: workers }, async (run) => {
    await saturate(client, { jobs, concurrency, seconds: 0 });
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      const {
        requests,
        seconds: spent,
        clientCores,
      } = await saturate(client, { jobs, concurrency, seconds });
      taken.push({ http: requests / spent, raw: requests / (await run(requests)), clientCores });
    }
    return {
      name,
      http: spread(taken.map((round) => round.http)),
      raw: spread(taken.map((round) => round.raw)),
      ratio: spread(taken.map((round) => round.http / round.raw)),
      clientCores: spread(taken.map((round) => round.clientCores)),
      runs: itemsPerRequest(work),
    };
  });
}

/** Items (images or faces) of each model per request, on average. */
function itemsPerRequest(work) {
  const items = {};
  for (const { model, inputs } of work.flatMap(({ runs }) => runs)) {
    const name = model
      .split('/')
      .at(-1)
      .replace(/-\d.*$/, '');
    items[name] = (items[name] ?? 0) + (Object.values(inputs)[0]?.dims[0] ?? 1) / work.length;
  }
  return items;
}
