/** What delivers webhooks, on a real Redis, with what happens to sessions made by the tests. */
import pino from 'pino';
import { Registry } from 'prom-client';
import { randomBase62 } from '../../src/crypto/base62';
import { createWebhookMetrics } from '../../src/observability/webhook-metrics';
import { KeyService } from '../../src/services/keys/keys';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { DeliveryDesk } from '../../src/services/webhooks/delivery-desk';
import { WebhookService, type WebhookSettings, webhookVault } from '../../src/services/webhooks/endpoints';
import { Courier } from '../../src/services/webhooks/envoy';
import type { EventDetails, SessionEvent } from '../../src/services/webhooks/events';
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
/** Hours of the schedule are milliseconds here. */
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
  /** What was asked for after each failed attempt, in ms of the real schedule. */
  const waits: number[] = [];
  const real = retrySchedule();
  const sessions = new Map<string, EventDetails>();
  const webhooks = await startWebhooks({
    redis,
    address,
    accounts: keys,
    sessions: { readDetails: async (_account, id) => sessions.get(id) },
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
    sweepMs: 200,
    ...options,
  });
  const admin = new WebhookService({
    ...{ store: endpoints, log, accounts: new RedisKeyStore(redis), vault, addresses: guard },
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
    desk: new DeliveryDesk({
      ...{ accounts: new RedisKeyStore(redis), endpoints, log, now },
      outbox: new RedisOutbox(redis),
      courier: new Courier({ sender: new HttpSender(guard), vault, now }),
    }),
    account: async (plan: 'free' | 'growth' = 'growth') => (await keys.createAccount('Webhooks', plan)).id,
    endpoint: (accountId: string, target: string, settings: Partial<WebhookSettings> = {}) =>
      admin.create(accountId, { url: target, events: ['session.completed'], type: 'async', ...settings }),
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
  timestamp: Date.UTC(2026, 0, 15, 10, 30, 34, 912),
  ...change,
});

/** As the script of a transition does. */
export async function happen(redis: RedisClient, event: SessionEvent): Promise<SessionEvent> {
  const { accountId, eventId, sessionId, eventType, timestamp } = event;
  await redis.zadd(accountsKey, timestamp, accountId);
  await redis.xadd(
    outboxKey(accountId),
    '*',
    ...['id', eventId, 'session', sessionId, 'type', eventType, 'at', timestamp],
  );
  return event;
}

/** Resolves to what a reading gives once it is what is waited for. */
export async function until<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
