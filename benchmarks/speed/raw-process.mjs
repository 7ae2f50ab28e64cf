/** Process of the raw side: one worker thread per core, told over IPC how many requests to repeat. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** @typedef {import('./raw-worker.mjs').Work} Work */

/** @type {Worker[]} */
let workers = [];

process.on('message', async (/** @type {any} */ message) => {
  try {
    process.send?.(message.kind === 'load' ? await load(message) : await run(message.requests));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

/** @param {{ work: Work[], device: string, threads: number }} options */
async function load({ work, device, threads }) {
  const script = new URL('raw-worker.mjs', import.meta.url);
  workers = Array.from({ length: threads }, () => new Worker(script, { workerData: { work, device } }));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return { ready: true };
}

/** @param {number} total */
async function run(total) {
  const next = new SharedArrayBuffer(4);
  const begin = performance.now();
  const done = workers.map((worker) => once(worker, 'message'));
  for (const worker of workers) worker.postMessage({ next, total });
  await Promise.all(done);
  return { seconds: (performance.now() - begin) / 1e3 };
}
