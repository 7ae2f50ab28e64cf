/** Starts the inference tier: models, workers, HTTP; drains on SIGTERM and SIGINT. */
import { access } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import pino from 'pino';
import type { ModelSpec } from './backends/backend';
import { compiledPath } from './compiler/compiled-path';
import { readCatalogue } from './compiler/manifest';
import { type Config, readConfig } from './config';
import { createApp } from './http/app';
import { createMetrics } from './http/metrics';
import { WorkerPool } from './pool/pool';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.LOG_LEVEL, base: null });
  // Decoding runs on libuv's threads, for all workers together; the default of four would hold large pools back.
  process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, config.INFERENCE_WORKERS));

  const begin = performance.now();
  const pool = await WorkerPool.start({
    setup: { models: { detector: await findModel('ssd-mobilenet', config.MODELS_CACHE) } },
    workers: config.INFERENCE_WORKERS,
    maxQueue: config.INFERENCE_MAX_QUEUE,
  });
  let accepting = true;
  const app = createApp({ pool, metrics: createMetrics(pool), logger, accepting: () => accepting });
  const server = createServer({ keepAliveTimeout: 65_000 }, app);
  await listen(server, config).catch(async (error: Error) => {
    await pool.close();
    throw error;
  });
  logger.info(
    {
      url: `http://${config.INFERENCE_HOST}:${port(server)}`,
      device: pool.device,
      workers: pool.workers,
      startMs: Math.round(performance.now() - begin),
    },
    'inference ready',
  );

  const drain = async (signal: string) => {
    if (!accepting) return;
    accepting = false;
    logger.info({ signal }, 'draining');
    // Requests in flight end first; the idle keep-alive connections close with the server.
    await new Promise((resolve) => server.close(resolve));
    await pool.close();
    logger.info('stopped');
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
}

async function findModel(id: string, cache: string): Promise<ModelSpec> {
  const manifest = (await readCatalogue()).find((candidate) => candidate.id === id);
  if (!manifest) throw new Error(`The model ${id} is not in the catalogue`);
  const path = compiledPath(manifest, cache);
  await access(path).catch(() => {
    throw new Error(`The model ${id} is not compiled; run "npm run models -- compile"`);
  });
  return { id, path, input: manifest.input, outputs: manifest.outputs };
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${config.INFERENCE_PORT} (INFERENCE_PORT) is already in use`)
          : error,
      );
    });
    server.listen(config.INFERENCE_PORT, config.INFERENCE_HOST, resolve);
  });
}

function port(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
