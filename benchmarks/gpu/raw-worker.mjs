/**
 * A worker thread that decodes with sharp and repeats recorded `session.run` calls, with the session options of the tier.
 * Two loops share the thread, so that one image is decoded while another is in a run.
 */
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import sharp from 'sharp';
import { sessionOptions } from '../../inference/dist/backends/onnx.js';

/** @typedef {{ model: string, inputs: Record<string, { type: string, dims: number[] }> }} Run */
/** One request: its images are decoded, its runs repeated. @typedef {{ images: Uint8Array[], runs: Run[] }} Work */

/** @type {{ work: Work[], device: import('../../inference/dist/backends/device').OnnxDevice }} */
const { work, device } = workerData;
const LOOPS = 2;

sharp.cache(false);
sharp.concurrency(1);

const sessions = new Map();
for (const model of new Set(work.flatMap(({ runs }) => runs.map((run) => run.model)))) {
  const session = await ort.InferenceSession.create(model, sessionOptions(device, 0));
  sessions.set(model, session);
}
const feedsByRun = new Map();

/** @param {Run} run @param {Uint8Array} pixels fill the input: constant images would be kinder to caches than real ones */
function feedsOf(run, pixels) {
  const key = JSON.stringify(run);
  if (!feedsByRun.has(key)) {
    const feeds = Object.entries(run.inputs).map(([name, { type, dims }]) => {
      const length = dims.reduce((a, b) => a * b, 1);
      const data = type === 'uint8' ? new Uint8Array(length) : new Int32Array(length);
      for (let i = 0; i < length; i++) data[i] = pixels[i % pixels.length];
      return [name, new ort.Tensor(/** @type {'uint8'} */ (type), data, dims)];
    });
    feedsByRun.set(key, Object.fromEntries(feeds));
  }
  return feedsByRun.get(key);
}

/** @param {Work} request */
async function process({ images, runs }) {
  const decoded = [];
  for (const image of images) decoded.push(await sharp(image).rotate().removeAlpha().raw().toBuffer());
  for (const run of runs) await sessions.get(run.model).run(feedsOf(run, decoded[0]));
}

/** @param {{ next: SharedArrayBuffer, total: number }} order `next` counts the requests of all workers together */
async function repeat({ next, total }) {
  const counter = new Int32Array(next);
  const loop = async () => {
    for (let i = Atomics.add(counter, 0, 1); i < total; i = Atomics.add(counter, 0, 1))
      await process(work[i % work.length]);
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
}

for (const request of work) await process(request);
parentPort?.on('message', async (order) => {
  await repeat(order);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
