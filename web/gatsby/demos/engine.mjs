/** The built inference tier while the site is built: the demos show its results. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startInference } from '../../../gateway/harness/tiers.mjs';

export const ENGINE = fileURLToPath(new URL('../../../inference/dist/main.js', import.meta.url));

/** One device and precision, so that a site built on another machine shows the same results. */
const SETTINGS = {
  INFERENCE_HOST: '127.0.0.1',
  // The port of the environment is that of the service, which may already run.
  INFERENCE_PORT: '0',
  INFERENCE_WORKERS: '2',
  INFERENCE_DEVICE: 'cpu',
  INFERENCE_PRECISION: 'float32',
  LOG_LEVEL: 'info',
};

/** All requests start at once: the last one waits for the others. */
const RESPONSE_TIMEOUT_MS = 120_000;

/** @throws Error that names the command to run */
export function assertBuilt(main = ENGINE) {
  if (!existsSync(main)) {
    throw new Error(
      'The demos need the inference tier, which is not built: run `npm run build` in the repository.',
    );
  }
}

/**
 * Starts the tier, runs `use`, and stops the tier whatever happens.
 * @template T
 * @param {NodeJS.ProcessEnv} env the builder's environment, which names the folder of compiled models
 * @param {(ask: Ask) => Promise<T>} use
 * @param {string} [main] of another build of the tier
 * @returns {Promise<T>}
 * @throws Error when the tier is not built, does not start, or does not respond with 200 in time
 */
export async function withEngine(env, use, main = ENGINE) {
  assertBuilt(main);
  const tier = await startInference({ ...env, ...SETTINGS }, { main });
  try {
    return await use((operation, images, headers) => ask(`${tier.url}/${operation}`, images, headers));
  } finally {
    await tier.stop();
  }
}

/** @typedef {(operation: 'detect' | 'compare' | 'moderate', images: Buffer[], headers?: Record<string, string>) => Promise<any>} Ask */

/** @param {string} url @param {Buffer[]} images @param {Record<string, string>} [headers] */
async function ask(url, images, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      ...(images.length > 1 && { 'x-part-lengths': images.map(({ length }) => length).join() }),
      ...headers,
    },
    body: Buffer.concat(images),
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  if (response.status !== 200) {
    throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  }
  return response.json();
}
