/** Liveness on a real store, as a gateway runs it and as operators look at it. */

import { type Config, sessionOrigins } from '../config';
import type { InferenceClient } from '../services/inference/inference-client';
import type { KeyService } from '../services/keys/keys';
import {
  createLiveness,
  type Liveness,
  type LivenessServices,
  sealedParts,
} from '../services/liveness/liveness';
import { sessionReader } from '../services/liveness/session/session-reader';
import type { SessionServices } from '../services/liveness/session/sessions';
import { SessionSweeper } from '../services/liveness/session/sweeper';
import type { SessionReader } from '../services/webhooks/events';
import { RedisCaptureStore } from '../stores/liveness/redis-capture-store';
import { RedisLockOutStore } from '../stores/liveness/redis-lock-out-store';
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
  readonly inference: Pick<InferenceClient, 'detect' | 'frames'>;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly webhooks: SessionServices['webhooks'];
  readonly observer: LivenessServices['observer'];
  readonly now?: () => number;
}

/** What deliveries read of sessions; they have to be there before the sessions' service is. */
export const readerOf = (redis: RedisClient, { KEY_SECRET }: Pick<Config, 'KEY_SECRET'>): SessionReader =>
  sessionReader(new RedisSessionStore(redis), sealedParts(KEY_SECRET));

export function livenessOn(
  redis: RedisClient,
  config: LivenessConfig,
  { now = Date.now, ...parts }: LivenessParts,
): { readonly liveness: Liveness; readonly sweeper: SessionSweeper } {
  const store = new RedisSessionStore(redis, now);
  const liveness = createLiveness({
    ...parts,
    store,
    captures: new RedisCaptureStore(redis),
    checkMs: config.GATEWAY_DEADLINE_MS,
    seals: sealedParts(config.KEY_SECRET),
    secret: config.KEY_SECRET,
    settings: {
      verifyUrl: config.VERIFY_URL,
      lifetimeMs: config.LIVENESS_SESSION_SECONDS * 1_000,
      attempts: config.LIVENESS_ATTEMPTS,
    },
    lockOuts: new RedisLockOutStore(redis),
    attemptSeconds: config.LIVENESS_ATTEMPT_SECONDS,
    lockOutAfter: {
      failures: config.LIVENESS_FAILURES,
      windowMs: config.LIVENESS_FAILURE_SECONDS * 1_000,
      lockoutMs: config.LIVENESS_LOCKOUT_SECONDS * 1_000,
    },
    origins: sessionOrigins(config),
    now,
  });
  const { sessions, checks } = liveness;
  const rejudge = checks.rejudge.bind(checks);
  return { liveness, sweeper: new SessionSweeper({ store, sessions, rejudge }) };
}
