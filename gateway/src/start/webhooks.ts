/** Deliveries of a gateway: its relay, its worker, what answers at once, and the connections of the queue. */
import limits from '@presenza/contract/limits.json';
import type { Logger } from 'pino';
import { every } from '../async/every';
import { describe } from '../errors';
import type { WebhookMetrics } from '../observability/webhook-metrics';
import type { AccountStore } from '../services/keys/accounts';
import type { AddressGuard } from '../services/webhooks/address-guard';
import { Deliverer } from '../services/webhooks/deliverer';
import { WebhookService, webhookVault } from '../services/webhooks/endpoints';
import { Courier, Envoy } from '../services/webhooks/envoy';
import type { EventListener, SessionReader, SyncWebhooks } from '../services/webhooks/events';
import { Relay } from '../services/webhooks/relay';
import { type RetrySchedule, retrySchedule } from '../services/webhooks/schedule';
import { HttpSender } from '../services/webhooks/sender';
import { SyncWebhookService } from '../services/webhooks/sync-webhooks';
import { Turns } from '../services/webhooks/turns';
import { connectRedis, type RedisAddress, type RedisClient, workerConnection } from '../stores/redis';
import { RedisAuditLog } from '../stores/redis-audit-log';
import { BullDeliveryQueue, DeliveryWorker } from '../stores/webhooks/delivery-queue';
import { RedisDeliveryLog } from '../stores/webhooks/redis-delivery-log';
import { RedisOutbox } from '../stores/webhooks/redis-outbox';
import { RedisWebhookStore } from '../stores/webhooks/redis-webhook-store';

/** Most events are relayed by the process that made them; this finds those of a process that died. */
const sweepEveryMs = 5_000;
/** Attempts of one process at once: they wait for others most of the time. */
const concurrency = 128;
/** Its deadline counts from the start of the session, which the relay may see first. */
const syncPatience = 2_000 * limits.webhooks.syncDeadlineSeconds;
/** For attempts under way at the end: as long as one may take, and for their outcome to be written. */
const closeWithinMs = 1000 * limits.webhooks.attemptTimeoutSeconds + 2_000;

export interface WebhookDependencies {
  readonly redis: RedisClient;
  readonly address: RedisAddress;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly sessions: SessionReader;
  readonly guard: AddressGuard;
  /** KEY_SECRET */
  readonly secret: string;
  readonly disableAfterMs: number;
  /** After so long without a sign of life of its process, an attempt is made again by another. */
  readonly takeoverMs: number;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  readonly now?: () => number;
  readonly schedule?: RetrySchedule;
  readonly sweepMs?: number;
  readonly syncPatienceMs?: number;
  readonly closeMs?: number;
}

export interface Webhooks {
  readonly events: EventListener;
  readonly sync: SyncWebhooks;
  /**
   * No more attempts by this process. Resolves once those under way have ended, at the latest after the longest time
   * that one may take; what is cut off then, another process makes again.
   */
  stopDelivering(): Promise<void>;
  /** Ends the rest as well; events of sessions that change after it are relayed by others. */
  stop(): Promise<void>;
}

/** @throws Error when Redis does not answer */
export async function startWebhooks(given: WebhookDependencies): Promise<Webhooks> {
  const { redis, address, accounts, guard, secret, logger, metrics, now = Date.now } = given;
  const { schedule = retrySchedule(), sweepMs = sweepEveryMs, syncPatienceMs = syncPatience } = given;
  const { takeoverMs, closeMs = closeWithinMs } = given;
  const warn = onceUntilWell(logger, 'webhook queue');
  const queueClient = await connectRedis(address, warn.failed);
  const workerClient = workerConnection(address, warn.failed);
  for (const client of [queueClient, workerClient]) client.on('ready', warn.well);

  const endpoints = new RedisWebhookStore(redis);
  const log = new RedisDeliveryLog(redis);
  const vault = webhookVault(secret);
  const envoy = new Envoy(new Courier({ sender: new HttpSender(guard, now), vault, now }), given.sessions);
  const queue = new BullDeliveryQueue(queueClient, warn.failed);
  await queue.ready();
  const relaying = onceUntilWell(logger, 'webhook relay');
  const relay = new Relay({
    ...{ endpoints, accounts, queue, log, syncPatienceMs },
    outbox: new RedisOutbox(redis),
    onError: relaying.failed,
  });
  const deliverer = new Deliverer({
    ...{ endpoints, log, envoy, schedule, now },
    webhooks: new WebhookService({ store: endpoints, log, accounts, vault, addresses: guard, now }),
    audit: new RedisAuditLog(redis),
    turns: new Turns(),
    disableAfterMs: given.disableAfterMs,
    observe: metrics.attempted,
    onDisabled: metrics.disabled,
  });
  const worker = new DeliveryWorker({
    ...{ connection: workerClient, concurrency, lockMs: takeoverMs, onError: warn.failed },
    attempt: (delivery, attemptsMade) => deliverer.attempt(delivery, attemptsMade),
    delayMs: (attempts) => schedule.delayMs(attempts),
  });
  metrics.watchQueue(() => queue.state());
  const stopSweeps = every(sweepMs, () => relay.sweep(sweepMs).then(relaying.well), relaying.failed);
  let stopped: Promise<void> | undefined;
  const stopDelivering = () => {
    stopped ??= worker.close(closeMs);
    return stopped;
  };
  return {
    events: relay,
    sync: new SyncWebhookService({
      ...{ endpoints, accounts, envoy, log, now },
      onFallback: ({ eventId }, webhookId, why) =>
        logger.warn({ eventId, webhookId, why }, 'synchronous webhook not answered as it should be'),
    }),
    stopDelivering,
    async stop() {
      await Promise.all([stopSweeps(), relay.stop(), stopDelivering()]);
      for (const client of [workerClient, queueClient]) client.disconnect();
    },
  };
}

/** Tells of the first failure after things went well, and not of each that follows. */
function onceUntilWell(logger: Logger, what: string) {
  let told = false;
  return {
    failed: (error: Error) => {
      logger[told ? 'debug' : 'warn']({ err: describe(error) }, what);
      told = true;
    },
    well: () => {
      told = false;
    },
  };
}
