/**
 * The whole service for a rehearsal: Redis, gateways and the inference tier as processes of their own, each at a place
 * to which it comes back, with a proxy that can go wrong on every way between them.
 *
 *   clients -> ways.clients[i] -> gateway i -> ways.redis[i]  -> Redis
 *                                           -> ways.inference -> inference, by way of a balancer
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway, startRedis, temporaryFolder } from '../lib/gateway.mjs';
import { freePort } from '../lib/process.mjs';
import { startService } from '../lib/service.mjs';
import { Part } from '../resilience/parts.mjs';
import { Balancer } from './balancer.mjs';
import { FaultProxy } from './proxy.mjs';

/** @typedef {Awaited<ReturnType<typeof setStage>>} Stage */

/**
 * @typedef {object} Setting
 * @property {number} deadlineMs of the gateways; operations count as lost 15 s after it
 * @property {number} [inferences] processes of the inference tier
 * @property {Record<string, string>} [inferenceEnv]
 * @property {Record<string, string>} [gatewayEnv]
 * @property {(name: string) => Record<string, string>} [envOf] more of one part: `redis`, `gateway 1`, ...
 * @property {string} [redisFolder] where Redis keeps its files
 */

const GATEWAYS = 2;

/** @param {Setting} setting */
export async function setStage({ deadlineMs, inferences = 1, ...more }) {
  const { inferenceEnv = {}, gatewayEnv = {}, envOf = () => ({}) } = more;
  const folder = temporaryFolder();
  const redisFolder = more.redisFolder ?? join(folder, 'redis');
  mkdirSync(redisFolder, { recursive: true });
  const redisPort = await freePort();
  const redis = new Part('redis', () =>
    startRedis({ folder: redisFolder, port: redisPort, env: envOf('redis') }),
  );

  const tier = await Promise.all(
    Array.from({ length: inferences }, (_, i) => inferencePart(`inference ${i + 1}`, inferenceEnv)),
  );
  const inferenceBalancer = new Balancer(tier.map(({ member }) => member));
  const ways = {
    redis: await Promise.all(Array.from({ length: GATEWAYS }, () => FaultProxy.listen(redisPort))),
    inference: await FaultProxy.listen(inferenceBalancer.target),
    clients: /** @type {FaultProxy[]} */ ([]),
  };
  const gateways = await Promise.all(
    ways.redis.map((way, i) =>
      gatewayPart(`gateway ${i + 1}`, {
        redisUrl: `redis://127.0.0.1:${way.port}`,
        inferenceUrl: `http://127.0.0.1:${ways.inference.port}`,
        journal: join(folder, `journal-${i + 1}`),
        env: {
          GATEWAY_DEADLINE_MS: String(deadlineMs),
          GATEWAY_REPLICAS: String(GATEWAYS),
          WEBHOOK_ALLOW_LOOPBACK: 'true',
          ...gatewayEnv,
          ...envOf(`gateway ${i + 1}`),
        },
      }),
    ),
  );
  for (const { member } of gateways) ways.clients.push(await FaultProxy.listen(member.port));
  const balancer = new Balancer(gateways.map(({ member }) => member));
  const front = await FaultProxy.listen(balancer.target);

  const parts = [redis, ...tier.map(({ part }) => part), ...gateways.map(({ part }) => part)];
  const proxies = [...ways.redis, ways.inference, ...ways.clients, front];
  const close = async () => {
    for (const one of [balancer, inferenceBalancer]) one.close();
    for (const part of [...parts].reverse()) await part.stop();
    for (const proxy of proxies) await proxy.close();
  };
  try {
    await redis.begin();
    await Promise.all(tier.map(({ part }) => part.begin()));
    await inferenceBalancer.watch();
    for (const { part } of gateways) await part.begin();
    await balancer.watch();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    deadlineMs,
    parts,
    redis,
    inference: tier.map(({ part }) => part),
    gateways: gateways.map(({ part }) => part),
    ways,
    balancer,
    inferenceBalancer,
    /** Of the gateways, each through its own proxy. */
    urls: ways.clients.map(({ port }) => `http://127.0.0.1:${port}`),
    /** Of all gateways, through the balancer. */
    frontUrl: `http://127.0.0.1:${front.port}`,
    /** Past the proxies, for those who look from outside. */
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    redisFolder,
    journals: gateways.map(({ journal }) => journal),
    metricsUrls: gateways.map(({ member }) => metricsUrlOf(member)),
    inferenceMetricsUrls: tier.map(({ member }) => metricsUrlOf(member)),
    close,
  };
}

/** Where it is ready, it tells its metrics. @param {{ readyUrl: string }} member */
const metricsUrlOf = ({ readyUrl }) => readyUrl.replace('readyz', 'metrics');

/** As the image of the tier sets it: many threads, and those that take their place, fragment memory otherwise. */
const production = { MALLOC_ARENA_MAX: '2' };

/** @param {string} name @param {Record<string, string>} env */
async function inferencePart(name, env) {
  const port = await freePort();
  const part = new Part(name, () =>
    startService({
      env: { ...production, INFERENCE_PORT: String(port), ...env },
      workers: Number(env.INFERENCE_WORKERS ?? 1),
    }),
  );
  return { part, member: { name, port, readyUrl: `http://127.0.0.1:${port}/readyz` } };
}

/** @param {string} name @param {Parameters<typeof startGateway>[0] & { journal: string }} options */
async function gatewayPart(name, options) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const part = new Part(name, () => startGateway({ ...options, port, metricsPort }));
  const member = { name, port, readyUrl: `http://127.0.0.1:${metricsPort}/readyz` };
  return { part, member, journal: options.journal };
}
