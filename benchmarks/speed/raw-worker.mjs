/**
 * Worker thread of the raw side: decodes with sharp and repeats recorded `session.run` calls, nothing else. Sessions
 * are made as the tier makes them. Two loops share the thread, so that one image is decoded while another one runs.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';

const ort = createRequire(import.meta.url)('onnxruntime-node');

/** @typedef {{ model: string, inputs: Record<string, { type: string, dims: number[] }> }} Run */
/** @typedef {{ images: Uint8Array[], runs: Run[] }} Work one request: its images are decoded, its runs repeated */

/** @type {{ work: Work[], device: string }} */
const { work, device } = workerData;
const LOOPS = 2;

sharp.cache(false);
sharp.concurrency(1);

/** @type {Map<string, any>} */
const sessions = new Map();
for (const model of new Set(work.flatMap(({ runs }) => runs.map((run) => run.model)))) {
  sessions.set(
    model,
    await ort.InferenceSession.create(model, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      enableMemPattern: false,
    }),
  );
}
/** @type {Map<string, Record<string, any>>} */
const feedsByRun = new Map();

/** @param {Run} run @param {Uint8Array} pixels fill the input: constant pictures would be kinder to caches than real ones */
function feedsOf(run, pixels) {
  const key = JSON.stringify(run);
  let feeds = feedsByRun.get(key);
  if (!feeds) {
    feeds = Object.fromEntries(
      Object.entries(run.inputs).map(([name, { type, dims }]) => {
        const length = dims.reduce((a, b) => a * b, 1);
        const data = type === 'uint8' ? new Uint8Array(length) : new Float32Array(length);
        for (let i = 0; i < length; i++) data[i] = pixels[i % pixels.length];
        return [name, new ort.Tensor(type, data, dims)];
      }),
    );
    feedsByRun.set(key, feeds);
  }
  return feeds;
}

/** @param {Work} request */
async function answer({ images, runs }) {
  const decoded = [];
  for (const image of images) decoded.push(await sharp(image).rotate().removeAlpha().raw().toBuffer());
  for (const run of runs) await sessions.get(run.model).run(feedsOf(run, decoded[0]));
}

/**
 * @param {{ next: SharedArrayBuffer, total: number }} order `next` counts requests taken by all workers together
 */
async function repeat({ next, total }) {
  const counter = new Int32Array(next);
  const loop = async () => {
    for (let i = Atomics.add(counter, 0, 1); i < total; i = Atomics.add(counter, 0, 1)) {
      await answer(work[i % work.length]);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
}

for (const request of work) await answer(request);
parentPort?.on('message', async (order) => {
  await repeat(order);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
