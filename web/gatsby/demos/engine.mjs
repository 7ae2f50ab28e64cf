/** The built inference tier as a child process: what the demos show is what it answers. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ENGINE = fileURLToPath(new URL('../../../inference/dist/main.js', import.meta.url));

/** One kind of arithmetic, so that a site built on another machine says the same. Port 0: whichever is free. */
const SETTINGS = {
  INFERENCE_HOST: '127.0.0.1',
  INFERENCE_PORT: '0',
  INFERENCE_WORKERS: '2',
  INFERENCE_DEVICE: 'cpu',
  INFERENCE_PRECISION: 'float32',
  LOG_LEVEL: 'info',
};

/** Milliseconds: a cold start compiles the models. */
const READY_MS = 180_000;
/** All are asked at once: the last one waits for the others. */
const ANSWER_MS = 120_000;
/** Between asking it to stop and ending it. */
const STOP_MS = 5_000;
/** What is told of a tier that does not start. */
const LAST_LINES = 10;

/** @throws Error that says what to run */
export function assertBuilt() {
  if (!existsSync(ENGINE)) {
    throw new Error(
      'The demos need the inference tier, which is not built: run `npm run build` in the repository.',
    );
  }
}

/**
 * Starts the tier, runs `use`, and stops the tier whatever happens.
 * @template T
 * @param {NodeJS.ProcessEnv} env the builder's environment: where compiled models are
 * @param {(ask: Ask) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws Error where it is not built, does not start in time, or does not answer 200 in time
 */
export async function withEngine(env, use) {
  assertBuilt();
  const child = spawn(process.execPath, [ENGINE], {
    env: { ...env, ...SETTINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await addressOf(child);
    return await use((operation, images, headers) => ask(`${url}/${operation}`, images, headers));
  } finally {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await closed;
    clearTimeout(kill);
  }
}

/** @typedef {(operation: 'detect' | 'compare' | 'moderate', images: Buffer[], headers?: Record<string, string>) => Promise<any>} Ask */

/** Resolves when the tier is ready. @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    const last = /** @type {string[]} */ ([]);
    const fail = (/** @type {string} */ what) =>
      reject(new Error(`The inference tier ${what}:\n${last.join('\n')}`));
    const late = setTimeout(() => fail(`was not ready within ${READY_MS / 1000} seconds`), READY_MS);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
        if (!line.includes('inference ready')) return;
        clearTimeout(late);
        resolve(JSON.parse(line).url);
      });
    }
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      fail(`ended with ${code} before it was ready`);
    });
  });
}

/** @param {string} url @param {Buffer[]} images @param {Record<string, string>} [headers] */
async function ask(url, images, headers) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      ...(images.length > 1 && { 'x-part-lengths': images.map(({ length }) => length).join() }),
      ...headers,
    },
    body: Buffer.concat(images),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
