/** The outboxes of the accounts: one Redis stream each, written by the scripts of session transitions and of alerts. */
import brand from '@presenza/contract/brand.json';
import type { KeyMode } from '../../services/keys/api-key';
import type { Delivery } from '../../services/webhooks/delivery-log';
import type { UsageReached, WebhookEvent } from '../../services/webhooks/events';
import type { Outbox, OutboxEntry } from '../../services/webhooks/outbox-publisher';
import { takeLease } from '../lease';
import { outboxKey } from '../liveness/keys';
import { sessionAccounts, touchAccount } from '../liveness/session-accounts';
import { type RedisClient, unavailable } from '../redis';

const leaseKey = `${brand.slug}:relay`;

export class RedisOutbox implements Outbox {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {}

  async *accounts(): AsyncGenerator<string> {
    for await (const { accountId } of sessionAccounts(this.redis)) yield accountId;
  }

  async read(accountId: string, limit: number): Promise<OutboxEntry[]> {
    const rows = await this.redis.xrange(outboxKey(accountId), '-', '+', 'COUNT', limit).catch(unavailable);
    return rows.map(([entryId, fields]) => entryOf(accountId, entryId, fields));
  }

  async remove(accountId: string, entryIds: readonly string[]): Promise<void> {
    await this.redis.xdel(outboxKey(accountId), ...entryIds).catch(unavailable);
  }

  async replay(accountId: string, delivery: Delivery): Promise<void> {
    const { eventId, sessionId, eventType, timestamp, mode, webhookId, usage } = delivery;
    const fields = {
      id: eventId,
      type: eventType,
      at: timestamp,
      mode,
      replayTo: webhookId,
      ...(sessionId !== undefined && { session: sessionId }),
      ...(usage && { usage: JSON.stringify(usage) }),
    };
    // Register the account first, so that every stored event is found by the next poll.
    await touchAccount(this.redis, accountId, this.now());
    await this.redis.xadd(outboxKey(accountId), '*', ...Object.entries(fields).flat()).catch(unavailable);
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, leaseKey, ms / 2).catch(unavailable);
  }
}

function entryOf(accountId: string, entryId: string, fields: readonly string[]): OutboxEntry {
  const named: Record<string, string> = {};
  for (let at = 0; at < fields.length; at += 2) named[fields[at] as string] = fields[at + 1] as string;
  const { id, session, type, at, mode, replayTo, usage } = named as Record<'id' | 'type' | 'at', string> & {
    session?: string;
    mode: KeyMode;
    replayTo?: string;
    usage?: string;
  };
  // The scripts take the type from the table of transitions and from the catalog.
  const eventType = type as WebhookEvent['eventType'];
  const event = {
    accountId,
    eventId: id,
    eventType,
    timestamp: Number(at),
    mode,
    ...(session !== undefined && { sessionId: session }),
    ...(usage !== undefined && { usage: JSON.parse(usage) as UsageReached }),
  };
  return { entryId, event, ...(replayTo !== undefined && { replayTo }) };
}
