/** The operations on deliveries: list and explain them, replay them, and test an endpoint. */
import limits from '@presenza/contract/limits.json';
import { FairSlots } from '../../async/fair-slots';
import { bounds } from '../../bounds';
import { randomBase62 } from '../../crypto/base62';
import { OperatorError } from '../../errors';
import { type AccountStore, noAccount } from '../keys/accounts';
import type { Page, PageOf } from '../pages';
import { isoTime } from '../timing/iso-time';
import { payloadOf } from './body';
import { type DeliveryFilter, type DeliveryLog, type DeliveryRecord, lastingPartsOf } from './delivery-log';
import type { Dispatcher, SessionReader } from './dispatcher';
import { noEndpoint, type WebhookStore } from './endpoints';
import type { WebhookEvent } from './events';
import type { Outbox } from './outbox-publisher';
import { sampleOf } from './samples';
import type { PostResult } from './sender';

export interface DeliveryServices {
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly endpoints: Pick<WebhookStore, 'findEndpoint' | 'listEndpoints'>;
  readonly log: DeliveryLog;
  readonly outbox: Pick<Outbox, 'replay'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly sessions: SessionReader;
  readonly now: () => number;
}

export interface ExplainedDelivery {
  readonly record: DeliveryRecord;
  /** The body of the request as an object. */
  readonly payload: ReturnType<typeof payloadOf>;
}

/** Selects by delivery, by event (for every endpoint that received it), or all dead letters since a time. */
export interface ReplaySelection {
  readonly deliveryId?: string;
  readonly eventId?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Only deliveries to this endpoint. */
  readonly webhookId?: string;
}

const timeoutMs = 1000 * limits.webhooks.attemptTimeoutSeconds;
const pageSize = 200;

const tooManyTests = () =>
  new OperatorError(
    `The account tests ${bounds.webhookTests} webhook endpoints now, which is the limit: wait for the results`,
    'RATE_LIMIT_EXCEEDED',
    { reason: 'concurrency', retryAfterSeconds: 1 },
  );

export class DeliveryService {
  /** Running tests by account id. A receiver that hangs holds one for the whole timeout. */
  private readonly tests = new FairSlots(Number.POSITIVE_INFINITY, bounds.webhookTests);

  constructor(private readonly services: DeliveryServices) {}

  /** @throws OperatorError */
  async list(accountId: string, page: PageOf & DeliveryFilter): Promise<Page<DeliveryRecord>> {
    await this.checkAccount(accountId);
    return this.services.log.list(accountId, page);
  }

  /**
   * One delivery with its payload. The payload comes from the session, so that its data is gone once it is erased.
   * @throws OperatorError, ApiError SERVICE_UNAVAILABLE
   */
  async explain(accountId: string, deliveryId: string): Promise<ExplainedDelivery> {
    const { log, sessions } = this.services;
    const record = await log.find(accountId, deliveryId);
    if (!record) throw new OperatorError(`The account has no delivery ${deliveryId} in its log`, 'NOT_FOUND');
    const { sessionId } = record;
    const details = sessionId === undefined ? undefined : await sessions.readDetails(accountId, sessionId);
    return { record, payload: payloadOf({ accountId, ...record }, details) };
  }

  /**
   * Restarts deliveries from the first attempt of their schedule, under their old ids.
   * @returns how many.
   * @throws OperatorError
   */
  async replay(accountId: string, selection: ReplaySelection): Promise<number> {
    await this.checkAccount(accountId);
    const { log, outbox, endpoints } = this.services;
    const enabled = new Set(
      (await endpoints.listEndpoints(accountId)).filter(({ disabled }) => !disabled).map(({ id }) => id),
    );
    const { deliveryId, webhookId } = selection;
    const replayed = (await this.select(accountId, selection)).filter(
      (record) =>
        enabled.has(record.webhookId) && (webhookId === undefined || record.webhookId === webhookId),
    );
    if (replayed.length === 0 && deliveryId !== undefined) {
      throw new OperatorError(
        `The account has no delivery ${deliveryId} to an enabled endpoint in its log`,
        'NOT_FOUND',
      );
    }
    for (const delivery of replayed) {
      const { id, webhookId, eventId, sessionId, eventType, timestamp, mode, usage } = delivery;
      const event = {
        webhookId,
        eventId,
        eventType,
        timestamp,
        ...(mode && { mode }),
        ...(sessionId !== undefined && { sessionId }),
        ...(usage && { usage }),
      };
      const begun = { id, ...event, state: 'pending' as const, attempts: 0, ...lastingPartsOf(delivery) };
      // Log first: a synchronous endpoint does not get an event again while the log says that it has it.
      await log.write(accountId, begun);
      await outbox.replay(accountId, { accountId, ...event });
    }
    return replayed.length;
  }

  /**
   * Sends a signed sample event to an endpoint once, even to a disabled one. The event has an id of its own.
   * @throws OperatorError also while as many tests of the account are running as may
   */
  async test(
    accountId: string,
    webhookId: string,
    eventType: WebhookEvent['eventType'] = 'session.completed',
  ): Promise<PostResult & { readonly eventId: string }> {
    await this.checkAccount(accountId);
    const { endpoints, dispatcher, now } = this.services;
    const endpoint = await endpoints.findEndpoint(accountId, webhookId);
    if (!endpoint) throw noEndpoint(accountId, webhookId);
    const eventId = `evt_test${randomBase62(18)}`;
    const timestamp = isoTime(now());
    const event = { ...sampleOf(eventType), timestamp, livemode: false, metadata: { test: true } };
    const body = Buffer.from(JSON.stringify(event));
    if (!this.tests.take(accountId)) throw tooManyTests();
    try {
      const result = await dispatcher.dispatch({ accountId, eventId }, endpoint, body, { timeoutMs });
      return { eventId, ...result };
    } finally {
      this.tests.release(accountId);
    }
  }

  /** Reads all pages before the first replay, because replayed deliveries leave the list of dead letters. */
  private async select(
    accountId: string,
    { deliveryId, eventId, since }: ReplaySelection,
  ): Promise<readonly DeliveryRecord[]> {
    const { log } = this.services;
    if (deliveryId !== undefined) {
      const record = await log.find(accountId, deliveryId);
      return record ? [record] : [];
    }
    const filter =
      eventId !== undefined ? { eventId } : { dead: true, ...(since !== undefined && { since }) };
    const all: DeliveryRecord[] = [];
    for (let after: string | undefined; ; ) {
      const page = await log.list(accountId, { ...filter, limit: pageSize, ...(after && { after }) });
      all.push(...page.items);
      after = page.next;
      if (after === undefined) return all;
    }
  }

  private async checkAccount(id: string): Promise<void> {
    if (!(await this.services.accounts.findAccount(id))) throw noAccount(id);
  }
}
