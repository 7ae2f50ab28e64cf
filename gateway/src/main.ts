/** Starts the gateway: configuration, connections, HTTP servers; drains on SIGTERM and SIGINT. */
import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { createAdminApp, largestAdminBody } from './admin/app';
import { registry } from './admin/registry';
import { adminServices } from './admin/services';
import { within } from './async/within';
import { describe, explain } from './errors';
import { createApp } from './http/app';
import { createOperationsApp } from './http/operations-app';
import { closeServer, createApiServer, warnOfUntrustedProxy } from './http/server';
import { lingerMs } from './middleware/deadline';
import { createLogger } from './observability/log';
import { createMetrics } from './observability/metrics';
import { Readiness, type Tier } from './observability/readiness';
import { createWebhookMetrics } from './observability/webhook-metrics';
import { batchDeadlines } from './routes/batch';
import { CategoryCache } from './services/categories/category-cache';
import { AdaptiveLimit } from './services/inference/adaptive-limit';
import { HttpInferenceClient } from './services/inference/inference-client';
import { Authenticator } from './services/keys/authenticator';
import { FailedAttempts } from './services/keys/failed-attempts';
import { KeyCache } from './services/keys/key-cache';
import { KeyService } from './services/keys/keys';
import { Admission } from './services/limits/admission';
import { LocalLimiter } from './services/limits/local-limiter';
import { claimFolder } from './services/metering/folder-claim';
import { Journal } from './services/metering/journal';
import { Metering } from './services/metering/metering';
import { StoreBreaker } from './services/metering/store-breaker';
import { AddressGuard } from './services/webhooks/address-guard';
import { type Config, readConfig, trustedProxies, webhookAddresses } from './start/config';
import { eventDetailsOn, livenessOn } from './start/liveness';
import { startUpkeep } from './start/upkeep';
import { startWebhooks } from './start/webhooks';
import { measureCommands } from './stores/measure-commands';
import { connectRedis, isAnswering } from './stores/redis';
import { RedisAttemptStore } from './stores/redis-attempt-store';
import { RedisCategoryStore } from './stores/redis-category-store';
import { RedisChangeFeed } from './stores/redis-change-feed';
import { RedisKeyStore } from './stores/redis-key-store';
import { RedisMeter } from './stores/redis-meter';
import { RedisUsage } from './stores/redis-usage';

/** Whoever stops a gateway should not have to wait for ever. */
const longestDrainMs = 120_000;
/** For what was cut off at the end of the drain to be given back or journalled. */
const settleMs = 5_000;

/** Operators are few. */
const maxAdminRequests = 32;

/** A gateway that listens. */
interface RunningGateway {
  /** Takes no new requests, lets those in flight finish, and closes every connection. */
  drain(): Promise<void>;
}

async function main(): Promise<void> {
  // Before anything else: the kernel keeps signals from process 1 of a container until it has a handler for them.
  const signalled = firstSignal();
  const config = readConfig(process.env);
  const logger = createLogger(config.LOG_LEVEL);
  const gateway = await Promise.race([start(config, logger), signalled]);
  if (typeof gateway === 'string') {
    logger.info({ signal: gateway }, 'stopped before it was ready');
    process.exit(0);
  }
  logger.info({ url: `http://${config.GATEWAY_HOST}:${config.GATEWAY_PORT}` }, 'gateway ready');
  logger.info({ signal: await signalled }, 'draining');
  await gateway.drain();
  logger.info('stopped');
}

