/**
 * Webhooks during outages of Redis and on a cluster.
 *
 * Slow: it takes Redis away during deliveries and waits for its return.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from 'ioredis';
import { freePort, startRedis, startRedisCluster } from '../../harness/index.mjs';
import { outboxKey } from '../../src/stores/liveness/keys';
import { isResponding } from '../../src/stores/redis';
import { deploy, happen, newEvent, until } from './deployment';
import { startReceiver } from './receiver';

// First, because BullMQ keeps waiting for Redis and ends during the other tests.
test('shuts down while Redis is unavailable', async () => {
  const server = await startRedis();
  const deployment = await deploy(server.url, { closeMs: 2_000 });
  await server.stop();
  // A shutdown without its own bound would wait for this Redis, which never returns.
  await expect(deployment.stop()).resolves.toBeUndefined();
});

test('loses no event in an outage of Redis and logs it once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-webhooks-'));
  const port = await freePort();
  const before = await startRedis({ folder, port, durable: true });
  const deployment = await deploy(before.url);
  const accountId = await deployment.account();
  const target = await startReceiver();
  await deployment.endpoint(accountId, target.url);
  const first = await happen(deployment.redis, newEvent(accountId));
  deployment.webhooks.events.notify(accountId);
  await target.count(1);
  const second = await happen(deployment.redis, newEvent(accountId));
  await before.stop();
  deployment.webhooks.events.notify(accountId);
  await until(
    async () => deployment.lines.length,
    (length) => length > 0,
  );
  const said = deployment.lines.length;
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(deployment.lines.length - said).toBeLessThanOrEqual(2);

  const after = await startRedis({ folder, port, durable: true });
  await target.count(2);
  // The queue may reconnect before this client.
  await until(
    () => isResponding(deployment.redis),
    (isBack) => isBack,
  );
  const third = await happen(deployment.redis, newEvent(accountId));
  deployment.webhooks.events.notify(accountId);
  await target.count(3);
  expect(new Set(target.all.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([first, second, third].map(({ eventId }) => eventId)),
  );
  await deployment.stop();
  await target.close();
  await after.stop();
  rmSync(folder, { recursive: true });
});

test('delivers on a cluster', async () => {
  const cluster = await startRedisCluster();
  const deployment = await deploy(cluster.url, { cluster: true });
  expect(deployment.redis).toBeInstanceOf(Cluster);
  const target = await startReceiver();
  const accounts = await Promise.all(Array.from({ length: 4 }, () => deployment.account()));
  for (const accountId of accounts) {
    await deployment.endpoint(accountId, target.url);
    await happen(deployment.redis, newEvent(accountId));
    await happen(deployment.redis, newEvent(accountId));
    deployment.webhooks.events.notify(accountId);
  }
  await target.count(8);
  for (const accountId of accounts) {
    await until(
      () => deployment.redis.xlen(outboxKey(accountId)),
      (length) => length === 0,
    );
    const { items } = await until(
      () => deployment.log.list(accountId, { limit: 5 }),
      (page) => page.items.every(({ state }) => state === 'delivered'),
    );
    expect(items).toHaveLength(2);
  }
  await deployment.stop();
  await target.close();
  await cluster.stop();
});
