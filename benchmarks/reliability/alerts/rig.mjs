/** The service, the Redis servers beside it, their exporter and a Prometheus that scrapes all of them. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  listen,
  Part,
  startProcess,
  startRedis,
  startRedisCluster,
  startService,
  temporaryFolder,
  unlimited,
} from '../../../gateway/harness/index.mjs';
import { smallImages } from '../../../gateway/harness/small-images.mjs';
import { findRedisExporter, startPrometheus } from './prometheus.mjs';
import { send, steadily } from './traffic.mjs';

/** @typedef {Awaited<ReturnType<typeof startRig>>} Rig */

const PER_SECOND = 4;
const dyingWorker = fileURLToPath(new URL('../dying-worker.cjs', import.meta.url));
const missingSuccessor = fileURLToPath(new URL('missing-successor.cjs', import.meta.url));
const HOST = '127.0.0.1';
const addressOf = (url) => new URL(url).host;

/** @param {number} factor that divides all durations of the rules */
export async function startRig(factor) {
  /** @type {(() => unknown)[]} */
  const closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const open = async (opening) => {
    const opened = await opening;
    closers.push(() => (opened.stop ?? opened.close).call(opened));
    return opened;
  };
  try {
    const folder = temporaryFolder();
    const keysPort = await freePort();
    const keysFolder = temporaryFolder();
    const sessionKeys = new Part('session keys', () =>
      startRedis({ folder: keysFolder, port: keysPort, durable: true }),
    );
    await sessionKeys.start();
    closers.push(() => sessionKeys.stop());
    const sessionKeysUrl = `redis://${HOST}:${keysPort}`;
    // It hangs up on every connection, as a mail server that is out of order.
    const mailServer = await open(listen());
    /** Variables of the next start of the inference tier. @type {Record<string, string>} */
    const inferenceEnv = {};
    const noSuccessor = join(folder, 'no-successor');
    const service = await open(
      startService({
        proxies: true,
        gatewayEnv: {
          REDIS_SESSION_KEYS_URL: sessionKeysUrl,
          SMTP_URL: `smtp://${HOST}:${mailServer.port}`,
          MAIL_FROM: 'Presenza <no-reply@example.com>',
          LIVENESS_ATTEMPT_SECONDS: '300',
        },
        envOf: (part) =>
          part.startsWith('inference')
            ? {
                NODE_OPTIONS: `--require=${dyingWorker} --require=${missingSuccessor}`,
                REHEARSAL_NO_SUCCESSOR: noSuccessor,
                ...inferenceEnv,
              }
            : {},
      }),
    );
    const primary = await open(startRedis({ durable: true }));
    // cspell:ignore replicaof
    const replica = await open(startRedis({ config: { replicaof: `${HOST} ${primary.port}` } }));
    const cluster = await open(
      startRedisCluster({
        durable: true,
        config: { 'cluster-node-timeout': '2000', 'cluster-require-full-coverage': 'no' },
      }),
    );
    const exporter = findRedisExporter();
    const exporterPort = await freePort();
    if (exporter)
      await open(
        startProcess(exporter, [`--web.listen-address=${HOST}:${exporterPort}`], {
          name: exporter,
          ready: /Providing metrics|listening/i,
        }),
      );
    const redisTarget = (job, url) => ({
      job,
      address: `${HOST}:${exporterPort}`,
      path: '/scrape',
      params: { target: [url] },
      instance: addressOf(url),
    });
    const watch = await open(
      startPrometheus(
        [
          ...service.metricsUrls.map((url) => ({ job: 'gateway', address: addressOf(url) })),
          ...service.inferenceMetricsUrls.map((url) => ({ job: 'inference', address: addressOf(url) })),
          ...(exporter
            ? [
                ...[service.redisUrl, primary.url, replica.url, cluster.nodes[1].url].map((url) =>
                  redisTarget('redis', url),
                ),
                redisTarget('redis-keys', sessionKeysUrl),
              ]
            : []),
        ],
        factor,
      ),
    );
    const images = await smallImages(3);
    const { apiKey, accountId } = await service.createAccount({ plan: 'business', overrides: unlimited });
    const bodyOf = (number) => JSON.stringify({ image: images[number % images.length] });
    /** @param {string} operation @param {number} [number] @param {string} [token] */
    const analyze = (operation, number = 0, token = apiKey) =>
      send(`${service.url}/${operation}`, { token, body: bodyOf(number) });
    closers.push(steadily(PER_SECOND, (number) => analyze(number % 2 === 0 ? 'detect' : 'moderate', number)));
    return {
      /** Stops what a fault opens when the rig stops. */
      open,
      service,
      watch,
      stop,
      analyze,
      images,
      apiKey,
      accountId,
      hasExporter: exporter !== undefined,
      sessionKeys,
      sessionKeysUrl,
      keysFolder,
      primary,
      replica,
      cluster,
      inferenceEnv,
      /** While it is set, no worker of the inference tier starts. @param {boolean} isSet */
      withoutSuccessors(isSet) {
        if (isSet) writeFileSync(noSuccessor, '');
        else if (existsSync(noSuccessor)) rmSync(noSuccessor);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A web server that knows nothing of inference, as where an address names the wrong one. */
export async function startStranger() {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Welcome</title>');
  });
  await new Promise((resolve) => server.listen(0, HOST, () => resolve(undefined)));
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
