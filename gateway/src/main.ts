/** Starts the gateway: configuration, connections, two HTTP servers; drains on SIGTERM and SIGINT. */
import { createServer, type Server } from 'node:http';
import pino from 'pino';
import { createApp } from './app';
import { readConfig } from './config';
import { createMetrics } from './metrics';
import { createOperationsApp } from './operations-app';
import { HttpInferenceClient } from './services/inference-client';
import { KeyService } from './services/keys';
import { connectRedis } from './stores/redis';
import { RedisKeyStore } from './stores/redis-key-store';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.LOG_LEVEL, base: null });
  const redis = await connectRedis(config.REDIS_URL, (error) => {
    logger.warn({ message: error.message }, 'redis connection');
  });
  const inference = new HttpInferenceClient(config.INFERENCE_URL);
  const metrics = createMetrics();
  let draining = false;
  const unready = async () => [
    ...(draining ? ['draining'] : []),
    ...(redis.status === 'ready' ? [] : ['redis']),
    ...((await inference.ready()) ? [] : ['inference']),
  ];
  const keys = new KeyService(new RedisKeyStore(redis), config.KEY_SECRET);
  const app = createApp({ keys, inference, logger, metrics, now: Date.now });
  // Slow senders are cut off; a 5 MB image on a poor line still arrives in time.
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    app,
  );
  const operations = createServer(createOperationsApp({ metrics, unready }));
  const close = async () => {
    await Promise.all([closeServer(server), closeServer(operations)]);
    inference.close();
    redis.disconnect();
  };
  try {
    await listen(server, config.GATEWAY_PORT, config.GATEWAY_HOST, 'GATEWAY_PORT');
    await listen(operations, config.GATEWAY_METRICS_PORT, config.GATEWAY_HOST, 'GATEWAY_METRICS_PORT');
  } catch (error) {
    await close();
    throw error;
  }
  logger.info({ url: `http://${config.GATEWAY_HOST}:${config.GATEWAY_PORT}` }, 'gateway ready');

  const drain = async (signal: string) => {
    if (draining) return;
    draining = true;
    logger.info({ signal }, 'draining');
    await close();
    logger.info('stopped');
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
}

function listen(server: Server, port: number, host: string, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = error.code === 'EADDRINUSE';
      reject(busy ? new Error(`Port ${port} (${variable}) is already in use`) : error);
    });
    server.listen(port, host, resolve);
  });
}

/** Requests in flight end first; idle keep-alive connections close at once. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
