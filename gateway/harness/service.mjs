// Starts the whole service: Redis, inference, gateways and, on request, the site. Every part keeps its ports and data
// after a crash. With `proxies`, there is a FaultProxy on every connection between two parts:
//
//   clients -> proxies.clients[i] -> gateway i -> proxies.redis[i]  -> Redis
//                                              -> proxies.inference -> inference, through a balancer

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Balancer } from './balancer.mjs';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { admin, createAccount } from './operator.mjs';
import { Part } from './part.mjs';
import { freePorts, HOST, LOOPBACK } from './ports.mjs';
import { FaultProxy } from './proxy.mjs';
import { startRedis, startRedisCluster } from './redis.mjs';
import { startGateway, startInference, startSite } from './tiers.mjs';

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * @typedef {object} ServiceOptions
 * @property {number} [gateways] replicas
 * @property {number} [inferences] replicas
 * @property {string} [inferenceUrl] URL of a running inference tier, which the service uses instead of its own
 * @property {boolean} [cluster] a Redis Cluster instead of one server; not with proxies
 * @property {boolean} [site] also the site, which serves the page of liveness checks
 * @property {string} [siteHost] the name of this machine in the addresses of site and API for browsers, such as
 * `localhost`, which passkeys need in place of an address
 * @property {boolean} [proxies] a FaultProxy on every connection
 * @property {number} [probeTimeoutMs] after which a balancer takes out a replica that does not respond
 * @property {Omit<import('./redis.mjs').RedisOptions, 'port'>} [redis]
 * @property {import('./tiers.mjs').Env} [gatewayEnv]
 * @property {import('./tiers.mjs').Env} [inferenceEnv]
 * @property {import('./tiers.mjs').Env} [siteEnv]
 * @property {(part: string) => import('./tiers.mjs').Env} [envOf] variables of one part: `redis`, `inference 1`,
 * `gateway 2`, ...
 */

/**
 * Starts the service. If a part fails to start, the others are stopped before the error is thrown.
 * @param {ServiceOptions} [options]
 */
