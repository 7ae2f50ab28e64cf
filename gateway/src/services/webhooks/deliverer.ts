/** Attempts to deliver: what to do with each, and what follows from its outcome. */
import limits from '@presenza/contract/limits.json';
import type { AuditLog } from '../audit/audit';
import { type Delivery, type DeliveryLog, type DeliveryRecord, newRecord } from './deliveries';
import type { WebhookEndpoint, WebhookService, WebhookStore } from './endpoints';
import { type Envoy, wasTaken } from './envoy';
import type { RetrySchedule } from './schedule';
import type { PostResult } from './sender';
import type { Turns } from './turns';

/** delivered, failed (comes again), dead (does not), gone (said 410), dropped (nobody to send it to). */
export type DeliveryOutcome = 'delivered' | 'failed' | 'dead' | 'gone' | 'dropped';

/** What the queue is to do with a delivery: nothing more, or the next attempt in some ms. */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'dead' }
  | { readonly kind: 'retry'; readonly ms: number }
  /** No attempt was made. */
  | { readonly kind: 'later'; readonly ms: number };

export interface DelivererServices {
  readonly endpoints: WebhookStore;
  readonly webhooks: Pick<WebhookService, 'disable'>;
  readonly log: DeliveryLog;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly envoy: Envoy;
  readonly turns: Turns;
  readonly schedule: RetrySchedule;
  readonly disableAfterMs: number;
  readonly now: () => number;
  readonly observe: (outcome: DeliveryOutcome, tookMs: number | undefined) => void;
  /** Told of each endpoint that gets nothing more. */
  readonly onDisabled: (because: 'gone' | 'failing') => void;
}

const timeoutMs = 1000 * limits.webhooks.attemptTimeoutSeconds;
/** Statuses whose Retry-After is asked for patience (RFC 9110 and RFC 6585). */
const busy = [429, 503];
const gone = 410;

export class Deliverer {
  constructor(private readonly services: DelivererServices) {}

  /**
   * @param attemptsMade before this one.
   * @throws AppError SERVICE_UNAVAILABLE when the store is away
   */
  async attempt(delivery: Delivery, attemptsMade: number): Promise<Next> {
    const { turns, now } = this.services;
    const wait = turns.enter(delivery.webhookId);
    if (wait > 0) return { kind: 'later', ms: wait };
    const begin = now();
    try {
      return await this.deliver(delivery, attemptsMade);
    } finally {
      turns.leave(delivery.webhookId, now() - begin);
    }
  }

  private async deliver(delivery: Delivery, attemptsMade: number): Promise<Next> {
    const { endpoints, envoy, observe, now, log } = this.services;
    const { accountId, webhookId } = delivery;
    const record = { ...newRecord(delivery), attempts: attemptsMade };
    const endpoint = await endpoints.findEndpoint(accountId, webhookId);
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
    if (endpoint.type === 'sync' && (await log.find(accountId, record.id))?.state === 'delivered') {
      return { kind: 'done' };
    }
    const lastAttemptAt = now();
    const result = await envoy.send(delivery, endpoint, { timeoutMs });
    return this.conclude(endpoint, delivery, result, {
      ...record,
      attempts: attemptsMade + 1,
      lastAttemptAt,
    });
  }

  private async conclude(
    endpoint: WebhookEndpoint,
    { accountId }: Delivery,
    result: PostResult,
    begun: DeliveryRecord,
  ): Promise<Next> {
    const { log, observe, now, disableAfterMs } = this.services;
    const { status, failure, tookMs, retryAfterMs } = result;
    const record = { ...begun, tookMs, ...(status !== undefined && { status }), ...(failure && { failure }) };
    if (wasTaken(result)) {
      await log.write(accountId, { ...record, state: 'delivered' }, 'well');
      observe('delivered', tookMs);
      return { kind: 'done' };
    }
    const patience = busy.includes(status ?? 0) ? retryAfterMs : undefined;
    const ms = status === gone ? undefined : this.services.schedule.delayMs(record.attempts, patience);
    const then: DeliveryRecord =
      ms === undefined ? { ...record, state: 'dead' } : { ...record, nextAttemptAt: now() + ms };
    // Before anything says that it is over: an attempt that ends here is made again.
    if (status === gone) await this.disable(endpoint, accountId, 'gone');
    const failingSince = await log.write(accountId, then, 'failing');
    const forTooLong = failingSince !== undefined && now() - failingSince >= disableAfterMs;
    if (forTooLong && status !== gone) await this.disable(endpoint, accountId, 'failing');
    observe(status === gone ? 'gone' : ms === undefined ? 'dead' : 'failed', tookMs);
    return ms === undefined ? { kind: 'dead' } : { kind: 'retry', ms };
  }

  /** What waits for a disabled endpoint finds out when its time comes. Nothing is disabled that cannot be recorded. */
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
