/** Processes that share the attempts of a measurement. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/**
 * Simulates attempts in processes of their own.
 * @param {{ tierUrl: string, effort: import('./perturbation.mjs').Effort, processes: number }} options
 * @param {readonly { kind: string, seed: number }[]} jobs
 * @param {(done: number) => void} onDone called after each attempt
 * @returns {Promise<{ people: any, rows: any[] }>} rows in the order of the jobs
 * @throws Error if a process ends early
 */
export async function simulateAll({ tierUrl, effort, processes }, jobs, onDone) {
  const rows = new Array(jobs.length);
  let people;
  let next = 0;
  let done = 0;
  const lane = async () => {
    const worker = fork(WORKER, [tierUrl, JSON.stringify(effort)]);
    try {
      ({ people } = await messageFrom(worker));
      while (next < jobs.length) {
        const at = next++;
        worker.send(jobs[at]);
        rows[at] = (await messageFrom(worker)).row;
        onDone(++done);
      }
    } finally {
      if (worker.connected) worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, lane));
  return { people, rows };
}

/** @param {import('node:child_process').ChildProcess} worker @returns {Promise<any>} */
const messageFrom = (worker) =>
  new Promise((resolve, reject) => {
    const onExit = (/** @type {number | null} */ code) =>
      reject(new Error(`A process of the measurement ended with ${code}.`));
    worker.once('exit', onExit);
    worker.once('message', (message) => {
      worker.off('exit', onExit);
      resolve(message);
    });
  });
