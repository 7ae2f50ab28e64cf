/** The small request that the gateway is timed with, and servers to send it to. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createAccount, startGateway, startRedis, unlimited } from '../lib/gateway.mjs';
import { startProcess } from '../lib/process.mjs';

/** A picture of 32x32 pixels, under a kilobyte: what is timed is the way of a request, not of its bytes. */
export async function smallBody() {
  const background = { r: 120, g: 90, b: 70 };
  const picture = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .jpeg({ quality: 60 })
    .toBuffer();
  return Buffer.from(JSON.stringify({ image: `data:image/jpeg;base64,${picture.toString('base64')}` }));
}

/** @param {string} apiKey */
export const headersOf = (apiKey) => ({
  Authorization: `Bearer ${apiKey}`,
  'Content-Type': 'application/json',
});

/** A program of this folder that prints where it listens. @param {string} name @param {Record<string, string>} [env] */
export async function startServer(name, env = {}) {
  const program = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  const options = { env: { NODE_ENV: 'production', ...env }, ready: '"msg":"ready"' };
  const running = await startProcess(process.execPath, [program], options);
  return { ...running, url: /** @type {string} */ (JSON.parse(running.line).url) };
}

/**
 * A gateway on a Redis of its own with a stand-in for the inference tier, and an account without limits; all of it
 * is stopped afterwards, whatever happens.
 * @template T
 * @param {{ standInMs?: number, env?: Record<string, string>, nodeOptions?: string[] }} options
 * @param {(parts: { gateway: import('../lib/gateway.mjs').Gateway, redis: Awaited<ReturnType<typeof startRedis>>, inferenceUrl: string, apiKey: string }) => Promise<T>} use
 */
export async function withGateway({ standInMs = 0, env = {}, nodeOptions = [] }, use) {
  /** @type {{ stop(): Promise<void> }[]} */
  const started = [];
  /** @template {{ stop(): Promise<void> }} S @param {Promise<S>} starting */
  const keep = async (starting) => {
    const one = await starting;
    started.unshift(one);
    return one;
  };
  try {
    const redis = await keep(startRedis());
    const standIn = await keep(startServer('stand-in', { STAND_IN_MS: String(standInMs) }));
    const { apiKey } = await createAccount(redis.url, { overrides: unlimited });
    const gateway = await keep(
      startGateway({ redisUrl: redis.url, inferenceUrl: standIn.url, env, nodeOptions }),
    );
    return await use({ gateway, redis, inferenceUrl: standIn.url, apiKey });
  } finally {
    for (const one of started) await one.stop();
  }
}
