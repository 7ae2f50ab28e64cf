/**
 * Webhook deliveries of real gateway processes, some of which are killed.
 *
 * Slow: gateways are killed during deliveries, and others take over after 20 s.
 */
import { type RunningGateway, type RunningServer, startGateway, startRedis } from '../../harness/index.mjs';
import { adminServices } from '../../src/admin/services';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { outboxKey } from '../../src/stores/liveness/keys';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { happen, newEvent, until } from './deployment';
import { type Receiver, received, startReceiver, verified } from './receiver';

const secret = '5a'.repeat(32);
/** Webhooks need no inference tier. */
const inferenceUrl = 'http://127.0.0.1:1';

let server: RunningServer;
let redis: RedisClient;
const gateways: RunningGateway[] = [];
const receivers: Receiver[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
});
afterAll(async () => {
  await Promise.all([
    ...gateways.map((server) => server.stop()),
    ...receivers.map((server) => server.close()),
  ]);
  redis.disconnect();
  await server.stop();
});

/** An account with an endpoint at a receiver of its own. */
async function newAccount(events = ['session.failed']) {
  const admin = adminServices(redis, new HttpInferenceClient(inferenceUrl), secret, { allowLoopback: true });
  const { id: accountId } = await admin.keys.createAccount('Webhooks', 'free');
  const receiver = await startReceiver();
  receivers.push(receiver);
  const created = await admin.webhooks.create(accountId, {
    url: receiver.url,
    events,
    type: 'async',
  });
  const { apiKey } = await admin.keys.createKey(accountId, 'test');
  return { accountId, apiKey, receiver, secret: created.secret };
}

async function newGateway(
  configuration: Record<string, string> = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' },
) {
  const gateway = await startGateway({
    REDIS_URL: server.url,
    KEY_SECRET: secret,
    INFERENCE_URL: inferenceUrl,
    NODE_ENV: 'production',
    GATEWAY_DRAIN_MS: '0',
    WEBHOOK_TAKEOVER_SECONDS: '2',
    ...configuration,
  });
  gateways.push(gateway);
  return gateway;
}

const failed = (accountId: string) => newEvent(accountId, { eventType: 'session.failed' });

test('does not deliver to this machine by default', async () => {
  const { accountId, receiver } = await newAccount();
  const strict = await newGateway({});
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

describe('after a kill', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await newGateway();
  });
  const killAndReplace = async () => {
    const [replacement] = await Promise.all([newGateway(), gateway.kill()]);
    gateway = replacement;
  };

  test('the events of a session with a test outcome arrive, without inference', async () => {
    const { apiKey, receiver, secret } = await newAccount(['session.started', 'session.completed']);
    const created = await fetch(`${gateway.url}/liveness`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ testOutcome: 'noMatch', metadata: { order: 7 } }),
    });
    expect(created.status).toBe(200);
    const [started, completed] = (await receiver.count(2)).map((sent) => verified(sent, secret));
    expect(started).toMatchObject({ eventType: 'session.started', metadata: { order: 7 } });
    expect(completed).toMatchObject({
      eventType: 'session.completed',
      sessionId: started?.sessionId,
      metadata: { order: 7 },
      result: { isLive: true },
      match: { isMatch: false },
    });
  });

  test('another gateway repeats a delivery under the same id', async () => {
    const { accountId, receiver, secret } = await newAccount();
    receiver.respond = () => {};
    const { eventId } = await happen(redis, failed(accountId));
    await receiver.count(1);
    expect(await redis.xlen(outboxKey(accountId))).toBe(0);
    receiver.respond = received;
    await killAndReplace();
    await receiver.count(2);
    expect(receiver.all.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(receiver.all[0]?.body).toBe(receiver.all[1]?.body);
    for (const sent of receiver.all) verified(sent, secret);
  });

  test('every event arrives at least once and leaves the outbox, however often gateways are killed', async () => {
    const { accountId, receiver } = await newAccount();
    const ids: string[] = [];
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 40; i++) ids.push((await happen(redis, failed(accountId))).eventId);
      await receiver.count(ids.length - 20);
      await killAndReplace();
    }
    const arrived = () => new Set(receiver.all.map(({ headers }) => headers['webhook-id']));
    await until(
      async () => arrived().size,
      (size) => size === ids.length,
    );
    expect(arrived()).toEqual(new Set(ids));
    expect(await redis.xlen(outboxKey(accountId))).toBe(0);
  });
});
