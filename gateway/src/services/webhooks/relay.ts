/**
 * Hands events from the outboxes to the queue of deliveries. An outbox is written in the same step as what happened, so
 * no event is lost; an entry is removed only once its deliveries are in the queue, under ids that make a second time
 * harmless. Any number of gateways may do this at once.
 */
import type { Account } from '../keys/accounts';
import { type Delivery, type DeliveryLog, newRecord } from './deliveries';
import { includesSync, takes, type WebhookStore } from './endpoints';
import type { EventListener, SessionEvent } from './events';

/** An event as it lies in its outbox. */
export interface OutboxEntry {
  readonly entryId: string;
  readonly event: SessionEvent;
  /** An operator wants it sent again, to this endpoint alone. */
  readonly replayTo?: string;
}

export interface Outbox {
  /** Accounts that may have events. */
  accounts(): AsyncIterable<string>;
  /** Oldest first. */
  read(accountId: string, limit: number): Promise<OutboxEntry[]>;
  remove(accountId: string, entryIds: readonly string[]): Promise<void>;
  /** Has an event sent again, to one endpoint. */
  replay(accountId: string, delivery: Delivery): Promise<void>;
  /** @returns whether this process is to look at all outboxes now; another may be at it. */
  takeTurn(ms: number): Promise<boolean>;
}

export interface Queued {
  readonly delivery: Delivery;
  /** Before the first attempt. */
  readonly delayMs: number;
  /** Outbox entry of a replay: once for each of them, also where the delivery ended before. */
  readonly replay?: string;
}

export interface DeliveryQueue {
  /** A delivery that is there already is left as it is. */
  add(deliveries: readonly Queued[]): Promise<void>;
}

export interface RelayServices {
  readonly outbox: Outbox;
  readonly endpoints: Pick<WebhookStore, 'listEndpoints'>;
  readonly accounts: { findAccount(id: string): Promise<Account | undefined> };
  readonly queue: DeliveryQueue;
  readonly log: Pick<DeliveryLog, 'begin' | 'write'>;
  /** By then a synchronous endpoint has answered, or is not going to. */
  readonly syncPatienceMs: number;
  readonly onError: (error: Error) => void;
}

const atOnce = 100;
const accountsAtOnce = 16;
/** Beyond it the next look at all outboxes finds them. */
const maxNudged = 10_000;

export class Relay implements EventListener {
  private readonly nudged = new Set<string>();
  private working: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly services: RelayServices) {}

  nudge(accountId: string): void {
    if (this.stopped || this.nudged.size >= maxNudged) return;
    this.nudged.add(accountId);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Looks at all outboxes, unless another process has done so within `ms`. */
  async sweep(ms: number): Promise<void> {
    const { outbox } = this.services;
    if (!(await outbox.takeTurn(ms))) return;
    const running = new Set<Promise<void>>();
    const failures: Error[] = [];
    for await (const id of outbox.accounts()) {
      if (this.stopped) break;
      const one: Promise<void> = this.relay(id)
        .catch((error: Error) => {
          failures.push(error);
        })
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= accountsAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
    // Of a cluster a part may be away: the rest was looked at.
    if (failures[0]) throw failures[0];
  }

  /** Resolves once nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.nudged.size > 0 && !this.stopped) {
      const accounts = [...this.nudged].slice(0, accountsAtOnce);
      for (const id of accounts) this.nudged.delete(id);
      await Promise.all(accounts.map((id) => this.relay(id).catch(this.services.onError)));
    }
  }

  private async relay(accountId: string): Promise<void> {
    const { outbox } = this.services;
    for (let full = true; full && !this.stopped; ) {
      const entries = await outbox.read(accountId, atOnce);
      full = entries.length === atOnce;
      if (entries.length > 0) await this.handOn(accountId, entries);
    }
  }

  private async handOn(accountId: string, entries: readonly OutboxEntry[]): Promise<void> {
    const { outbox, queue, log, accounts, endpoints: store, syncPatienceMs } = this.services;
    const [endpoints, account] = await Promise.all([
      store.listEndpoints(accountId),
      accounts.findAccount(accountId),
    ]);
    const waits = account !== undefined && includesSync(account.plan);
    const queued = entries.flatMap(({ entryId, event, replayTo }): Queued[] => {
      if (replayTo !== undefined) {
        return [{ delivery: { ...event, webhookId: replayTo }, delayMs: 0, replay: entryId }];
      }
      return endpoints
        .filter((endpoint) => takes(endpoint, event.eventType))
        .map(({ id, type }) => ({
          delivery: { ...event, webhookId: id },
          delayMs: type === 'sync' && waits ? syncPatienceMs : 0,
        }));
    });
    const records = queued.filter(({ replay }) => replay === undefined);
    // In the log first: what is in the queue may be delivered, and logged as that, the next moment.
    await log.begin(
      accountId,
      records.map(({ delivery }) => newRecord(delivery)),
    );
    await queue.add(queued);
    await outbox.remove(
      accountId,
      entries.map(({ entryId }) => entryId),
    );
  }
}
