/** Decoding and recorded `session.run` calls alone, on threads of a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const FILE = fileURLToPath(import.meta.url);

/** @typedef {import('./raw-worker.mjs').Work} Work */

/**
 * @template T
 * @param {{ work: Work[], device: string, threads: number }} load
 * @param {(run: (requests: number) => Promise<number>) => Promise<T>} use `run` resolves to the seconds that it took
 * @returns {Promise<T>}
 */
export async function withRaw({ work, device, threads }, use) {
  // It ends with the IPC channel to this process.
  const child = fork(FILE, {
    serialization: 'advanced',
    env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(4, threads)) },
  });
  const request = async (message) => {
    const ended = once(child, 'exit').then(([code]) => ({ error: `The raw process ended with ${code}` }));
    const replied = once(child, 'message').then(([reply]) => reply);
    child.send(message);
    const reply = await Promise.race([replied, ended]);
    if (reply.error) throw new Error(reply.error);
    return reply;
  };
  try {
    await request({ kind: 'load', work, device, threads });
    return await use(async (requests) => (await request({ kind: 'run', requests })).seconds);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

/** @type {Worker[]} */
let workers = [];

const handlers = {
  async load({ work, device, threads }) {
    const script = new URL('raw-worker.mjs', import.meta.url);
    workers = Array.from({ length: threads }, () => new Worker(script, { workerData: { work, device } }));
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    return { ready: true };
  },

  async run({ requests }) {
    const next = new SharedArrayBuffer(4);
    const begin = performance.now();
    const done = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage({ next, total: requests });
    await Promise.all(done);
    return { seconds: (performance.now() - begin) / 1e3 };
  },
};

if (process.argv[1] === FILE) {
  process.on('message', async (/** @type {any} */ message) => {
    const reply = await handlers[message.kind](message).catch((error) => ({ error: String(error) }));
    process.send?.(reply);
  });
}