export async function startService(options = {}) {
  if (options.cluster && options.proxies) throw new Error('A Redis Cluster cannot run behind a proxy.');
  if (options.inferenceUrl && (options.inferences || options.proxies)) {
    throw new Error('A service that uses a running inference tier has no replicas or proxies for it.');
  }
  /** @type {Closer[]} */
  const closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await openService(options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops a part or releases a resource. @typedef {() => unknown} Closer */

/**
 * @param {ServiceOptions} options
 * @param {Closer[]} closers gets one of each part and resource as soon as it is open; the last one runs first
 */
async function openService(options, closers) {
  const { gateways: gatewayCount = 1, cluster = false } = options;
  const inferenceCount = options.inferenceUrl ? 0 : (options.inferences ?? 1);
  const { gatewayEnv = {}, inferenceEnv = {}, siteEnv = {}, envOf = () => ({}) } = options;
  const { siteHost = HOST } = options;
  const openProxy = async (/** @type {import('./proxy.mjs').Target | number} */ target) => {
    const proxy = await FaultProxy.listen(target);
    closers.push(() => proxy.close());
    return proxy;
  };
  const openBalancer = (/** @type {import('./balancer.mjs').Member[]} */ members) => {
    const balancer = new Balancer(members, options.probeTimeoutMs);
    closers.push(() => balancer.close());
    return balancer;
  };

  const folder = temporaryFolder();
  closers.push(() => removeFolder(folder));
  const redisFolder = options.redis?.folder ?? join(folder, 'redis');
  mkdirSync(redisFolder, { recursive: true });
  const [redisPort, sitePort] = /** @type {[number, number]} */ (await freePorts(2));
  const redisCluster = cluster ? await startRedisCluster({ durable: true, env: envOf('redis') }) : undefined;
  if (redisCluster) closers.push(() => redisCluster.stop());
  const redis = new Part('redis', () =>
    startRedis({
      folder: redisFolder,
      durable: true,
      ...options.redis,
      port: redisPort,
      env: envOf('redis'),
    }),
  );
  const redisUrl = redisCluster?.url ?? `redis://${HOST}:${redisPort}`;

  const inference = await replicas('inference', inferenceCount, (name, [port]) => ({
    readyPort: port,
    launch: () => startInference({ ...inferenceEnv, ...envOf(name), INFERENCE_PORT: String(port) }),
  }));
  const inferenceBalancer = openBalancer(inference.map(({ member }) => member));
  const proxies = options.proxies
    ? {
        redis: await Promise.all(Array.from({ length: gatewayCount }, () => openProxy(redisPort))),
        inference: await openProxy(inferenceBalancer.target),
        clients: /** @type {FaultProxy[]} */ ([]),
      }
    : { redis: [], inference: undefined, clients: /** @type {FaultProxy[]} */ ([]) };
  // Several replicas need the balancer, whether or not the connections may fail.
  const inferenceFront =
    proxies.inference ?? (inferenceCount > 1 ? await openProxy(inferenceBalancer.target) : undefined);
  const inferenceUrl =
    options.inferenceUrl ?? `http://${HOST}:${inferenceFront?.port ?? inference[0]?.member.port}`;

  const journalOf = (/** @type {string} */ name) => join(folder, `journal of ${name}`);
  const gateways = await replicas('gateway', gatewayCount, (name, [port, metricsPort], i) => ({
    readyPort: metricsPort,
    launch: () =>
      startGateway({
        REDIS_URL: proxies.redis[i] ? `redis://${HOST}:${proxies.redis[i].port}` : redisUrl,
        REDIS_CLUSTER: String(cluster),
        INFERENCE_URL: inferenceUrl,
        GATEWAY_REPLICAS: String(gatewayCount),
        GATEWAY_JOURNAL: journalOf(name),
        VERIFY_URL: `http://${siteHost}:${sitePort}/verify`,
        // Receivers of every account run on this machine.
        WEBHOOK_ALLOWED_ADDRESSES: LOOPBACK,
        ...gatewayEnv,
        ...envOf(name),
        GATEWAY_PORT: String(port),
        GATEWAY_METRICS_PORT: String(metricsPort),
      }),
  }));
  const balancer = openBalancer(gateways.map(({ member }) => member));
  if (options.proxies) {
    for (const { member } of gateways) proxies.clients.push(await openProxy(member.port));
  }
  const front = await openProxy(balancer.target);
  const urls = gateways.map(({ member }, i) => `http://${HOST}:${proxies.clients[i]?.port ?? member.port}`);
  const apiUrl = /** @type {string} */ (urls[0]).replace(HOST, siteHost);
  const site = options.site
    ? new Part('site', () =>
        startSite({ API_URL: apiUrl, ...siteEnv, ...envOf('site'), WEB_PORT: String(sitePort) }),
      )
    : undefined;

  const parts = [
    ...(cluster ? [] : [redis]),
    ...inference.map(({ part }) => part),
    ...gateways.map(({ part }) => part),
    ...(site ? [site] : []),
  ];
  // A part stops before the parts and the proxies that it uses.
  closers.push(...parts.map((part) => () => part.stop()));
  await Promise.all([...(cluster ? [] : [redis.start()]), ...inference.map(({ part }) => part.start())]);
  await inferenceBalancer.watch();
  await Promise.all([...gateways.map(({ part }) => part.start()), site?.start()]);
  await balancer.watch();

  return {
    /** All parts except the nodes of a cluster, in the order of their start. */
    parts,
    redis,
    redisCluster,
    inference: inference.map(({ part }) => part),
    gateways: gateways.map(({ part }) => part),
    site,
    proxies,
    balancer,
    inferenceBalancer,
    /** URLs of the gateways, each through its proxy if there is one. */
    urls,
    /** URL of the first gateway. */
    url: /** @type {string} */ (urls[0]),
    /** URL of all gateways, through a balancer. */
    frontUrl: `http://${HOST}:${front.port}`,
    siteUrl: `http://${siteHost}:${sitePort}`,
    /** URL of the first gateway, as pages of the site use it. */
    apiUrl,
    /** Bypasses the proxies, for observers. */
    redisUrl,
    /** URL of the inference tier, as the gateways use it. */
    inferenceUrl,
    /** URLs of the metrics of each gateway and inference process. */
    metricsUrls: gateways.map(({ member }) => metricsUrlOf(member)),
    inferenceMetricsUrls: inference.map(({ member }) => metricsUrlOf(member)),
    redisFolder,
    journals: gateways.map(({ part }) => journalOf(part.name)),
    /** Process ids by part, for a sampler. */
    pids: () => Object.fromEntries(parts.map((part) => [part.name, part.running.pid])),
    /** @param {...string} args of the admin CLI */
    admin: (...args) =>
      admin(args, {
        REDIS_URL: redisUrl,
        REDIS_CLUSTER: String(cluster),
        INFERENCE_URL: inferenceUrl,
        WEBHOOK_ALLOWED_ADDRESSES: LOOPBACK,
      }),
    /** @param {Parameters<typeof createAccount>[1]} [account] */
    createAccount: (account) =>
      createAccount(redisUrl, { env: { REDIS_CLUSTER: String(cluster) }, ...account }),
  };
}

/**
 * Starts a service, runs `use` on it, and stops it.
 * @template T
 * @param {ServiceOptions} options
 * @param {(service: Service) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withService(options, use) {
  const service = await startService(options);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

/**
 * @template {import('./process.mjs').RunningProcess} P
 * @param {string} tier
 * @param {number} count
 * @param {(name: string, ports: [number, number], index: number) => { readyPort: number, launch: () => Promise<P> }}
 * replica
 */
function replicas(tier, count, replica) {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const name = `${tier} ${i + 1}`;
      const ports = /** @type {[number, number]} */ (await freePorts(2));
      const { readyPort, launch } = replica(name, ports, i);
      const member = { name, port: ports[0], readyUrl: `http://${HOST}:${readyPort}/readyz` };
      return { part: new Part(name, launch), member };
    }),
  );
}

/** @param {{ readyUrl: string }} member */
const metricsUrlOf = ({ readyUrl }) => readyUrl.replace('readyz', 'metrics');
