/** Webhooks on a real Redis, with events that the tests create. */
import pino from 'pino';
import { Registry } from 'prom-client';
import { waitUntil } from '../../harness/index.mjs';
import { randomBase62 } from '../../src/crypto/base62';
import { createWebhookMetrics } from '../../src/observability/webhook-metrics';
import { KeyService } from '../../src/services/keys/keys';
import type { EventDetails, SessionEvent } from '../../src/services/liveness/session/events';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { DeliveryService } from '../../src/services/webhooks/delivery-service';
import { Dispatcher } from '../../src/services/webhooks/dispatcher';
import { WebhookService, type WebhookSettings, webhookVault } from '../../src/services/webhooks/endpoints';
import { retrySchedule } from '../../src/services/webhooks/schedule';
import { HttpSender } from '../../src/services/webhooks/sender';
import { startWebhooks, type WebhookDependencies } from '../../src/start/webhooks';
import { accountsKey, outboxKey } from '../../src/stores/liveness/keys';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisOutbox } from '../../src/stores/webhooks/redis-outbox';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';

export const secret = '5a'.repeat(32);
/** Hours of the schedule become milliseconds. */
export const scale = 1e5;

export type Deployment = Awaited<ReturnType<typeof deploy>>;

export async function deploy(
  url: string,
  options: Partial<WebhookDependencies> & { cluster?: boolean } = {},
) {
  const address = { url, cluster: options.cluster ?? false };
  const redis = await connectRedis(address, () => {});
  const registry = new Registry();
  const keys = new KeyService(new RedisKeyStore(redis), secret);
  const endpoints = new RedisWebhookStore(redis);
  const log = new RedisDeliveryLog(redis);
  const vault = webhookVault(secret);
  const guard = options.guard ?? new AddressGuard({ allowLoopback: true });
  const lines: string[] = [];
  /** Delays after failed attempts, in ms of the real schedule. */
  const waits: number[] = [];
  const real = retrySchedule();
  const sessions = new Map<string, EventDetails>();
  const details = { readDetails: async (_account: string, id: string) => sessions.get(id) };
  const webhooks = await startWebhooks({
    redis,
    address,
    accounts: keys,
    sessions: details,
    guard,
    secret,
    disableAfterMs: 5 * 24 * 3_600_000,
    takeoverMs: 20_000,
    logger: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    metrics: createWebhookMetrics(registry),
    schedule: {
      delayMs(attempts, retryAfterMs) {
        const ms = real.delayMs(attempts, retryAfterMs);
        if (ms !== undefined) waits.push(ms);
        return ms === undefined ? undefined : Math.ceil(ms / scale);
      },
    },
    pollMs: 200,
    ...options,
  });
  const admin = new WebhookService({
    store: endpoints,
    log,
    accounts: new RedisKeyStore(redis),
    vault,
    addresses: guard,
  });
  const now = Date.now;
  return {
    redis,
    webhooks,
    admin,
    log,
    lines,
    waits,
    sessions,
    registry,
    keys,
    deliveries: new DeliveryService({
      accounts: new RedisKeyStore(redis),
      endpoints,
      log,
      sessions: details,
      now,
      outbox: new RedisOutbox(redis),
      dispatcher: new Dispatcher({
        sender: new HttpSender(guard),
        accounts: new RedisKeyStore(redis),
        vault,
        now,
      }),
    }),
    account: async (plan: 'free' | 'growth' = 'growth') => (await keys.createAccount('Webhooks', plan)).id,
    endpoint: (accountId: string, target: string, settings: Partial<WebhookSettings> = {}) =>
      admin.create(accountId, {
        url: target,
        events: ['session.completed'],
        type: 'async',
        ...(settings.type === 'sync' && { onFailure: 'continue' }),
        ...settings,
      }),
    async stop() {
      await webhooks.stop();
      redis.disconnect();
    },
  };
}

export const newEvent = (accountId: string, change: Partial<SessionEvent> = {}): SessionEvent => ({
  accountId,
  eventId: `evt_${randomBase62(22)}`,
  sessionId: `ses_${randomBase62(24)}`,
  eventType: 'session.completed',
  mode: 'live',
  timestamp: Date.UTC(2026, 0, 15, 10, 30, 34, 912),
  ...change,
});

/** Adds an event to the outbox, as the scripts of transitions do. */
export async function happen(redis: RedisClient, event: SessionEvent): Promise<SessionEvent> {
  const { accountId, eventId, sessionId, eventType, timestamp, mode } = event;
  await redis.zadd(accountsKey, timestamp, accountId);
  await redis.xadd(
    outboxKey(accountId),
    '*',
    'id',
    eventId,
    'session',
    sessionId,
    'type',
    eventType,
    'at',
    timestamp,
    ...(mode ? ['mode', mode] : []),
  );
  return event;
}

/** Polls `read` until its value fits. The error of a timeout quotes the last value. */
export async function until<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  const result = await waitUntil('a value fits', async () => {
    const value = await read();
    if (fits(value)) return { value };
    throw new Error(JSON.stringify(value));
  });
  return result.value;
}
