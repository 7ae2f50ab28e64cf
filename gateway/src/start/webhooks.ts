/** Starts the webhooks of a gateway: outbox publisher, delivery worker, synchronous endpoints and queue connections. */
import limits from '@presenza/contract/limits.json';
import type { Logger } from 'pino';
import { every } from '../async/every';
import { bounds } from '../bounds';
import { warnOnce } from '../observability/warn-once';
import type { WebhookMetrics } from '../observability/webhook-metrics';
import type { AccountStore } from '../services/keys/accounts';
import type { EventNotifier, SyncWebhooks } from '../services/liveness/session/events';
import type { AddressGuard } from '../services/webhooks/address-guard';
import { ConcurrencyLimiter } from '../services/webhooks/concurrency-limiter';
import { DeliveryProcessor } from '../services/webhooks/delivery-processor';
import { Dispatcher, EventDispatcher, type SessionReader } from '../services/webhooks/dispatcher';
import { WebhookService, webhookVault } from '../services/webhooks/endpoints';
import { OutboxPublisher } from '../services/webhooks/outbox-publisher';
import { type RetrySchedule, retrySchedule } from '../services/webhooks/schedule';
import { HttpSender } from '../services/webhooks/sender';
import { SyncWebhookService } from '../services/webhooks/sync-webhooks';
import { connectRedis, type RedisAddress, type RedisClient, workerConnection } from '../stores/redis';
import { RedisAuditLog } from '../stores/redis-audit-log';
import { BullDeliveryQueue, DeliveryWorker } from '../stores/webhooks/bull-delivery-queue';
import { RedisDeliveryLog } from '../stores/webhooks/redis-delivery-log';
import { RedisOutbox } from '../stores/webhooks/redis-outbox';
import { RedisWebhookStore } from '../stores/webhooks/redis-webhook-store';

/** The gateway that creates an event usually publishes it. The poll finds events of gateways that died. */
const defaultPollMs = 5_000;
/** Many, because attempts spend most of their time waiting for receivers. */
const concurrency = bounds.webhookAttempts;
/** Twice the deadline, because the publisher may see the event before the endpoints are asked. */
const defaultSyncDelayMs = 2_000 * limits.webhooks.syncDeadlineSeconds;
const defaultTimeoutMs = 1_000 * limits.webhooks.attemptTimeoutSeconds;
/** Lets running attempts finish during the shutdown: one timeout, and time to log the result. */
const defaultCloseMs = defaultTimeoutMs + 2_000;

export interface WebhookDependencies {
  readonly redis: RedisClient;
  readonly address: RedisAddress;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly sessions: SessionReader;
  readonly guard: AddressGuard;
  /** KEY_SECRET */
  readonly secret: string;
  readonly disableAfterMs: number;
  /** Time without a heartbeat after which another process repeats an attempt. */
  readonly takeoverMs: number;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  readonly now?: () => number;
  readonly schedule?: RetrySchedule;
  readonly pollMs?: number;
  readonly syncDelayMs?: number;
  /** Limit of one attempt. */
  readonly timeoutMs?: number;
  readonly closeMs?: number;
}

export interface Webhooks {
  readonly events: EventNotifier;
  readonly sync: SyncWebhooks;
  readonly queue: Pick<BullDeliveryQueue, 'remove'>;
  /**
   * Starts no more attempts. Resolves once the running ones have ended, at the latest after the longest time that one may
   * take; other processes repeat attempts that are cut off.
   */
  stopDelivering(): Promise<void>;
  /** Stops everything else. Other gateways publish later events. */
  stop(): Promise<void>;
}

/** @throws Error if Redis does not respond */
export async function startWebhooks(dependencies: WebhookDependencies): Promise<Webhooks> {
  const { redis, address, accounts, guard, secret, logger, metrics, takeoverMs } = dependencies;
  const { now = Date.now, schedule = retrySchedule(), pollMs = defaultPollMs } = dependencies;
  const { syncDelayMs = defaultSyncDelayMs, closeMs = defaultCloseMs } = dependencies;
  const { timeoutMs = defaultTimeoutMs } = dependencies;
  const queueWarning = warnOnce(logger, 'webhook queue');
  const queueClient = await connectRedis(address, queueWarning.failed);
  const workerClient = workerConnection(address, queueWarning.failed);
  for (const client of [queueClient, workerClient]) client.on('ready', queueWarning.recovered);

  const endpoints = new RedisWebhookStore(redis);
  const log = new RedisDeliveryLog(redis);
  const vault = webhookVault(secret);
  const sender = new HttpSender(guard, now);
  const dispatcher = new EventDispatcher(
    new Dispatcher({ sender, accounts, vault, now }),
    dependencies.sessions,
  );
  const queue = new BullDeliveryQueue(queueClient, queueWarning.failed);
  await queue.ready();
  const publisherWarning = warnOnce(logger, 'webhook publisher');
  const publisher = new OutboxPublisher({
    endpoints,
    accounts,
    queue,
    log,
    syncDelayMs,
    outbox: new RedisOutbox(redis),
    onError: publisherWarning.failed,
  });
  const processor = new DeliveryProcessor({
    endpoints,
    log,
    dispatcher,
    schedule,
    timeoutMs,
    now,
    webhooks: new WebhookService({ store: endpoints, log, accounts, vault, addresses: guard, now }),
    audit: new RedisAuditLog(redis),
    limiter: new ConcurrencyLimiter(),
    disableAfterMs: dependencies.disableAfterMs,
    observe: metrics.attempted,
    onDisabled: metrics.disabled,
  });
  const worker = new DeliveryWorker({
    connection: workerClient,
    concurrency,
    lockMs: takeoverMs,
    onError: queueWarning.failed,
    process: (delivery, attemptsMade) => processor.process(delivery, attemptsMade),
    delayMs: (attempts) => schedule.delayMs(attempts),
  });
  metrics.watchQueue(() => queue.state());
  const poll = () => publisher.poll(pollMs).then(publisherWarning.recovered);
  const stopPolling = every(pollMs, poll, publisherWarning.failed);
  let stopped: Promise<void> | undefined;
  const stopDelivering = () => {
    stopped ??= worker.close(closeMs);
    return stopped;
  };
  return {
    events: publisher,
    queue,
    sync: new SyncWebhookService({
      endpoints,
      accounts,
      dispatcher,
      log,
      now,
      onFallback: ({ eventId }, webhookId, why) =>
        logger.warn({ eventId, webhookId, why }, 'synchronous webhook failed'),
    }),
    stopDelivering,
    async stop() {
      await Promise.all([stopPolling(), publisher.stop(), stopDelivering()]);
      for (const client of [workerClient, queueClient]) client.disconnect();
    },
  };
}
