/** The services of a gateway on a real Redis and inference tier, as `main.ts` puts them together. */
import limits from '@presenza/contract/limits.json';
import pino from 'pino';
import { temporaryFolder } from '../harness/index.mjs';
import { adminServices } from '../src/admin/services';
import type { Services } from '../src/http/app';
import { createMetrics } from '../src/observability/metrics';
import { HealthHistory } from '../src/services/health/health-history';
import { PublicIncidents } from '../src/services/incidents/public-incidents';
import { AdaptiveLimit } from '../src/services/inference/adaptive-limit';
import type { HttpInferenceClient, InferenceClient } from '../src/services/inference/inference-client';
import { KeyService } from '../src/services/keys/keys';
import { Admission } from '../src/services/limits/admission';
import { LocalLimiter } from '../src/services/limits/local-limiter';
import { Journal } from '../src/services/metering/journal';
import { Metering } from '../src/services/metering/metering';
import { StoreBreaker } from '../src/services/metering/store-breaker';
import { EventHistory } from '../src/services/webhooks/event-history';
import {
  createEventDetails,
  createLiveness,
  type LivenessConfig,
  type LivenessParts,
} from '../src/start/liveness';
import { RedisEventStore } from '../src/stores/liveness/redis-event-store';
import type { RedisClient } from '../src/stores/redis';
import { RedisCategoryStore } from '../src/stores/redis-category-store';
import { RedisHealthStore } from '../src/stores/redis-health-store';
import { RedisIncidentStore } from '../src/stores/redis-incident-store';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { RedisMeter } from '../src/stores/redis-meter';
import { RedisUsage } from '../src/stores/redis-usage';

export { keepOpen } from '../harness/keep-open.mjs';

export const keySecret = '5a'.repeat(32);

/** The defaults of `readConfig`. */
const livenessConfig: LivenessConfig = {
  KEY_SECRET: keySecret,
  VERIFY_URL: 'http://127.0.0.1:8000/verify',
  GATEWAY_CORS_ORIGINS: '',
  LIVENESS_SESSION_SECONDS: limits.liveness.sessionLifetimeSeconds,
  LIVENESS_ATTEMPTS: limits.liveness.attemptsPerSession,
  LIVENESS_ATTEMPT_SECONDS: limits.liveness.attempt.timeoutSeconds,
  LIVENESS_FAILURES: limits.liveness.failedAttempts.limit,
  LIVENESS_FAILURE_SECONDS: limits.liveness.failedAttempts.windowSeconds,
  LIVENESS_LOCKOUT_SECONDS: limits.liveness.failedAttempts.defaultLockoutSeconds,
  GATEWAY_DEADLINE_MS: 15_000,
};

/** Liveness without receivers of webhooks. */
export function realLiveness(
  redis: RedisClient,
  inference: InferenceClient,
  { config, ...parts }: Partial<LivenessParts> & { config?: Partial<LivenessConfig> } = {},
) {
  return createLiveness(
    redis,
    { ...livenessConfig, ...config },
    {
      inference,
      accounts: new KeyService(new RedisKeyStore(redis), keySecret),
      webhooks: { events: { notify: () => {} }, sync: { decide: async () => ({ decision: 'continue' }) } },
      observer: createMetrics().liveness,
      logger: pino({ level: 'silent' }),
      ...parts,
    },
  );
}

/** Everything but a log, which the default drops. */
export function realServices(redis: RedisClient, inference: InferenceClient) {
  const store = new RedisMeter(redis);
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  return {
    keys,
    accounts: keys,
    liveness: realLiveness(redis, inference).liveness,
    events: new EventHistory(new RedisEventStore(redis), createEventDetails(redis, livenessConfig)),
    // No operation of the public API uses the tier through them.
    management: adminServices(redis, inference as HttpInferenceClient, keySecret),
    inference,
    categories: new RedisCategoryStore(redis),
    metering: new Metering({
      store,
      journal: new Journal(temporaryFolder()),
      local: new LocalLimiter(1),
      breaker: new StoreBreaker({
        now: performance.now.bind(performance),
        onUnavailable: () => {},
        onRecovered: () => {},
      }),
      now: Date.now,
      onRejected: () => {},
    }),
    usage: new RedisUsage(redis),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    admission: new Admission({ maxRequests: 512, maxBodyBytes: 2 ** 28 }),
    adaptiveLimit: new AdaptiveLimit(),
    unready: async () => [],
    health: new HealthHistory({
      store: new RedisHealthStore(redis),
      unavailable: async () => [],
      isInService: async () => true,
      now: Date.now,
    }),
    incidents: new PublicIncidents(new RedisIncidentStore(redis), Date.now),
    draining: () => false,
    checkResponses: true,
    // Much longer than in production, because a busy machine runs the tests.
    deadlineMs: 150_000,
    now: Date.now,
  } satisfies Services;
}
