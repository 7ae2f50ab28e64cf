/**
 * What the HTTP path costs beside the work that cannot be avoided: the service at saturation against decoding and
 * `session.run` alone, the same models, shapes and counts, on all cores. Both sides take turns.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, compareJob, detectJob, moderateJob, saturate } from '../lib/client.mjs';
import { selfies } from '../lib/material.mjs';
import { figure, range } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { Skip } from '../lib/skip.mjs';
import { spread } from '../lib/stats.mjs';
import { withRaw } from './raw.mjs';

/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {import('./raw-worker.mjs').Work} Work */
/** @typedef {import('./raw-worker.mjs').Run} Run */
/** @typedef {{ name: string, jobs: Job[], images: Buffer[][] }} Operation */

const RECORDER = fileURLToPath(new URL('record-runs.cjs', import.meta.url));

/** @type {import('../lib/types').Measurement} */
export const httpPath = {
  name: 'speed/http-path',
  answers: 'Which part of the raw speed of decoding and session.run is left behind the full HTTP path?',
  parameters: { rounds: 5, seconds: 8, perWorker: 4 },

  async run({ rounds, seconds, perWorker }, log) {
    const pictures = (await selfies()).map(({ bytes }) => bytes);
    const recorded = await record(operationsOf(pictures), log);
    return withService(async (service) => {
      const client = new Client(service.url);
      const measured = [];
      try {
        for (const { operation, work } of recorded) {
          const concurrency = perWorker * service.workers;
          const taken = await compete(client, { operation, work, service, rounds, seconds, concurrency });
          log(
            `${operation.name}: ${range(taken.http)} of ${range(taken.raw)} requests/s raw, ${figure(100 * taken.ratio.median)} %`,
          );
          measured.push(taken);
        }
      } finally {
        client.close();
      }
      return {
        bars: measured.map(({ name, ratio }) => ({
          what: `Full HTTP path of ${name} against raw decoding and session.run`,
          value: 100 * ratio.median,
          unit: '%',
          bar: 85,
          better: /** @type {const} */ ('higher'),
        })),
        figures: { workers: service.workers, device: service.device, operations: measured },
      };
    });
  },

  report({ workers, device, operations }) {
    return [
      {
        title: 'Requests per second, 640x480 selfies',
        columns: ['Operation', 'HTTP', 'Raw', 'HTTP / raw', 'Runs per request', 'Client, cores'],
        rows: operations.map((/** @type {any} */ operation) => [
          operation.name,
          range(operation.http),
          range(operation.raw),
          `**${figure(100 * operation.ratio.median)} %** (${figure(100 * operation.ratio.min)} to ${figure(100 * operation.ratio.max)})`,
          Object.entries(operation.runs)
            .map(([model, items]) => `${model} x ${figure(/** @type {number} */ (items))}`)
            .join(', '),
          range(operation.clientCores),
        ]),
        remark: `${workers} workers on ${device} on either side. Raw: plain worker threads that decode with sharp and repeat the recorded session.run calls (same models, shapes and counts) on prepared inputs. The client that loads the service shares its machine; what it takes is in the last column. Median of the rounds (lowest to highest); the ratio is taken round by round.`,
      },
    ];
  },
};

/** @param {Buffer[]} pictures @returns {Operation[]} */
export function operationsOf(pictures) {
  const pairs = pictures.map((picture, i) => [picture, pictures[(i + 1) % pictures.length]]);
  return [
    { name: 'detect', jobs: pictures.map((picture) => detectJob(picture)), images: pictures.map((p) => [p]) },
    { name: 'compare', jobs: pairs.map(([source, target]) => compareJob(source, target)), images: pairs },
    {
      name: 'moderate',
      jobs: pictures.map((picture) => moderateJob(picture)),
      images: pictures.map((p) => [p]),
    },
  ];
}

/**
 * Every request once, alone, against a service that writes down its runs. Operations that are missing are left out.
 * @param {Operation[]} operations
 * @param {(line: string) => void} log
 * @returns {Promise<{ operation: Operation, work: Work[] }[]>}
 */
export async function record(operations, log) {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-bench-'));
  const file = join(folder, 'runs');
  writeFileSync(file, '');
  try {
    const options = { env: { BENCH_RECORD: file }, nodeOptions: ['--require', RECORDER], workers: 1 };
    const recorded = await withService(async ({ url }) => {
      const client = new Client(url);
      const all = [];
      try {
        for (const operation of operations) {
          const work = await recordOperation(client, operation, file).catch((error) => {
            if (!(error instanceof Skip)) throw error;
            log(error.message);
          });
          if (work) all.push({ operation, work });
        }
      } finally {
        client.close();
      }
      return all;
    }, options);
    if (recorded.length === 0) throw new Skip('The inference tier built here has none of the operations.');
    return recorded;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Client} client @param {Operation} operation @param {string} file @returns {Promise<Work[]>} */
async function recordOperation(client, { name, jobs, images }, file) {
  const work = [];
  for (const [i, job] of jobs.entries()) {
    writeFileSync(file, '');
    await client.ask(job);
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    work.push({ images: images[i], runs: lines.map((line) => /** @type {Run} */ (JSON.parse(line))) });
  }
  if (work.some(({ runs }) => runs.length === 0)) throw new Error(`No session.run was recorded for ${name}.`);
  return work;
}

/**
 * @param {Client} client
 * @param {{ operation: Operation, work: Work[], service: { workers: number, device: string }, rounds: number, seconds: number, concurrency: number }} options
 */
async function compete(client, { operation, work, service, rounds, seconds, concurrency }) {
  return withRaw({ work, device: service.device, threads: service.workers }, async (run) => {
    await saturate(client, { jobs: operation.jobs, concurrency, seconds: 0 });
    /** @type {{ http: number, raw: number, clientCores: number }[]} */
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      const {
        requests,
        seconds: spent,
        clientCores,
      } = await saturate(client, { jobs: operation.jobs, concurrency, seconds });
      taken.push({ http: requests / spent, raw: requests / (await run(requests)), clientCores });
    }
    return {
      name: operation.name,
      http: spread(taken.map((round) => round.http)),
      raw: spread(taken.map((round) => round.raw)),
      ratio: spread(taken.map((round) => round.http / round.raw)),
      clientCores: spread(taken.map((round) => round.clientCores)),
      runs: itemsPerRequest(work),
    };
  });
}

/** Items (images or faces) that each model sees per request, on average. @param {Work[]} work */
function itemsPerRequest(work) {
  /** @type {Record<string, number>} */
  const items = {};
  for (const { model, inputs } of work.flatMap(({ runs }) => runs)) {
    const name = (model.split('/').at(-1) ?? model).replace(/-\d.*$/, '');
    items[name] = (items[name] ?? 0) + (Object.values(inputs)[0]?.dims[0] ?? 1) / work.length;
  }
  return items;
}
