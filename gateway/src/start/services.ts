import type { Logger } from 'pino';
import type { AdminServices } from '../admin/operation';
import { adminServices } from '../admin/services';
import { type Config, errorLinks, trustedProxies, webhookAddresses } from '../config';
import { describe } from '../errors/explain';
import type { Services as ApiServices } from '../http/app';
import type { Metrics } from '../observability/metrics';
import { warnOnce } from '../observability/warn-once';
import { createWebhookMetrics } from '../observability/webhook-metrics';
import { CategoryCache } from '../services/categories/category-cache';
import { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { HttpInferenceClient } from '../services/inference/inference-client';
import { Authenticator } from '../services/keys/authenticator';
import { FailedAttempts } from '../services/keys/failed-attempts';
import { KeyCache } from '../services/keys/key-cache';
import { KeyUses } from '../services/keys/key-uses';
import { Admission } from '../services/limits/admission';
import { LocalLimiter } from '../services/limits/local-limiter';
import { Metering } from '../services/metering/metering';
import { StoreBreaker } from '../services/metering/store-breaker';
import { RequestLog } from '../services/requests/request-log';
import { AddressGuard } from '../services/webhooks/address-guard';
import { EventHistory } from '../services/webhooks/event-history';
import { RedisEventStore } from '../stores/liveness/redis-event-store';
import type { RedisClient } from '../stores/redis';
import { RedisAttemptStore } from '../stores/redis-attempt-store';
import { RedisCategoryStore } from '../stores/redis-category-store';
import { RedisFiles } from '../stores/redis-files';
import { RedisKeyStore } from '../stores/redis-key-store';
import { RedisRequestLog } from '../stores/redis-request-log';
import { type Job, startBackgroundJobs } from './background-jobs';
import { createBilling } from './billing';
import { createConsole } from './console';
import { connectInference } from './inference';
import { createEventDetails, createLiveness } from './liveness';
import type { Stores } from './stores';
import { startWebhooks } from './webhooks';

const rewriteFilesEveryMs = 60_000;

/** The services behind the servers, and how to stop them. */
export interface Services {
  /** The services of the API, apart from the state of the process. */
  readonly api: Omit<ApiServices, 'unready' | 'health' | 'incidents' | 'draining' | 'tracer'>;
  readonly inference: HttpInferenceClient;
  readonly admin: AdminServices;
  /** Starts no more webhook attempts. Resolves once those in progress have ended. */
  stopDelivering(): Promise<void>;
  /** Resolves once everything that requests hold is billed, refunded or journaled. */
  settle(): Promise<void>;
  stopWebhooks(): Promise<void>;
}

/** @throws Error if the queue of webhooks cannot reach Redis */
export async function startServices(
  config: Config,
  stores: Stores,
  logger: Logger,
  metrics: Metrics,
): Promise<Services> {
  const { redis, feed, meter } = stores;
  const sessionKeys = stores.sessionKeys?.keys;
  const metering = createMetering(config, stores, logger);
  const inference = connectInference(config.INFERENCE_URL, metrics.dependency, logger);
  const { admission, adaptiveLimit } = createLimits(config, metrics);
  const sessions = createEventDetails(redis, config, sessionKeys);
  const rules = webhookAddresses(config);
  const admin = adminServices(redis, inference, config.KEY_SECRET, rules, sessionKeys);
  const { keys } = admin;
  const webhooks = await startWebhooks({
    redis,
    address: { url: config.REDIS_URL, cluster: config.REDIS_CLUSTER },
    accounts: new RedisKeyStore(redis),
    sessions,
    guard: new AddressGuard(rules),
    secret: config.KEY_SECRET,
    disableAfterMs: config.WEBHOOK_DISABLE_AFTER_SECONDS * 1_000,
    takeoverMs: config.WEBHOOK_TAKEOVER_SECONDS * 1_000,
    logger,
    metrics: createWebhookMetrics(metrics.registry),
  });
  const parts = { inference, accounts: keys, webhooks, observer: metrics.liveness, sessionKeys, logger };
  const { liveness, sweeper } = createLiveness(redis, config, parts);
  const consoleOrNone =
    config.CONSOLE === 'on'
      ? createConsole(redis, config, {
          admin,
          logger,
          sessionKeys,
          queue: webhooks.queue,
          onMail: metrics.mail,
        })
      : undefined;
  const { jobs } = consoleOrNone ?? createBilling(redis, config, { admin });
  const others = [...jobs, rewriteFiles(new RedisFiles(redis), logger)];
  const requestLog = createRequestLog(config, redis, logger, metrics);
  const background = startBackgroundJobs({ metering, meter, sessions: sweeper, sessionKeys, others, logger });
  return {
    api: {
      keys: new KeyUses(
        new Authenticator(
          new KeyCache({ identify: (hash) => keys.identify(hash), feed }),
          new FailedAttempts(new RedisAttemptStore(redis), config.KEY_SECRET),
          config.KEY_SECRET,
        ),
        new RedisKeyStore(redis),
      ),
      admission,
      adaptiveLimit,
      inference,
      metering,
      liveness,
      logger,
      metrics,
      categories: new CategoryCache({ store: new RedisCategoryStore(redis), feed }),
      events: new EventHistory(new RedisEventStore(redis), sessions),
      management: admin,
      usage: admin.usage,
      accounts: keys,
      checkResponses: config.NODE_ENV !== 'production',
      deadlineMs: config.GATEWAY_DEADLINE_MS,
      now: Date.now,
      errorLinks: errorLinks(config),
      trustProxy: trustedProxies(config.GATEWAY_TRUST_PROXY),
      ...(consoleOrNone && { console: consoleOrNone.console }),
      ...(requestLog && { requestLog }),
    },
    inference,
    admin,
    stopDelivering: () => webhooks.stopDelivering(),
    async settle() {
      await admission.empty();
      // Jobs send mails, too.
      const lastMails = background.stop().then(() => consoleOrNone?.close());
      await Promise.all([lastMails, requestLog?.close()]);
    },
    stopWebhooks: () => webhooks.stop(),
  };
}

/** A managed Redis may refuse to rewrite its file, so a refusal is logged once. */
function rewriteFiles(files: RedisFiles, logger: Logger): Job {
  const warning = warnOnce(logger, 'Redis did not rewrite its append-only file, which keeps erased values');
  return {
    name: 'rewrite of the append-only file',
    everyMs: rewriteFilesEveryMs,
    async run(everyMs) {
      const rewrites = await files.sweep(everyMs).catch(warning.failed);
      if (rewrites) warning.recovered();
    },
  };
}

function createMetering(
  { GATEWAY_REPLICAS }: Pick<Config, 'GATEWAY_REPLICAS'>,
  { meter, journal }: Stores,
  logger: Logger,
): Metering {
  return new Metering({
    store: meter,
    breaker: new StoreBreaker({
      now: performance.now.bind(performance),
      onUnavailable: (error) => logger.warn({ err: describe(error) }, 'the store is unavailable'),
      onRecovered: () => logger.info('the store is available again'),
    }),
    journal,
    local: new LocalLimiter(GATEWAY_REPLICAS),
    now: Date.now,
    onRejected: (error) => logger.error({ err: describe(error) }, 'delayed settlement rejected'),
  });
}

function createLimits(
  config: Pick<Config, 'GATEWAY_MAX_REQUESTS' | 'GATEWAY_MAX_BODY_BYTES_IN_FLIGHT'>,
  metrics: Metrics,
) {
  const admission = new Admission({
    maxRequests: config.GATEWAY_MAX_REQUESTS,
    maxBodyBytes: config.GATEWAY_MAX_BODY_BYTES_IN_FLIGHT,
  });
  const adaptiveLimit = new AdaptiveLimit();
  metrics.watchAdmission(admission);
  metrics.watchAdaptiveLimit(adaptiveLimit);
  return { admission, adaptiveLimit };
}

/** Undefined if accounts have no log of their requests. */
function createRequestLog(
  { REQUEST_LOG_ENTRIES: most }: Pick<Config, 'REQUEST_LOG_ENTRIES'>,
  redis: RedisClient,
  logger: Logger,
  metrics: Metrics,
): RequestLog | undefined {
  if (most === 0) return undefined;
  const warning = warnOnce(logger, 'requests are missing in the logs of accounts');
  return new RequestLog({
    store: new RedisRequestLog(redis, most),
    onDropped(reason, count, error) {
      metrics.requestLogDropped(reason, count);
      if (error) warning.failed(error);
    },
    onWritten: warning.recovered,
  });
}