/** Takes over both signals for good: while it drains, a second one changes nothing. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

/** @throws Error, a sentence for the operator, when a part cannot start */
async function start(config: Config, logger: Logger): Promise<RunningGateway> {
  const releaseJournal = claimJournal(config.GATEWAY_JOURNAL);
  const redisWarning = ({ message }: Error) => logger.warn({ message }, 'redis connection');
  const redis = await connectRedis({ url: config.REDIS_URL, cluster: config.REDIS_CLUSTER }, redisWarning);
  const feed = RedisChangeFeed.open(redis, redisWarning);
  const metrics = createMetrics();
  const meter = new RedisMeter(redis);
  const journal = new Journal(config.GATEWAY_JOURNAL);
  const metering = new Metering({
    store: meter,
    breaker: new StoreBreaker({
      now: performance.now.bind(performance),
      onAway: (error) => logger.warn({ err: describe(error) }, 'the store is away'),
      onBack: () => logger.info('the store is back'),
    }),
    journal,
    local: new LocalLimiter(config.GATEWAY_REPLICAS),
    now: Date.now,
    onRejected: (error) => logger.error({ err: describe(error) }, 'journalled commit rejected'),
  });
  measureCommands(redis, metrics.dependency);
  const inference = new HttpInferenceClient(config.INFERENCE_URL, metrics.dependency, (problem) =>
    logger.error(problem),
  );
  const admission = new Admission({
    maxRequests: config.GATEWAY_MAX_REQUESTS,
    maxBodyBytes: config.GATEWAY_MAX_BODY_BYTES_IN_FLIGHT,
  });
  metrics.watchAdmission(admission);
  const adaptiveLimit = new AdaptiveLimit();
  metrics.watchAdaptiveLimit(adaptiveLimit);
  metrics.watchJournal(journal);
  const tracing = await startTracing(config, logger);
  let draining = false;
  const readiness = new Readiness({
    store: () => isAnswering(redis),
    inference: () => inference.ready(),
  });
  metrics.watchTiers(() => readiness.away());
  const drainingOr = (missing: readonly Tier[]) => [...(draining ? ['draining'] : []), ...missing];
  // A balancer must not take every gateway away for a tier that they share: a client would hear nothing of when to come
  // again, and what needs no such tier would be gone as well.
  const readyz = {
    unready: async () => drainingOr(await readiness.awaited()),
    degraded: () => readiness.away(),
  };
  // Without the store, accounts with overage are still served.
  const unready = async () => drainingOr((await readiness.away()).filter((tier) => tier !== 'store'));
  const keys = new KeyService(new RedisKeyStore(redis), config.KEY_SECRET);
  const webhooks = await startWebhooks({
    redis,
    address: { url: config.REDIS_URL, cluster: config.REDIS_CLUSTER },
    accounts: new RedisKeyStore(redis),
    sessions: eventDetailsOn(redis, config),
    guard: new AddressGuard(webhookAddresses(config)),
    secret: config.KEY_SECRET,
    disableAfterMs: config.WEBHOOK_DISABLE_AFTER_SECONDS * 1_000,
    takeoverMs: config.WEBHOOK_TAKEOVER_SECONDS * 1_000,
    logger,
    metrics: createWebhookMetrics(metrics.registry),
  });
  const { liveness, sweeper } = livenessOn(redis, config, {
    inference,
    accounts: keys,
    webhooks,
    observer: metrics.liveness,
  });
  const upkeep = startUpkeep({ metering, meter, sessions: sweeper, logger });
  const app = createApp({
    keys: new Authenticator(
      new KeyCache({ identify: (hash) => keys.identify(hash), feed }),
      new FailedAttempts(new RedisAttemptStore(redis), config.KEY_SECRET),
      config.KEY_SECRET,
    ),
    admission,
    adaptiveLimit,
    inference,
    categories: new CategoryCache({ store: new RedisCategoryStore(redis), feed }),
    metering,
    usage: new RedisUsage(redis),
    accounts: keys,
    liveness,
    logger,
    metrics,
    tracer: tracing,
    unready,
    draining: () => draining,
    checkAnswers: config.NODE_ENV !== 'production',
    deadlineMs: config.GATEWAY_DEADLINE_MS,
    now: Date.now,
    trustProxy: trustedProxies(config.GATEWAY_TRUST_PROXY),
  });
  const server = createApiServer(app, logger, metrics, {
    maxConnections: config.GATEWAY_MAX_CONNECTIONS,
  });
  if (config.GATEWAY_TRUST_PROXY === '') warnOfUntrustedProxy(server, logger);
  const operations = createServer(createOperationsApp({ metrics, ...readyz }));
  const adminApp = createAdminApp(registry, {
    admin: adminServices(redis, inference, config.KEY_SECRET, webhookAddresses(config)),
    token: config.ADMIN_TOKEN,
    admission: new Admission({ maxRequests: maxAdminRequests, maxBodyBytes: 2 * largestAdminBody }),
    logger,
    metrics,
    draining: () => draining,
  });
  const admin = createApiServer(adminApp, logger, metrics);
  const settled = async () => {
    await admission.empty();
    await upkeep.stop();
  };
  const close = async () => {
    const ms = config.GATEWAY_DRAIN_MS ?? longestRequestMs(config);
    const delivering = webhooks.stopDelivering();
    await Promise.all([server, operations, admin].map((one) => closeServer(one, ms)));
    await within(settleMs, settled());
    await delivering;
    await webhooks.stop();
    journal.close();
    releaseJournal();
    inference.close();
    feed.close();
    redis.disconnect();
    await tracing?.shutdown();
  };
  try {
    await listen(server, config.GATEWAY_PORT, config.GATEWAY_HOST, 'GATEWAY_PORT');
    await listen(
      operations,
      config.GATEWAY_METRICS_PORT,
      config.GATEWAY_METRICS_HOST,
      'GATEWAY_METRICS_PORT',
    );
    if (config.ADMIN_TOKEN !== '')
      await listen(admin, config.GATEWAY_ADMIN_PORT, config.GATEWAY_ADMIN_HOST, 'GATEWAY_ADMIN_PORT');
  } catch (error) {
    await close();
    throw error;
  }

  return {
    drain() {
      draining = true;
      return close();
    },
  };
}

/** @throws Error that names the variable */
function claimJournal(folder: string): () => void {
  try {
    return claimFolder(folder);
  } catch (error) {
    throw new Error(`GATEWAY_JOURNAL: ${(error as Error).message}`, { cause: error });
  }
}

const longestRequestMs = ({ GATEWAY_DEADLINE_MS }: Config) =>
  Math.min(GATEWAY_DEADLINE_MS * batchDeadlines + lingerMs, longestDrainMs);

/** Undefined without a collector: then the SDK of OpenTelemetry is not even loaded. */
async function startTracing(config: Config, logger: Logger) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config;
  if (endpoint === undefined) return undefined;
  const tracing = await import('./observability/tracing.js');
  const warn = ({ message }: Error) => logger.warn({ message }, 'traces could not be sent');
  return tracing.startTracing({ endpoint, serviceName, warn });
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

main().catch((error: Error) => {
  console.error(explain(error));
  // Connections that are open by then would keep a process alive that serves nobody.
  process.exit(1);
});
