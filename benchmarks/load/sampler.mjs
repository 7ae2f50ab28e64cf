/** Looks at processes from outside once a second while a load runs: processor time, memory, and what waits. */
import { cpuSecondsOf, memoryOf } from '../lib/process.mjs';

/**
 * @typedef {object} Sample
 * @property {number} atMs since 1970
 * @property {Record<string, number>} cpuSeconds taken so far, by process
 * @property {Record<string, number>} rssMb in units of 10^6 bytes, by process
 * @property {number} queueLength images that wait for a worker
 */

const EVERY_MS = 1000;
/** Beyond these a soak of days would fill the memory of the one who watches. */
const MOST_SAMPLES = 100_000;

/**
 * @param {Record<string, number>} pids by name
 * @param {string} inferenceUrl
 */
export function startSampler(pids, inferenceUrl) {
  /** @type {Sample[]} */
  const samples = [];
  const watched = { ...pids };
  /** @type {Promise<void>} */
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = look();
  }, EVERY_MS);
  const look = async () => {
    const queueLength = await queueLengthOf(inferenceUrl);
    /** @type {Sample} */
    const sample = { atMs: Date.now(), cpuSeconds: {}, rssMb: {}, queueLength };
    for (const [name, pid] of Object.entries(watched)) {
      try {
        sample.cpuSeconds[name] = cpuSecondsOf(pid);
        sample.rssMb[name] = (memoryOf(pid).rssMiB * 2 ** 20) / 1e6;
      } catch {
        // It has ended: k6 does before the last look.
        delete watched[name];
      }
    }
    if (samples.length < MOST_SAMPLES) samples.push(sample);
  };
  return {
    samples,
    /** One more process, which began later. @param {string} name @param {number} pid */
    watch(name, pid) {
      watched[name] = pid;
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** @param {string} inferenceUrl @returns {Promise<number>} NaN where it cannot be asked just now */
async function queueLengthOf(inferenceUrl) {
  try {
    const answer = await fetch(`${inferenceUrl}/metrics`, { signal: AbortSignal.timeout(EVERY_MS) });
    return queueLengthIn(await answer.text());
  } catch {
    return Number.NaN;
  }
}

/** @param {string} exposition metrics in Prometheus's text format */
export function queueLengthIn(exposition) {
  const lines = exposition.matchAll(/^presenza_inference_queue_length(?:\{[^}]*\})? (\S+)$/gm);
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
}
