/**
 * Raw sessions on one device, by batch: which batch pays, what memory it takes, whether the device agrees with the
 * processor. Each device has its own result. It runs on a processor too, so that it is known to work before a GPU is
 * at hand.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { INFERENCE_MAIN } from '../lib/paths.mjs';
import { percent, range } from '../lib/report.mjs';
import { round } from '../lib/results.mjs';
import { Skip } from '../lib/skip.mjs';
import { spread } from '../lib/stats.mjs';

const require = createRequire(import.meta.url);

/** @typedef {{ id: string, path: string, dims: number[] }} Model */

/** @type {import('../lib/types').Measurement} */
export const sweep = {
  name: 'gpu/sweep',
  answers: 'How many images per second do raw sessions run by device and batch, and do devices agree?',
  onDemand: true,
  parameters: {
    device: 'cpu',
    models: 'blazeface,facemesh,face-recognition,faceres,nsfw-mobilenet-mid,ssd-mobilenet',
    batches: '1,2,4,8,16,32',
    seconds: 1,
    rounds: 3,
    threads: 1,
  },

  async run({ device, models, batches, seconds, rounds, threads }, log) {
    const ort = require('onnxruntime-node');
    const found = await find(models.split(','));
    const sizes = batches.split(',').map(Number);
    await probe(ort, device, found[0]);
    const measured = [];
    for (const model of found) {
      const taken = await measure(ort, model, { device, sizes, seconds, rounds, threads });
      const best = taken.batches.reduce((a, b) =>
        b.imagesPerSecond.median > a.imagesPerSecond.median ? b : a,
      );
      log(
        `${model.id}: ${range(best.imagesPerSecond)} images/s at batch ${best.batch}, differs from the processor by ${taken.difference.toExponential(1)}`,
      );
      measured.push(taken);
    }
    return {
      variant: device,
      bars: [],
      figures: { device, runtime: require('onnxruntime-node/package.json').version, models: measured },
    };
  },

  report({ device, runtime, models }) {
    const sizes = models[0].batches.map((/** @type {{ batch: number }} */ { batch }) => batch);
    return [
      {
        title: `Images per second on ${device}, ONNX Runtime ${runtime}`,
        columns: [
          'Model',
          ...sizes.map((/** @type {number} */ size) => `batch ${size}`),
          'Largest difference from cpu',
          'RSS, MiB',
        ],
        rows: models.map((/** @type {any} */ model) => [
          model.id,
          ...model.batches.map((/** @type {any} */ batch) => range(batch.imagesPerSecond)),
          `${round(model.difference)} (${percent(model.relative)} of the largest value)`,
          Math.round(model.rssMiB),
        ]),
        remark:
          'One session at a time, inputs prepared, median (lowest to highest). RSS is that of the process after the largest batch; it sees no memory of a GPU.',
      },
    ];
  },
};

/**
 * Compiled models of the catalogue.
 * @param {string[]} ids
 * @returns {Promise<Model[]>}
 */
async function find(ids) {
  const dist = join(INFERENCE_MAIN, '..');
  const { readCatalogue } = require(join(dist, 'compiler', 'manifest.js'));
  const { compiledPath } = require(join(dist, 'compiler', 'compiled-path.js'));
  const { defaultModelCache } = require(join(dist, 'paths.js'));
  const catalogue = await readCatalogue();
  return ids.map((id) => {
    const manifest = catalogue.find((/** @type {{ id: string }} */ candidate) => candidate.id === id);
    if (!manifest) throw new Error(`The catalogue has no model "${id}".`);
    const { height, width, channels } = manifest.input;
    const path = compiledPath(manifest, defaultModelCache);
    if (!existsSync(path)) throw new Error(`The model ${id} is not compiled: run \`npm run build\`.`);
    return { id, path, dims: [height, width, channels] };
  });
}

/**
 * Devices are listed whether they are there or not; only a session tells.
 * @param {any} ort
 * @param {string} device
 * @param {Model} model
 * @throws Skip
 */
async function probe(ort, device, model) {
  try {
    const session = await open(ort, model, device, 1);
    await session.release();
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Skip(`There is no ${device} here that ONNX Runtime can use: ${line}`);
  }
}

/** @param {any} ort @param {Model} model @param {string} device @param {number} threads */
function open(ort, { path }, device, threads) {
  return ort.InferenceSession.create(path, {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableMemPattern: false,
  });
}

/**
 * @param {any} ort
 * @param {Model} model
 * @param {{ device: string, sizes: number[], seconds: number, rounds: number, threads: number }} options
 */
async function measure(ort, model, { device, sizes, seconds, rounds, threads }) {
  const session = await open(ort, model, device, threads);
  const agreement = await compareWithCpu(ort, model, session);
  const batches = [];
  for (const batch of sizes) {
    const feeds = feedsOf(ort, session, model, batch);
    // The first run of a shape plans and allocates; on CUDA it also searches for algorithms.
    const begin = performance.now();
    await session.run(feeds);
    const firstMs = performance.now() - begin;
    const taken = [];
    for (let i = 0; i < rounds; i++) taken.push(await repeat(session, feeds, batch, seconds));
    batches.push({ batch, firstMs, imagesPerSecond: spread(taken) });
  }
  const rssMiB = process.memoryUsage.rss() / 2 ** 20;
  await session.release();
  return { id: model.id, ...agreement, rssMiB, batches };
}

/** @param {any} session @param {any} feeds @param {number} batch @param {number} seconds */
async function repeat(session, feeds, batch, seconds) {
  const begin = performance.now();
  let images = 0;
  do {
    await session.run(feeds);
    images += batch;
  } while (performance.now() - begin < seconds * 1e3);
  return images / ((performance.now() - begin) / 1e3);
}

/** @param {any} ort @param {any} session @param {Model} model @param {number} batch */
function feedsOf(ort, session, { dims }, batch) {
  const length = dims.reduce((a, b) => a * b, batch);
  // Smooth pictures with some grain, the same on every machine.
  const data = Uint8Array.from({ length }, (_, i) => 128 + 90 * Math.sin(i / 700) + ((i * 7919) % 31));
  return { [session.inputNames[0]]: new ort.Tensor('uint8', data, [batch, ...dims]) };
}

/** @param {any} ort @param {Model} model @param {any} session */
async function compareWithCpu(ort, model, session) {
  const reference = await open(ort, model, 'cpu', 1);
  const [theirs, ours] = [
    await reference.run(feedsOf(ort, reference, model, 1)),
    await session.run(feedsOf(ort, session, model, 1)),
  ];
  await reference.release();
  let difference = 0;
  let largest = 0;
  for (const name of reference.outputNames) {
    theirs[name].data.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
      difference = Math.max(difference, Math.abs(value - ours[name].data[i]));
      largest = Math.max(largest, Math.abs(value));
    });
  }
  return { difference, relative: largest > 0 ? difference / largest : 0 };
}
