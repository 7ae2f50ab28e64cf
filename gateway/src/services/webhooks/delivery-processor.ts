/** Processes the deliveries of the queue: makes one attempt, logs it and schedules the next one. */
import type { AuditLog } from '../audit/audit';
import type { ConcurrencyLimiter } from './concurrency-limiter';
import {
  type Delivery,
  type DeliveryLog,
  type DeliveryRecord,
  deliveryIdOf,
  lastingPartsOf,
  newRecord,
  withAttempt,
} from './delivery-log';
import type { NextStep } from './delivery-queue';
import { type EventDispatcher, isAccepted } from './dispatcher';
import type { WebhookEndpoint, WebhookService, WebhookStore } from './endpoints';
import type { RetrySchedule } from './schedule';
import type { PostResult } from './sender';

/** failed: a retry follows; dead: no retry; gone: the receiver responded with 410; dropped: no endpoint. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'dead' | 'gone' | 'dropped';

export interface DeliveryProcessorServices {
  readonly endpoints: WebhookStore;
  readonly webhooks: Pick<WebhookService, 'disable'>;
  readonly log: DeliveryLog;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly dispatcher: EventDispatcher;
  readonly limiter: ConcurrencyLimiter;
  readonly schedule: RetrySchedule;
  readonly disableAfterMs: number;
  /** Limit of one attempt. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly observe: (outcome: DeliveryOutcome, tookMs: number | undefined) => void;
  readonly onDisabled: (because: 'gone' | 'failing') => void;
}

/** Statuses that may carry a Retry-After (RFC 9110 and RFC 6585). */
const busy = [429, 503];
const gone = 410;

export class DeliveryProcessor {
  constructor(private readonly services: DeliveryProcessorServices) {}

  /**
   * @param attemptsMade before this one.
   * @throws ApiError SERVICE_UNAVAILABLE if the store is unavailable
   */
  async process(delivery: Delivery, attemptsMade: number): Promise<NextStep> {
    const { limiter, now } = this.services;
    const waitMs = limiter.acquire(delivery);
    if (waitMs > 0) return { kind: 'later', ms: waitMs };
    const begin = now();
    try {
      return await this.attempt(delivery, attemptsMade);
    } finally {
      limiter.release(delivery, now() - begin);
    }
  }

  private async attempt(delivery: Delivery, attemptsMade: number): Promise<NextStep> {
    const { endpoints, dispatcher, observe, now, log, timeoutMs } = this.services;
    const { accountId, webhookId } = delivery;
    const endpoint = await endpoints.findEndpoint(accountId, webhookId);
    const logged = await log.find(accountId, deliveryIdOf(delivery));
    const record = {
      ...newRecord(delivery),
      attempts: attemptsMade,
      ...lastingPartsOf(logged),
    };
    if (!endpoint) {
      await log.write(accountId, { ...record, state: 'dropped' });
      observe('dropped', undefined);
      return { kind: 'done' };
    }
    if (endpoint.disabled) {
      await log.write(accountId, { ...record, state: 'dead', failure: 'disabled' });
      observe('dead', undefined);
      return { kind: 'dead' };
    }
    // A synchronous endpoint got the event when it was asked for its decision.
    if (endpoint.type === 'sync' && logged?.state === 'delivered') return { kind: 'done' };
    const begunAt = now();
    const result = await dispatcher.dispatch(delivery, endpoint, { timeoutMs });
    return this.conclude(endpoint, delivery, result, withAttempt(record, begunAt, result));
  }

  private async conclude(
    endpoint: WebhookEndpoint,
    { accountId }: Delivery,
    result: PostResult,
    record: DeliveryRecord,
  ): Promise<NextStep> {
    const { log, observe, now, disableAfterMs, schedule } = this.services;
    const { status, tookMs, retryAfterMs } = result;
    if (isAccepted(result)) {
      await log.write(accountId, { ...record, state: 'delivered' }, 'well');
      observe('delivered', tookMs);
      return { kind: 'done' };
    }
    const askedMs = busy.includes(status ?? 0) ? retryAfterMs : undefined;
    const ms = status === gone ? undefined : schedule.delayMs(record.attempts, askedMs);
    const failed: DeliveryRecord =
      ms === undefined ? { ...record, state: 'dead' } : { ...record, nextAttemptAt: now() + ms };
    // Disable first: if the process dies here, another process repeats the attempt.
    if (status === gone) await this.disable(endpoint, accountId, 'gone');
    const failingSince = await log.write(accountId, failed, 'failing');
    const isOverdue = failingSince !== undefined && now() - failingSince >= disableAfterMs;
    if (isOverdue && status !== gone) await this.disable(endpoint, accountId, 'failing');
    observe(status === gone ? 'gone' : ms === undefined ? 'dead' : 'failed', tookMs);
    return ms === undefined ? { kind: 'dead' } : { kind: 'retry', ms };
  }

  /** Deliveries that still wait for the endpoint fail when they are due. Throws if the audit log rejects the entry. */
  private async disable(
    { id }: WebhookEndpoint,
    accountId: string,
    because: 'gone' | 'failing',
  ): Promise<void> {
    const { webhooks, audit, onDisabled } = this.services;
    const subject = { actor: 'gateway', operation: 'webhooks disable', accountId, ids: { webhook: id } };
    await audit.record({ ...subject, outcome: 'begun', changes: { because } });
    const { disabled } = await webhooks.disable(accountId, id, because);
    onDisabled(because);
    await audit
      .record({ ...subject, outcome: 'done', changes: { because: disabled?.because } })
      .catch(() => {});
  }
}
