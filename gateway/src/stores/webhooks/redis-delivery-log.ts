/**
 * The log of deliveries in Redis: records, which end by themselves, their order, and the order of the dead letters among
 * them.
 */
import limits from '@presenza/contract/limits.json';
import type { Page, PageOf } from '../../services/keys/accounts';
import type { DeliveryFilter, DeliveryLog, DeliveryRecord } from '../../services/webhooks/delivery-log';
import { accountKey } from '../account-key';
import { type RedisClient, unavailable } from '../redis';

const { logRetentionSeconds, maxLoggedDeliveriesPerAccount } = limits.webhooks;
/** Records looked through for one page that chooses few. */
const scanned = 1_000;

/** The names of the log's keys, in the order of the scripts; the first is what those of all records begin with. */
const keysOf = (accountId: string) =>
  ['delivery', 'deliveries:order', 'deliveries:dead', 'webhooks:failing'].map((name) =>
    accountKey(accountId, name),
  ) as [string, string, string, string];
const recordKey = (accountId: string, id: string) => `${keysOf(accountId)[0]}:${id}`;

/** Of a record, from when it was written last. */
const retentionMs = 1_000 * logRetentionSeconds;
/** Of its place in the order, from when it was entered: longer than its attempts take and it is kept after the last. */
const orderMs = 2 * retentionMs;

const prelude = `
local records, order, dead, failing = unpack(KEYS)
local function keyOf(id) return records .. ':' .. id end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function trim()
  local old = redis.call('ZRANGEBYSCORE', order, '-inf', now - ${orderMs}, 'LIMIT', 0, 100)
  local surplus = redis.call('ZCARD', order) - #old - ${maxLoggedDeliveriesPerAccount}
  if surplus > 0 then
    for _, id in ipairs(redis.call('ZRANGE', order, #old, #old + surplus - 1)) do old[#old + 1] = id end
  end
  for _, id in ipairs(old) do
    redis.call('DEL', keyOf(id))
    redis.call('ZREM', order, id)
    redis.call('ZREM', dead, id)
  end
  for _, key in ipairs({ order, dead }) do redis.call('PEXPIRE', key, ${orderMs}) end
  redis.call('PEXPIRE', failing, ${retentionMs})
end`;

/** ARGV: id and record of each. */
const beginScript = `${prelude}
for at = 1, #ARGV, 2 do
  local id, record = ARGV[at], ARGV[at + 1]
  if redis.call('SET', keyOf(id), record, 'NX', 'PX', ${retentionMs}) then redis.call('ZADD', order, now, id) end
end
trim()
return 1`;

/**
 * ARGV: id, record, state, endpoint, health. Answers since when the endpoint fails, or nothing.
 * A failure that is told late stands beside the success that came after it for no longer than until the next one.
 */
const writeScript = `${prelude}
local id, record, state, endpoint, health = unpack(ARGV)
redis.call('SET', keyOf(id), record, 'PX', ${retentionMs})
redis.call('ZADD', order, 'NX', now, id)
if state == 'dead' then redis.call('ZADD', dead, now, id) else redis.call('ZREM', dead, id) end
if health == 'well' then redis.call('HDEL', failing, endpoint) end
if health == 'failing' then redis.call('HSETNX', failing, endpoint, now) end
trim()
return redis.call('HGET', failing, endpoint)`;

export class RedisDeliveryLog implements DeliveryLog {
  constructor(private readonly redis: RedisClient) {}

  async begin(accountId: string, records: readonly DeliveryRecord[]): Promise<void> {
    if (records.length === 0) return;
    const args = records.flatMap((record) => [record.id, JSON.stringify(record)]);
    await this.redis.eval(beginScript, 4, ...keysOf(accountId), ...args).catch(unavailable);
  }

  async write(accountId: string, record: DeliveryRecord, health: 'well' | 'failing' | '' = '') {
    const { id, state, webhookId } = record;
    const args = [id, JSON.stringify(record), state, webhookId, health];
    const since = await this.redis.eval(writeScript, 4, ...keysOf(accountId), ...args).catch(unavailable);
    return since === null ? undefined : Number(since);
  }

  async find(accountId: string, id: string): Promise<DeliveryRecord | undefined> {
    const text = await this.redis.get(recordKey(accountId, id)).catch(unavailable);
    return text === null ? undefined : (JSON.parse(text) as DeliveryRecord);
  }

  async list(accountId: string, page: PageOf & DeliveryFilter): Promise<Page<DeliveryRecord>> {
    const [, all, dead] = keysOf(accountId);
    const order = page.dead ? dead : all;
    const rank =
      page.after === undefined ? -1 : await this.redis.zrevrank(order, page.after).catch(unavailable);
    // What came after it was dropped from the log together with it.
    if (rank === null) return { items: [] };
    const ids = await this.redis.zrevrange(order, rank + 1, rank + scanned).catch(unavailable);
    if (ids.length === 0) return { items: [] };
    const texts = await this.redis.mget(ids.map((id) => recordKey(accountId, id))).catch(unavailable);
    const items: DeliveryRecord[] = [];
    for (const [at, text] of texts.entries()) {
      const record = text === null ? undefined : (JSON.parse(text) as DeliveryRecord);
      if (record && fits(record, page)) items.push(record);
      if (items.length === page.limit) return { items, ...nextOf(ids, at) };
    }
    return { items, ...(ids.length === scanned && nextOf(ids, ids.length - 1)) };
  }

  async clearHealth(accountId: string, webhookId: string): Promise<void> {
    await this.redis.hdel(keysOf(accountId)[3], webhookId).catch(unavailable);
  }
}

const nextOf = (ids: readonly string[], at: number) => {
  const id = ids[at];
  return id === undefined ? {} : { next: id };
};

const fits = (record: DeliveryRecord, { webhookId, eventId, since }: DeliveryFilter): boolean =>
  (webhookId === undefined || record.webhookId === webhookId) &&
  (eventId === undefined || record.eventId === eventId) &&
  (since === undefined || record.timestamp >= since);
