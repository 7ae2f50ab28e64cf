/**
 * Publishes events from the outboxes to the delivery queue. A transition and its outbox entry are one store operation, so
 * no event is lost. The publisher removes an entry only after its deliveries are queued, under ids that make a repetition
 * harmless. Any number of gateways may publish at the same time.
 */
import { forEach } from '../../async/for-each';
import { Lanes } from '../../async/lanes';
import type { AccountStore } from '../keys/accounts';
import { type EventNotifier, isDecided } from '../liveness/session/events';
import { type Delivery, type DeliveryLog, newRecord } from './delivery-log';
import type { DeliveryQueue, QueuedDelivery } from './delivery-queue';
import { includesSync, subscribes, type WebhookStore } from './endpoints';
import { isOfSession, type WebhookEvent } from './events';

export interface OutboxEntry {
  readonly entryId: string;
  readonly event: WebhookEvent;
  /** The only endpoint that gets the event, if it is a replay. */
  readonly replayTo?: string;
}

export interface Outbox {
  /** Accounts that may have events. */
  accounts(): AsyncIterable<string>;
  /** Oldest first. */
  read(accountId: string, limit: number): Promise<OutboxEntry[]>;
  remove(accountId: string, entryIds: readonly string[]): Promise<void>;
  /** Adds an event again, for one endpoint. */
  replay(accountId: string, delivery: Delivery): Promise<void>;
  /** @returns whether this process may poll all outboxes now; another process may hold the lease. */
  acquireLease(ms: number): Promise<boolean>;
}

export interface OutboxPublisherServices {
  readonly outbox: Outbox;
  readonly endpoints: Pick<WebhookStore, 'listEndpoints'>;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly queue: DeliveryQueue;
  readonly log: Pick<DeliveryLog, 'begin' | 'write'>;
  /** Delay after which a synchronous endpoint has responded or timed out. */
  readonly syncDelayMs: number;
  readonly onError: (error: Error) => void;
}

const entriesPerRead = 100;
const accountsAtOnce = 16;
/** Notifications over this limit wait for the next poll. */
const maxNotified = 10_000;

export class OutboxPublisher implements EventNotifier {
  /** Accounts that wait for their turn. */
  private readonly notified = new Set<string>();
  /** A single turn of an account at a time, because two would read the same entries. */
  private readonly turns = new Lanes(accountsAtOnce, 1);
  private stopped = false;

  constructor(private readonly services: OutboxPublisherServices) {}

  notify(accountId: string): void {
    const { notified } = this;
    if (this.stopped || notified.has(accountId) || notified.size >= maxNotified) return;
    notified.add(accountId);
    void this.turns
      .run(accountId, () => {
        notified.delete(accountId);
        return this.publish(accountId);
      })
      .catch(this.services.onError);
  }

  /**
   * Looks for events in all outboxes, unless another process has done so within `ms`, and has them published.
   * @throws the first failure, after all outboxes of which the store gave an account
   */
  async poll(ms: number): Promise<void> {
    const { outbox } = this.services;
    if (!(await outbox.acquireLease(ms))) return;
    await forEach(outbox.accounts(), accountsAtOnce, async (id) => {
      if ((await outbox.read(id, 1)).length > 0) this.notify(id);
    });
  }

  /** Resolves once nothing is under way. */
  stop(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  /** Publishes the oldest events of an account. More events wait for another turn, after those of other accounts. */
  private async publish(accountId: string): Promise<void> {
    const entries = await this.services.outbox.read(accountId, entriesPerRead);
    if (entries.length > 0) await this.enqueue(accountId, entries);
    if (entries.length === entriesPerRead) this.notify(accountId);
  }

  private async enqueue(accountId: string, entries: readonly OutboxEntry[]): Promise<void> {
    const { outbox, queue, log, accounts, endpoints: store, syncDelayMs } = this.services;
    const [endpoints, account] = await Promise.all([
      store.listEndpoints(accountId),
      accounts.findAccount(accountId),
    ]);
    const waitsForSync = account !== undefined && includesSync(account.plan);
    const queued = entries.flatMap(({ entryId, event, replayTo }): QueuedDelivery[] => {
      if (replayTo !== undefined) {
        return [{ delivery: { ...event, webhookId: replayTo }, delayMs: 0, replay: entryId }];
      }
      return endpoints
        .filter((endpoint) => subscribes(endpoint, event))
        .map(({ id, type }) => {
          const isAsked = type === 'sync' && waitsForSync && isOfSession(event) && isDecided(event.eventType);
          return { delivery: { ...event, webhookId: id }, delayMs: isAsked ? syncDelayMs : 0 };
        });
    });
    const added = queued.filter(({ replay }) => replay === undefined);
    // Log first: a queued delivery may be delivered, and logged as such, a moment later.
    await log.begin(
      accountId,
      added.map(({ delivery }) => newRecord(delivery)),
    );
    await queue.add(queued);
    await outbox.remove(
      accountId,
      entries.map(({ entryId }) => entryId),
    );
  }
}
