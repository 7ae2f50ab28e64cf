/** The event of an account whose usage reached a threshold, from the alert to real receivers. */
import accountEvents from '@presenza/contract/account-events.json';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import type { UsageAlert } from '../../src/services/billing/usage-alerts';
import { eventIds } from '../../src/services/webhooks/events';
import { RedisAlerts } from '../../src/stores/billing/redis-alerts';
import { type Deployment, deploy, until } from './deployment';
import { type Receiver, startReceiver, verified } from './receiver';

const [{ example }] = accountEvents as [(typeof accountEvents)[number]];
const { month, threshold, used, quota } = example.usage;
const alert = { month, group: 'imageAnalysis', threshold, used, quota } as UsageAlert;

let server: RunningServer;
let deployment: Deployment;
let receiver: Receiver;
let other: Receiver;
beforeAll(async () => {
  server = await startRedis();
  deployment = await deploy(server.url);
  [receiver, other] = await Promise.all([startReceiver(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([receiver.close(), other.close(), deployment.stop()]);
  await server.stop();
});

test('reaches the endpoints that take it, once and with a signature, and can be replayed', async () => {
  const accountId = await deployment.account();
  const { secret } = await deployment.endpoint(accountId, receiver.url, { events: ['usage.threshold'] });
  // An endpoint with the events that it has by default.
  const { endpoint: usual } = await deployment.endpoint(accountId, other.url, { events: eventIds });
  const alerts = new RedisAlerts(deployment.redis);
  const claims = await Promise.all(Array.from({ length: 5 }, () => alerts.claim(accountId, alert)));
  expect(claims.filter(Boolean)).toHaveLength(1);

  const [first] = await receiver.count(1);
  const body = verified(first as never, secret);
  expect(body).toEqual({ ...example, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
  const [record] = await until(
    async () => (await deployment.log.list(accountId, { limit: 10 })).items,
    ([delivery]) => delivery?.state === 'delivered',
  );
  expect(record).toMatchObject({ eventType: 'usage.threshold', usage: example.usage });
  expect(record).not.toHaveProperty('sessionId');
  expect((await deployment.log.list(accountId, { limit: 10, webhookId: usual.id })).items).toEqual([]);
  // The public API knows only events of sessions.
  expect((await deployment.log.list(accountId, { limit: 10, ofSessions: true })).items).toEqual([]);

  expect(await deployment.deliveries.replay(accountId, { deliveryId: record?.id ?? '' })).toBe(1);
  const [, again] = await receiver.count(2);
  expect(again?.body).toBe(first?.body);
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(other.all).toEqual([]);
});
