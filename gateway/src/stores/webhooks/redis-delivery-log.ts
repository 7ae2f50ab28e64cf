/** The delivery log in Redis: a record per delivery, their order, and the order of the dead letters among them. */
import limits from '@presenza/contract/limits.json';
import type { Page, PageOf } from '../../services/pages';
import type { DeliveryFilter, DeliveryLog, DeliveryRecord } from '../../services/webhooks/delivery-log';
import { accountKey } from '../account-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

const { logRetentionSeconds, maxLoggedDeliveriesPerAccount } = limits.webhooks;
/** Limit on the records to scan for one page. */
const maxScanned = 1_000;

const keysOf = (accountId: string) => ({
  records: accountKey(accountId, 'delivery'),
  order: accountKey(accountId, 'deliveries:order'),
  dead: accountKey(accountId, 'deliveries:dead'),
  failing: accountKey(accountId, 'webhooks:failing'),
});
type LogKey = keyof ReturnType<typeof keysOf>;
const recordKey = (accountId: string, id: string) => `${keysOf(accountId).records}:${id}`;

const constants = {
  RETENTION_MS: 1_000 * logRetentionSeconds,
  MAX_DELIVERIES: maxLoggedDeliveriesPerAccount,
};
const beginScript = LuaScript.load<LogKey>('webhooks/begin-deliveries', constants);
const writeScript = LuaScript.load<LogKey, 'id' | 'record' | 'state' | 'endpoint' | 'health'>(
  'webhooks/write-delivery',
  constants,
);

export class RedisDeliveryLog implements DeliveryLog {
  constructor(private readonly redis: RedisClient) {}

  async begin(accountId: string, records: readonly DeliveryRecord[]): Promise<void> {
    if (records.length === 0) return;
    const args = records.flatMap((record) => [record.id, JSON.stringify(record)]);
    await beginScript.run(this.redis, keysOf(accountId), {}, { args }).catch(unavailable);
  }

  async write(accountId: string, record: DeliveryRecord, health: 'well' | 'failing' | '' = '') {
    const { id, state, webhookId } = record;
    const args = { id, record: JSON.stringify(record), state, endpoint: webhookId, health };
    const since = await writeScript.run(this.redis, keysOf(accountId), args).catch(unavailable);
    return since === null ? undefined : Number(since);
  }

  async find(accountId: string, id: string): Promise<DeliveryRecord | undefined> {
    const text = await this.redis.get(recordKey(accountId, id)).catch(unavailable);
    return text === null ? undefined : (JSON.parse(text) as DeliveryRecord);
  }

  async list(accountId: string, page: PageOf & DeliveryFilter): Promise<Page<DeliveryRecord>> {
    const keys = keysOf(accountId);
    const order = page.dead ? keys.dead : keys.order;
    const rank =
      page.after === undefined ? -1 : await this.redis.zrevrank(order, page.after).catch(unavailable);
    // The log drops the oldest deliveries first, so nothing follows a dropped one.
    if (rank === null) return { items: [] };
    const ids = await this.redis.zrevrange(order, rank + 1, rank + maxScanned).catch(unavailable);
    if (ids.length === 0) return { items: [] };
    const texts = await this.redis.mget(ids.map((id) => recordKey(accountId, id))).catch(unavailable);
    const items: DeliveryRecord[] = [];
    for (const [at, text] of texts.entries()) {
      const record = text === null ? undefined : (JSON.parse(text) as DeliveryRecord);
      if (record && matches(record, page)) items.push(record);
      const isLast = at === ids.length - 1 && ids.length < maxScanned;
      if (items.length === page.limit) return { items, ...(!isLast && nextOf(ids, at)) };
    }
    return { items, ...(ids.length === maxScanned && nextOf(ids, ids.length - 1)) };
  }

  async clearHealth(accountId: string, webhookId: string): Promise<void> {
    await this.redis.hdel(keysOf(accountId).failing, webhookId).catch(unavailable);
  }
}

const nextOf = (ids: readonly string[], at: number) => {
  const id = ids[at];
  return id === undefined ? {} : { next: id };
};

const matches = (
  record: DeliveryRecord,
  { state, webhookId, eventId, mode, since, ofSessions = false }: DeliveryFilter,
): boolean =>
  (state === undefined || record.state === state) &&
  (webhookId === undefined || record.webhookId === webhookId) &&
  (!ofSessions || record.sessionId !== undefined) &&
  (eventId === undefined || record.eventId === eventId) &&
  (mode === undefined || record.mode === mode) &&
  (since === undefined || record.timestamp >= since);
