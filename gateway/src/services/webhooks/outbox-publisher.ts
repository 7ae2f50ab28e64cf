/**
 * Publishes events from the outboxes to the delivery queue. A transition and its outbox entry are one store operation, so
 * no event is lost. The publisher removes an entry only after its deliveries are queued, under ids that make a repetition
 * harmless. Any number of gateways may publish at the same time.
 */
import type { AccountStore } from '../keys/accounts';
import { type EventNotifier, isDecided } from '../liveness/session/events';
import { type Delivery, type DeliveryLog, newRecord } from './delivery-log';
import type { DeliveryQueue, QueuedDelivery } from './delivery-queue';
import { includesSync, subscribes, type WebhookStore } from './endpoints';
import { isOfSession, type WebhookEvent } from './events';

export interface OutboxEntry {
  readonly entryId: string;
  readonly event: WebhookEvent;
  /** For replays: the only endpoint that gets the event. */
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
  private readonly notified = new Set<string>();
  private working: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly services: OutboxPublisherServices) {}

  notify(accountId: string): void {
    if (this.stopped || this.notified.size >= maxNotified) return;
    this.notified.add(accountId);
    this.working ??= this.publishNotified().finally(() => {
      this.working = undefined;
    });
  }

  /** Polls all outboxes, unless another process has done so within `ms`. */
  async poll(ms: number): Promise<void> {
    const { outbox } = this.services;
    if (!(await outbox.acquireLease(ms))) return;
    const running = new Set<Promise<void>>();
    const failures: Error[] = [];
    for await (const id of outbox.accounts()) {
      if (this.stopped) break;
      const one: Promise<void> = this.publish(id)
        .catch((error: Error) => {
          failures.push(error);
        })
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= accountsAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
    // Part of a cluster may be unavailable, which must not delay the accounts of the other nodes.
    if (failures[0]) throw failures[0];
  }

  /** Resolves once nothing is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.working;
  }

  private async publishNotified(): Promise<void> {
    while (this.notified.size > 0 && !this.stopped) {
      const accounts = [...this.notified].slice(0, accountsAtOnce);
      for (const id of accounts) this.notified.delete(id);
      await Promise.all(accounts.map((id) => this.publish(id).catch(this.services.onError)));
    }
  }

  private async publish(accountId: string): Promise<void> {
    const { outbox } = this.services;
    for (let isFull = true; isFull && !this.stopped; ) {
      const entries = await outbox.read(accountId, entriesPerRead);
      isFull = entries.length === entriesPerRead;
      if (entries.length > 0) await this.enqueue(accountId, entries);
    }
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
