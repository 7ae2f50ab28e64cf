/** Starts the inference tier: device, workers, scheduler, HTTP; drains on SIGTERM and SIGINT. */
import { createServer, type Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { hostNames, serverTimeouts } from '@presenza/contract/internal-port.cjs';
import pino, { type Logger } from 'pino';
import { chooseBackend } from './backends/choose';
import { choosePrecision } from './backends/precision';
import { type Config, readConfig } from './config';
import { createApp } from './http/app';
import { BytesInFlight } from './http/bytes-in-flight';
import { messageClasses } from './http/message-classes';
import { createMetrics, type Metrics } from './http/metrics';
import { type Done, WorkerPool } from './pool/pool';
import { Scheduler } from './scheduling/scheduler';
import { findServingModels } from './serving/serving-models';
import { servingPolicy } from './serving/serving-policy';

const megabyte = 1024 * 1024;
const cores = availableParallelism();

/** A tier that accepts requests. */
interface RunningTier {
  /** Address, backend and models, for the log. */
  readonly about: object;
  /** Rejects new requests, lets those in flight finish, and closes everything. */
  drain(): Promise<void>;
}

async function main(): Promise<void> {
  // Listen first, because the kernel withholds signals from process 1 of a container until it has a handler.
  const signalled = firstSignal();
  // All workers decode on libuv's threads, and the default of four would limit large machines. libuv reads this at the
  // first use of such a thread. (MALLOC_ARENA_MAX=2, which keeps many threads from fragmenting memory, is read before any
  // of our code runs, so the process must be started with it.)
  process.env.UV_THREADPOOL_SIZE ??= String(Math.min(1024, Math.max(4, cores)));
  // Set before the first session. Otherwise ONNX Runtime sends telemetry to its vendor and writes an identifier of the
  // machine into the home folder.
  process.env.ORT_DISABLE_TELEMETRY ??= '1';
  const config = readConfig(process.env);
  const logger = pino({ level: config.LOG_LEVEL, base: null });
  const tier = await Promise.race([start(config, logger), signalled]);
  if (typeof tier === 'string') {
    logger.info({ signal: tier }, 'stopped before it was ready');
    // A thread may be inside ONNX Runtime, which aborts noisily at an exit. Process 1 of a container ignores SIGKILL.
    process.kill(process.pid, 'SIGKILL');
    process.exit(0);
  }
  logger.info(tier.about, 'inference ready');
  logger.info({ signal: await signalled }, 'draining');
  await tier.drain();
  logger.info('stopped');
}

/** Handles both signals for good, so that a second one has no effect while the tier drains. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

async function start(config: Config, logger: Logger): Promise<RunningTier> {
  const begin = performance.now();
  const metrics = createMetrics();
  // Start tracing before the workers, because a failure after their start would leave them running.
  const tracing = await startTracing(config, logger);
  const { pool, scheduler, manifestData } = await startServing(config, { metrics, logger });
  const bytesInFlight = new BytesInFlight(config.INFERENCE_MAX_BODY_MB * megabyte);
  metrics.watch({ pool, scheduler, bytesInFlight });
  let accepting = true;
  const app = createApp({
    pool,
    scheduler,
    manifestData,
    bytesInFlight,
    metrics,
    logger,
    hostNames: hostNames(config.INFERENCE_HOST_NAMES),
    accepting: () => accepting,
    traced: tracing?.request,
  });
  const server = createServer({ ...serverTimeouts, ...messageClasses(app) }, app);
  server.maxRequestsPerSocket = requestsPerConnection;
  await listen(server, config).catch(async (error: Error) => {
    await pool.close();
    throw error;
  });
  const { backend, device, precision, embedding, workers } = pool;
  const startMs = Math.round(performance.now() - begin);
  const url = `http://${config.INFERENCE_HOST}:${port(server)}`;
  return {
    about: { url, backend, device, precision, embedding, workers, startMs },
    async drain() {
      accepting = false;
      await closeServer(server);
      await scheduler.drain();
      await pool.close();
      await tracing?.shutdown();
    },
  };
}

/** Undefined without a collector: the tier then does not load the OpenTelemetry SDK. */
async function startTracing(config: Config, logger: Logger) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config;
  if (endpoint === undefined) return undefined;
  const tracing = await import('./tracing.js');
  const warn = ({ message }: Error) => logger.warn({ message }, 'traces could not be sent');
  return tracing.startTracing({ endpoint, serviceName, warn });
}

interface Observers {
  readonly metrics: Metrics;
  readonly logger: Logger;
}

async function startServing(config: Config, { metrics, logger }: Observers) {
  const choice = await chooseDevice(config);
  const precision = choosePrecision(config.INFERENCE_PRECISION, choice);
  const hasNearPath = choice.device === 'cuda' || choice.device === 'webgpu';
  const serving = await findServingModels(config.MODELS_CACHE, {
    precision,
    folder: config.MODELS_FOLDER,
    chosen: config.INFERENCE_MODELS,
    backend: config.INFERENCE_BACKEND,
    nearPath: hasNearPath,
  });
  for (const { device, reason, unproven } of choice.passedOver)
    logger[unproven ? 'warn' : 'info']({ device, reason }, 'device passed over');
  if (choice.unproven !== undefined)
    logger.warn({ device: choice.device, reason: choice.unproven }, 'the device was not proven to work');
  for (const sentence of serving.missing) logger.warn(sentence);
  if (hasNearPath && !serving.models.nearPath) logger.info('the graph of the near path is not compiled');
  for (const origin of serving.origins) logger.info(origin, 'model in use');
  const policy = servingPolicy(config, choice.device, cores);
  logger.info({ device: choice.device, workers: policy.workers }, 'starting workers');
  const pool = await WorkerPool.start({
    serving,
    backend: { name: choice.name, device: choice.device },
    deviceIds: config.INFERENCE_DEVICE_IDS,
    ...policy,
    budget: {
      maxTasks: config.INFERENCE_WORKER_MAX_TASKS,
      maxRssBytes: config.INFERENCE_MAX_RSS_MB * megabyte,
      rssBytes: process.memoryUsage.rss,
    },
    observer: {
      ...metrics.poolObserver,
      recycleFailed(error) {
        metrics.poolObserver.recycleFailed?.(error);
        logger.error({ err: error }, 'a worker could not be replaced; the old one stays');
      },
    },
  });
  const scheduler = new Scheduler<Done>({
    dispatcher: pool,
    maxQueue: config.INFERENCE_MAX_QUEUE,
    observer: metrics.schedulerObserver,
  });
  return { pool, scheduler, manifestData: serving.manifestData };
}

function chooseDevice(config: Config) {
  return chooseBackend({
    backend: config.INFERENCE_BACKEND,
    device: config.INFERENCE_DEVICE,
    deviceIds: config.INFERENCE_DEVICE_IDS,
    threadsOn(device) {
      const { sharedDevices, workers } = servingPolicy(config, device, cores);
      return sharedDevices ? config.INFERENCE_DEVICE_IDS.length : workers;
    },
  });
}

/**
 * Requests after which the tier closes a connection and the gateway opens a new one. A Kubernetes Service spreads
 * connections over pods, so a pod that is added under load gets one only when others close. At 20 ms a request, a busy
 * connection lives 10 s; opening one takes less than a thousandth of that.
 */
const requestsPerConnection = 500;

/** Longest wait for requests in flight, shorter than an orchestrator's grace period. */
const drainMs = 10_000;

/** Lets requests in flight finish. Node closes connections that are idle now; this closes those that become idle. */
async function closeServer(server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(deadline);
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
