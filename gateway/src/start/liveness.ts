/** Builds the liveness services on Redis. */
import type { Logger } from 'pino';
import { type Config, sessionOrigins } from '../config';
import { describe } from '../errors/explain';
import type { LivenessMetrics } from '../observability/liveness-metrics';
import type { InferenceClient } from '../services/inference/inference-client';
import type { KeyService } from '../services/keys/keys';
import { LocalLimiter } from '../services/limits/local-limiter';
import { AuditImages } from '../services/liveness/audit/audit-images';
import { Capture } from '../services/liveness/capture/capture';
import type { CaptureStore } from '../services/liveness/capture/capture-store';
import { Lockout } from '../services/liveness/capture/lockout';
import { accessTokens, auditImageVault, type Liveness, sealedParts } from '../services/liveness/liveness';
import { SessionCreation } from '../services/liveness/session/creation';
import { EventDetailsReader } from '../services/liveness/session/event-details';
import { LivenessSessions, type SessionServices } from '../services/liveness/session/sessions';
import { SessionSweeper } from '../services/liveness/session/sweeper';
import { TestOutcomes } from '../services/liveness/session/test-outcomes';
import { Checks } from '../services/liveness/verdict/checks';
import { fingerprinter } from '../services/liveness/verdict/fingerprints';
import { judge } from '../services/liveness/verdict/verdict';
import { TestImageClient } from '../services/test-images/test-image-client';
import { RedisAuditImages } from '../stores/liveness/redis-audit-images';
import { RedisCaptureStore } from '../stores/liveness/redis-capture-store';
import { RedisLockoutStore } from '../stores/liveness/redis-lockout-store';
import type { RedisSessionKeys } from '../stores/liveness/redis-session-keys';
import { RedisSessionStore } from '../stores/liveness/redis-session-store';
import type { RedisClient } from '../stores/redis';

export type LivenessConfig = Pick<
  Config,
  | 'KEY_SECRET'
  | 'VERIFY_URL'
  | 'GATEWAY_CORS_ORIGINS'
  | 'LIVENESS_SESSION_SECONDS'
  | 'LIVENESS_ATTEMPTS'
  | 'LIVENESS_ATTEMPT_SECONDS'
  | 'LIVENESS_FAILURES'
  | 'LIVENESS_FAILURE_SECONDS'
  | 'LIVENESS_LOCKOUT_SECONDS'
  | 'GATEWAY_DEADLINE_MS'
>;

export interface LivenessParts {
  readonly inference: InferenceClient;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly webhooks: SessionServices['webhooks'];
  readonly observer: LivenessMetrics;
  readonly logger: Pick<Logger, 'warn'>;
  /** Where the keys of sessions are stored. Default: with the sessions. */
  readonly sessionKeys?: RedisSessionKeys | undefined;
  /** See `CaptureParts`. */
  readonly guidanceTimeoutMs?: number | undefined;
  /** Default: in Redis. */
  readonly captures?: CaptureStore | undefined;
  readonly now?: () => number;
}

/** Webhooks need this reader before the liveness services exist, which in turn need webhooks. */
export const createEventDetails = (
  redis: RedisClient,
  { KEY_SECRET }: Pick<Config, 'KEY_SECRET'>,
  keys?: RedisSessionKeys,
) => new EventDetailsReader(new RedisSessionStore(redis, { keys }), sealedParts(KEY_SECRET));

export function createLiveness(
  redis: RedisClient,
  config: LivenessConfig,
  {
    now = Date.now,
    sessionKeys,
    logger,
    captures = new RedisCaptureStore(redis, now),
    ...parts
  }: LivenessParts,
): { readonly liveness: Liveness; readonly sweeper: SessionSweeper } {
  const { KEY_SECRET: secret } = config;
  const store = new RedisSessionStore(redis, { keys: sessionKeys, now });
  const shared = { ...parts, store, captures, seals: sealedParts(secret), now };
  const tokens = accessTokens(secret);
  const auditImages = new AuditImages(new RedisAuditImages(redis, sessionKeys), auditImageVault(secret), {
    auditImage: parts.observer.auditImage,
    auditImageFailed(error) {
      parts.observer.auditImage('failed');
      logger.warn({ err: describe(error) }, 'audit image');
    },
  });
  const sessions = new LivenessSessions(shared);
  const lockout = new Lockout({
    store: new RedisLockoutStore(redis),
    secret,
    now,
    failures: config.LIVENESS_FAILURES,
    windowMs: config.LIVENESS_FAILURE_SECONDS * 1_000,
    lockoutMs: config.LIVENESS_LOCKOUT_SECONDS * 1_000,
    attemptMs: config.LIVENESS_ATTEMPT_SECONDS * 1_000,
  });
  const checks = new Checks({
    ...shared,
    sessions,
    auditImages,
    lockout,
    fingerprint: fingerprinter(secret),
    judge,
    checkMs: config.GATEWAY_DEADLINE_MS,
  });
  const settings = {
    verifyUrl: config.VERIFY_URL,
    lifetimeMs: config.LIVENESS_SESSION_SECONDS * 1_000,
    maxAttempts: config.LIVENESS_ATTEMPTS,
  };
  const liveness = {
    creation: new SessionCreation({
      ...shared,
      inference: new TestImageClient(parts.inference),
      tokens,
      settings,
    }),
    capture: new Capture({ ...shared, lockout, attemptSeconds: config.LIVENESS_ATTEMPT_SECONDS }),
    sessions,
    checks,
    auditImages,
    tokens,
    lockout,
    now,
    calls: new LocalLimiter(1),
    origins: sessionOrigins(config),
    originsOfAccount: async (accountId: string) =>
      (await parts.accounts.findAccount(accountId)).origins ?? [],
  };
  const testOutcomes = new TestOutcomes({ ...shared, sessions });
  const sweeper = new SessionSweeper({
    store,
    sessions,
    rejudge: checks.rejudge.bind(checks),
    advance: testOutcomes.advance.bind(testOutcomes),
    onError: (error) => logger.warn({ err: describe(error) }, 'sweep of liveness sessions'),
  });
  return { liveness, sweeper };
}
