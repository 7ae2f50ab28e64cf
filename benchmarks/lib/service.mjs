/** Starts and stops the built inference tier as an operator would: a process of its own, configured by variables. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { INFERENCE_MAIN } from './paths.mjs';
import { startProcess } from './process.mjs';

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * @param {{ env?: Record<string, string>, nodeOptions?: string[], workers?: number }} [options]
 * @returns a service that answers; `startMs` runs from the spawn to the line that says so
 */
export async function startService({ env = {}, nodeOptions = [], workers = availableParallelism() } = {}) {
  if (!existsSync(INFERENCE_MAIN)) throw new Error('The inference tier is not built: run `npm run build`.');
  const begin = performance.now();
  const { line, ...running } = await startProcess(process.execPath, [...nodeOptions, INFERENCE_MAIN], {
    // Port 0: the system picks a free one, and the line of readiness names it.
    env: { INFERENCE_PORT: '0', INFERENCE_WORKERS: String(workers), LOG_LEVEL: 'info', ...env },
    ready: 'inference ready',
  });
  const said = JSON.parse(line);
  return {
    ...running,
    url: /** @type {string} */ (said.url),
    device: String(said.device),
    workers: Number(said.workers ?? workers),
    startMs: performance.now() - begin,
    /** What the service itself says about its start. */
    reportedStartMs: Number(said.startMs),
  };
}

/**
 * Runs `use` against a service that is stopped afterwards, whatever happens.
 * @template T
 * @param {(service: Service) => Promise<T>} use
 * @param {Parameters<typeof startService>[0]} [options]
 * @returns {Promise<T>}
 */
export async function withService(use, options) {
  const service = await startService(options);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}
