/**
 * The overhead of the HTTP path: the inference tier at saturation against decoding and `session.run` alone, with the same
 * models, shapes and counts, on all cores or on a GPU. Both sides take turns.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../gateway/harness/index.mjs';
import { compareJob, detectJob, moderateJob, sendFor } from '../lib/client.mjs';
import { medianAtLeast } from '../lib/figures.mjs';
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
  conditions: { device: 'cpu', rounds: 5, seconds: 8, perWorker: 4 },
  quick: { rounds: 1, seconds: 1 },

  async run({ device, rounds, seconds, perWorker }, log) {
    const images = (await selfies()).map(({ bytes }) => bytes);
    const env = { INFERENCE_DEVICE: device };
    const recorded = await record(operationsOf(images), env);
    const measure = async (tier) => {
      const operations = [];
      for (const { operation, work } of recorded) {
        const concurrency = perWorker * tier.workers;
        const taken = await compete(tier, { operation, work, rounds, seconds, concurrency });
        log(`${operation.name}: ${range(taken.http)} of ${range(taken.raw)} requests/s raw`);
        operations.push(taken);
      }
      return { workers: tier.workers, device, operations };
    };
    return withTier(measure, { env });
  },

  summarize: ({ workers, device, operations }) => ({
    ...(device !== 'cpu' && { variant: device }),
    figures: operations.map(({ name, ratio }) =>
      medianAtLeast(
        `Full HTTP path of ${name} against raw decoding and session.run`,
        ratio,
        '%',
        targets[name],
        100,
      ),
    ),
    tables: [
      {
        title: 'Requests per second, 640x480 selfies',
        columns: 'Operation | HTTP | Raw | HTTP / raw | Items per request',
        rows: operations.map((operation) => [
          operation.name,
          range(operation.http),
          range(operation.raw),
          `**${figure(100 * operation.ratio.median)} %** (${figure(100 * operation.ratio.min)} to ${figure(100 * operation.ratio.max)})`,
          list(operation.items),
        ]),
        remark: `${workers} workers on ${device} on either side. Raw: plain worker threads that decode with sharp and repeat the recorded session.run calls (same models, shapes and counts) on prepared inputs. The client shares the cores with the service. Median of the rounds (lowest to highest); the ratio is taken round by round.`,
      },
    ],
    data: { items: Object.fromEntries(operations.map(({ name, items }) => [name, items])) },
  }),
};

/** Least share of the raw speed, in per cent. */
const targets = { detect: 80, compare: 88, moderate: 82 };

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
async function record(operations, env) {
  const file = join(temporaryFolder(), 'runs');
  writeFileSync(file, '');
  const options = { env: { ...env, BENCH_RECORD: file }, nodeOptions: ['--require', RECORDER], workers: 1 };
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
    await sendFor(client, { jobs, concurrency, seconds: seconds / 4 }); // warms the tier
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      const { results, perSecond } = await sendFor(client, { jobs, concurrency, seconds });
      taken.push({ http: perSecond, raw: results.length / (await run(results.length)) });
    }
    return {
      name,
      http: spread(taken.map(({ http }) => http)),
      raw: spread(taken.map(({ raw }) => raw)),
      ratio: spread(taken.map(({ http, raw }) => http / raw)),
      items: itemsPerRequest(work),
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
