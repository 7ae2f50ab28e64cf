/** Deliveries of whole gateway processes, of which some die without a word. */

import { freePort, startGateway, startRedis } from '../../../deploy/local/harness/index.mjs';
import { adminServices } from '../../src/admin/services';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { outboxKey } from '../../src/stores/liveness/keys';
import { connectRedis } from '../../src/stores/redis';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { happen, newEvent, until } from './deployment';
import { type Receiver, received, startReceiver, verified } from './receiver';

const secret = '5a'.repeat(32);
const processes: { stop(): Promise<unknown> }[] = [];
const receivers: Receiver[] = [];

async function start() {
  const server = await startRedis();
  const inferenceUrl = `http://127.0.0.1:${await freePort()}`;
  const redis = await connectRedis({ url: server.url, cluster: false }, () => {});
  const admin = adminServices(redis, new HttpInferenceClient(inferenceUrl), secret, { allowLoopback: true });
  const { id: accountId } = await admin.keys.createAccount('Webhooks', 'free');
  const receiver = await startReceiver();
  const made = await admin.webhooks.create(accountId, {
    ...{ url: receiver.url, events: ['session.failed'], type: 'async' },
  });
  const gateway = () =>
    startGateway({
      ...{ REDIS_URL: server.url, KEY_SECRET: secret, INFERENCE_URL: inferenceUrl },
      ...{ NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'true', GATEWAY_DRAIN_MS: '0' },
      WEBHOOK_TAKEOVER_SECONDS: '5',
    });
  processes.push({ stop: async () => redis.disconnect() }, server);
  receivers.push(receiver);
  return { server, redis, accountId, receiver, secret: made.secret, gateway };
}

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  for (const one of processes.splice(0)) await one.stop();
});

const failed = (accountId: string) => newEvent(accountId, { eventType: 'session.failed' });

test('killed after the relay, during the delivery: another makes it, under the same id', async () => {
  const { redis, accountId, receiver, secret, gateway } = await start();
  const first = await gateway();
  receiver.answer = () => {};
  const { eventId } = await happen(redis, failed(accountId));
  await receiver.count(1);
  expect(await redis.xlen(outboxKey(accountId))).toBe(0);
  await first.kill();
  receiver.answer = received;
  const second = await gateway();
  await receiver.count(2);
  expect(receiver.all.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
  expect(receiver.all[0]?.body).toBe(receiver.all[1]?.body);
  for (const sent of receiver.all) verified(sent, secret);
  await second.stop();
}, 120_000);

test('killed again and again while events come: each arrives at least once, and the outbox is empty', async () => {
  const { redis, accountId, receiver, gateway } = await start();
  const ids: string[] = [];
  let one = await gateway();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 40; i++) ids.push((await happen(redis, failed(accountId))).eventId);
    await receiver.count(ids.length - 20);
    await one.kill();
    one = await gateway();
  }
  const arrived = () => new Set(receiver.all.map(({ headers }) => headers['webhook-id']));
  await until(
    async () => arrived().size,
    (size) => size === ids.length,
  );
  expect(arrived()).toEqual(new Set(ids));
  expect(await redis.xlen(outboxKey(accountId))).toBe(0);
  await one.stop();
}, 120_000);

test('in production nothing is sent to this machine unless the configuration says so', async () => {
  const { server, redis, accountId, receiver } = await start();
  const strict = await startGateway({
    ...{ REDIS_URL: server.url, KEY_SECRET: secret, INFERENCE_URL: 'http://127.0.0.1:1' },
    ...{ NODE_ENV: 'production', GATEWAY_DRAIN_MS: '0' },
  });
  await happen(redis, failed(accountId));
  const log = new RedisDeliveryLog(redis);
  const { items } = await until(
    () => log.list(accountId, { limit: 1 }),
    ({ items: [record] }) => record !== undefined && record.attempts > 0,
  );
  expect(items).toMatchObject([{ state: 'pending', failure: 'address' }]);
  expect(receiver.all).toEqual([]);
  await strict.stop();
});
