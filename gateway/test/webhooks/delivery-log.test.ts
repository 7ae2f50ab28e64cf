/** Retention and size of the delivery log on a single Redis and on a cluster of three. */
import { randomUUID } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import { type DeliveryRecord, newRecord } from '../../src/services/webhooks/delivery-log';
import { accountKey } from '../../src/stores/account-key';
import type { RedisClient } from '../../src/stores/redis';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { describeOnEachRedis } from '../each-redis';

const { logRetentionSeconds, maxLoggedDeliveriesPerAccount } = limits.webhooks;
const retentionMs = 1_000 * logRetentionSeconds;

describeOnEachRedis((connection) => {
  let redis: RedisClient;
  let log: RedisDeliveryLog;
  let accountId: string;

  beforeAll(() => {
    redis = connection();
    log = new RedisDeliveryLog(redis);
  });
  beforeEach(() => {
    accountId = `acc_${randomUUID()}`;
  });

  const recordOf = (event: string): DeliveryRecord =>
    newRecord({
      accountId,
      eventId: `evt_${event}`,
      sessionId: 'ses_1',
      eventType: 'session.started',
      timestamp: 1,
      mode: 'live',
      webhookId: 'wh_1',
    } as const);
  const keyOf = ({ id }: DeliveryRecord) => accountKey(accountId, `delivery:${id}`);
  const idsOf = async (dead = false) =>
    (await log.list(accountId, { limit: 100, dead })).items.map(({ id }) => id);

  test('expires a record a fixed time after its last write, independent of other records', async () => {
    const [first, second] = [recordOf('1'), recordOf('2')];
    const isWhole = async (record: DeliveryRecord) => {
      const leftMs = await redis.pttl(keyOf(record));
      expect(leftMs).toBeLessThanOrEqual(retentionMs);
      return leftMs > retentionMs - 10_000;
    };
    await log.begin(accountId, [first]);
    expect(await isWhole(first)).toBe(true);
    await log.write(accountId, { ...first, state: 'dead' }, 'failing');
    // Simulates a write that was almost that long ago.
    await redis.pexpire(keyOf(first), 5_000);
    await log.begin(accountId, [first, second]);
    await log.write(accountId, { ...second, state: 'delivered' }, 'well');
    expect([await isWhole(first), await isWhole(second)]).toEqual([false, true]);
    expect(await log.find(accountId, first.id)).toEqual({ ...first, state: 'dead' });
    expect([await idsOf(), await idsOf(true)]).toEqual([[second.id, first.id], [first.id]]);
    await redis.del(keyOf(first));
    expect(await log.find(accountId, first.id)).toBeUndefined();
    expect([await idsOf(), await idsOf(true)]).toEqual([[second.id], []]);
    await log.write(accountId, { ...first, state: 'pending' });
    expect(await isWhole(first)).toBe(true);
  });

  test('drops the oldest records over the limit', async () => {
    const records = Array.from({ length: maxLoggedDeliveriesPerAccount }, (_, i) => recordOf(`${i}`));
    for (let at = 0; at < records.length; at += 1_000) {
      await log.begin(accountId, records.slice(at, at + 1_000));
    }
    const [oldest, newest] = [recordOf('0'), recordOf('newest')];
    expect(await log.find(accountId, oldest.id)).toEqual(oldest);
    await log.begin(accountId, [newest]);
    const order = accountKey(accountId, 'deliveries:order');
    expect(await redis.zcard(order)).toBe(maxLoggedDeliveriesPerAccount);
    expect(await redis.exists(keyOf(oldest))).toBe(0);
    expect((await log.list(accountId, { limit: 1 })).items).toEqual([newest]);
  });
});
