/** What operators ask of deliveries: what became of them, to send some again, to try an endpoint. */
import example from '@presenza/contract/examples/webhook-event--session-completed.json';
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../crypto/base62';
import { Refusal } from '../../errors/refusal';
import { type Account, noAccount, type Page, type PageOf } from '../keys/accounts';
import type { Chosen, DeliveryLog, DeliveryRecord } from './deliveries';
import { noEndpoint, type WebhookEndpoint, type WebhookStore } from './endpoints';
import type { Courier } from './envoy';
import type { Outbox } from './relay';
import type { PostResult } from './sender';

export interface DeliveryDeskServices {
  readonly accounts: { findAccount(id: string): Promise<Account | undefined> };
  readonly endpoints: Pick<WebhookStore, 'findEndpoint' | 'listEndpoints'>;
  readonly log: DeliveryLog;
  readonly outbox: Pick<Outbox, 'replay'>;
  readonly courier: Pick<Courier, 'carry'>;
  readonly now: () => number;
}

/** One of them says what is sent again: a delivery, an event to all that took it, or dead letters since a time. */
export interface ReplayWanted {
  readonly deliveryId?: string;
  readonly eventId?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Only to this endpoint. */
  readonly webhookId?: string;
}

const timeoutMs = 1000 * limits.webhooks.attemptTimeoutSeconds;
const pageSize = 200;

export class DeliveryDesk {
  constructor(private readonly services: DeliveryDeskServices) {}

  /** @throws Refusal */
  async list(accountId: string, page: PageOf & Chosen): Promise<Page<DeliveryRecord>> {
    await this.checkAccount(accountId);
    return this.services.log.list(accountId, page);
  }

  /**
   * Has deliveries made again, from the first attempt of their schedule on, under the ids that they had.
   * @returns how many.
   * @throws Refusal
   */
  async replay(accountId: string, wanted: ReplayWanted): Promise<number> {
    await this.checkAccount(accountId);
    const { log, outbox, endpoints } = this.services;
    const open = new Set(
      (await endpoints.listEndpoints(accountId)).filter(({ disabled }) => !disabled).map(({ id }) => id),
    );
    const { deliveryId, webhookId } = wanted;
    const again = (await this.chosen(accountId, wanted)).filter(
      (record) => open.has(record.webhookId) && (webhookId === undefined || record.webhookId === webhookId),
    );
    if (again.length === 0 && deliveryId !== undefined) {
      throw new Refusal(
        `The account has no delivery ${deliveryId} in its log to an endpoint that takes events`,
        'NOT_FOUND',
      );
    }
    for (const { id, webhookId, eventId, sessionId, eventType, timestamp } of again) {
      const event = { webhookId, eventId, sessionId, eventType, timestamp };
      // First in the log: a synchronous endpoint is not sent what that says it has.
      await log.write(accountId, { id, ...event, state: 'pending', attempts: 0 });
      await outbox.replay(accountId, { accountId, ...event });
    }
    return again.length;
  }

  /**
   * Sends a sample event to an endpoint, disabled or not, once. It is signed as every other and has its own id.
   * @throws Refusal
   */
  async test(accountId: string, webhookId: string): Promise<PostResult & { readonly eventId: string }> {
    const endpoint = await this.endpoint(accountId, webhookId);
    const { courier, now } = this.services;
    const eventId = `evt_test${randomBase62(18)}`;
    const event = { ...example, timestamp: new Date(now()).toISOString(), metadata: { test: true } };
    const body = Buffer.from(JSON.stringify(event));
    return { eventId, ...(await courier.carry({ accountId, eventId }, endpoint, body, { timeoutMs })) };
  }

  /** All of them before anything is sent again: what is sent again is no dead letter any more. */
  private async chosen(
    accountId: string,
    { deliveryId, eventId, since }: ReplayWanted,
  ): Promise<readonly DeliveryRecord[]> {
    const { log } = this.services;
    if (deliveryId !== undefined) {
      const record = await log.find(accountId, deliveryId);
      return record ? [record] : [];
    }
    const choice =
      eventId !== undefined ? { eventId } : { dead: true, ...(since !== undefined && { since }) };
    const all: DeliveryRecord[] = [];
    for (let after: string | undefined; ; ) {
      const page = await log.list(accountId, { ...choice, limit: pageSize, ...(after && { after }) });
      all.push(...page.items);
      after = page.next;
      if (after === undefined) return all;
    }
  }

  private async endpoint(accountId: string, id: string): Promise<WebhookEndpoint> {
    await this.checkAccount(accountId);
    const endpoint = await this.services.endpoints.findEndpoint(accountId, id);
    if (!endpoint) throw noEndpoint(accountId, id);
    return endpoint;
  }

  private async checkAccount(id: string): Promise<void> {
    if (!(await this.services.accounts.findAccount(id))) throw noAccount(id);
  }
}
