/**
 * Raw sessions on one device by batch size: which batch pays. Each device has its own result. A CPU can run it too, so the
 * measurement works before a GPU is available.
 */
import { createRequire } from 'node:module';
import { range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { catalogue, fromTier, needDevice, precisionsOn } from './serving.mjs';

const require = createRequire(import.meta.url);

/** @typedef {{ id: string, precision: string, name: string, path: string, dims: number[] }} Model */

/** @type {import('../lib/types').Measurement} */
export const sweep = {
  name: 'gpu/sweep',
  question: 'How many images a second do raw sessions process by device and batch size?',
  onDemand: true,
  conditions: {
    device: 'cpu',
    models: 'blazeface,facemesh,sface,faceres,nsfw-mobilenet-mid,ssd-mobilenet',
    batches: '1,2,4,8,16,32',
    seconds: 1,
    rounds: 3,
    threads: 1,
  },
  quick: { models: 'blazeface', batches: '1,4', seconds: 0.2, rounds: 1 },

  async run({ device, models, batches, seconds, rounds, threads }, log) {
    const ort = require('onnxruntime-node');
    await needDevice(device);
    const found = [];
    for (const precision of await precisionsOn(device, log))
      found.push(...(await findModels(models.split(','), precision)));
    const options = { device, sizes: batches.split(',').map(Number), seconds, rounds, threads };
    const measured = [];
    for (const model of found) {
      const taken = await measure(ort, model, options);
      log(`${model.name}: ${range(taken.batches.at(-1).imagesPerSecond)} images/s in the largest batch`);
      measured.push(taken);
    }
    return { device, runtime: require('onnxruntime-node/package.json').version, models: measured };
  },

  summarize: ({ device, runtime, models }) => ({
    variant: device,
    figures: [],
    tables: [
      {
        title: `Images per second on ${device}, ONNX Runtime ${runtime}`,
        columns: `Model | ${models[0].batches.map(({ batch }) => `batch ${batch}`).join(' | ')}`,
        rows: models.map((model) => [
          model.name,
          ...model.batches.map(({ imagesPerSecond }) => range(imagesPerSecond)),
        ]),
        remark: 'One session at a time, inputs prepared, median (lowest to highest).',
      },
    ],
    data: { models: models.map(({ id, precision, batches }) => ({ id, precision, batches })) },
  }),
};

/** Models of the catalogue, compiled. @param {string[]} ids @param {'float32' | 'float16'} precision @returns {Promise<Model[]>} */
async function findModels(ids, precision) {
  const { compiledPath } = fromTier('catalogue/compiled-path');
  const { defaultModelCache } = fromTier('catalogue/paths');
  const { ensureCompiled } = fromTier('compiler/compile');
  const manifests = await catalogue();
  const found = [];
  for (const id of ids) {
    const manifest = manifests.find((one) => one.id === id);
    if (!manifest) throw new Error(`The catalogue has no model "${id}".`);
    await ensureCompiled(manifest, defaultModelCache, { wanted: precision });
    const { height, width, channels } = manifest.input;
    found.push({
      id,
      precision,
      name: precision === 'float32' ? id : `${id}, ${precision}`,
      path: compiledPath(manifest, defaultModelCache, precision),
      dims: [height, width, channels],
    });
  }
  return found;
}

const open = (ort, { path }, device, threads) =>
  ort.InferenceSession.create(path, {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableMemPattern: false,
  });

async function measure(ort, model, { device, sizes, seconds, rounds, threads }) {
  const session = await open(ort, model, device, threads);
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
  await session.release();
  return { ...model, batches };
}

async function repeat(session, feeds, batch, seconds) {
  const begin = performance.now();
  let images = 0;
  do {
    await session.run(feeds);
    images += batch;
  } while (performance.now() - begin < seconds * 1e3);
  return images / ((performance.now() - begin) / 1e3);
}

function feedsOf(ort, session, { dims }, batch) {
  const length = dims.reduce((a, b) => a * b, batch);
  // Smooth images with some grain, the same on every machine.
  const data = Uint8Array.from({ length }, (_, i) => 128 + 90 * Math.sin(i / 700) + ((i * 7919) % 31));
  return { [session.inputNames[0]]: new ort.Tensor('uint8', data, [batch, ...dims]) };
}
