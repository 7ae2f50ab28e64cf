/** A gateway that dies while it judges: another one judges the same frames, and the outcome is one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { KeyService } from '../../src/services/keys/keys';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { dueKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import {
  type RunningGateway,
  type RunningProcess,
  startGateway,
  startInference,
  startRedis,
} from '../processes';
import { keySecret } from '../services';
import { type Receiver, startReceiver } from '../webhooks/receiver';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { Phone } from './phone';

let tiers: RunningProcess[];
let redis: Redis;
let folder: string;
let receiver: Receiver;
let people: readonly Person[];
let accountId: string;
let apiKey: string;
const gateways: RunningGateway[] = [];

async function newGateway(): Promise<RunningGateway> {
  const [store, tier] = tiers as [RunningProcess, RunningProcess];
  const gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: tier.url,
    KEY_SECRET: keySecret,
    NODE_ENV: 'test',
    // The lease of a check is 5 seconds longer.
    GATEWAY_DEADLINE_MS: '4000',
    GATEWAY_JOURNAL: join(folder, String(gateways.length)),
  });
  gateways.push(gateway);
  return gateway;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-judge-'));
  [tiers, receiver, people] = await Promise.all([
    Promise.all([startRedis(), startInference()]),
    startReceiver(),
    loadPeople(),
  ]);
  redis = new Redis((tiers[0] as RunningProcess).url);
  const accounts = new RedisKeyStore(redis);
  const keys = new KeyService(accounts, keySecret);
  accountId = (await keys.createAccount('Shop', 'growth')).id;
  apiKey = (await keys.createKey(accountId, 'live')).apiKey;
  const log = new RedisDeliveryLog(redis);
  const vault = webhookVault(keySecret);
  const webhooks = new WebhookService({ store: new RedisWebhookStore(redis), log, accounts, vault });
  const events = ['session.started', 'session.completed', 'session.failed'] as const;
  await webhooks.create(accountId, { url: receiver.url, events: [...events], type: 'async' });
});
afterAll(async () => {
  await Promise.all(gateways.map((one) => one.stop()));
  redis.disconnect();
  await Promise.all([...tiers.map((one) => one.stop()), receiver.close()]);
  rmSync(folder, { recursive: true });
});

async function call(url: string, method: string, path: string) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(url + path, { method, headers });
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked against the contract elsewhere
  return ((await response.json()) as any).data;
}

test('killed while it judges: one outcome, one unit, one event', async () => {
  const [first, second] = [await newGateway(), await newGateway()];
  const { sessionId, accessToken } = await call(first.url, 'POST', '/liveness');
  const phone = new Phone(first.url, sessionId, accessToken);
  await phone.start();
  const { attemptId, done } = await phone.capture(await sitter(people[1] as Person, { seed: 12 }));
  expect(done).toBe(true);

  const { session, frames } = sessionKeys({ accountId, sessionId });
  const cutOff = phone.complete(attemptId).catch(() => 'cut off');
  while ((await redis.hget(session, 'status')) !== 'checking');
  await first.kill();
  expect(await cutOff).toBe('cut off');
  expect(await redis.hget(session, 'status')).toBe('checking');
  expect(await redis.hlen(frames)).toBeGreaterThan(10);

  // The page asks another gateway, whose sweeper looks as well.
  phone.url = second.url;
  let answer = await phone.complete(attemptId);
  expect(answer.body.error).toMatchObject({ code: 'SESSION_STATE_CONFLICT', reason: 'checking' });
  while (answer.status === 409) {
    await delay(1_000 * Number(answer.headers.get('retry-after')));
    answer = await phone.complete(attemptId);
  }
  expect(answer.body.data).toEqual({ status: 'completed', attemptsLeft: 0 });
  expect((await phone.complete(attemptId)).body.data).toEqual(answer.body.data);
  expect((await call(second.url, 'GET', `/liveness/${sessionId}`)).result.isLive).toBe(true);

  const events = (await receiver.count(2)).map(({ body }) => JSON.parse(body));
  expect(events.map(({ eventType }) => eventType)).toEqual(['session.started', 'session.completed']);
  const { used, reserved } = (await call(second.url, 'GET', '/usage')).productGroups.livenessDetection;
  expect({ used, reserved }).toEqual({ used: 1, reserved: 0 });
  // Nothing is left that anybody might end again.
  expect(await redis.zcard(dueKey(accountId))).toBe(0);
  expect(receiver.all).toHaveLength(2);
}, 120_000);

test('nobody asks any more: the sweeper of another gateway ends it', async () => {
  const [, second] = gateways as [RunningGateway, RunningGateway];
  const third = await newGateway();
  const { sessionId, accessToken } = await call(third.url, 'POST', '/liveness');
  const phone = new Phone(third.url, sessionId, accessToken);
  await phone.start();
  const { attemptId } = await phone.capture(await sitter(people[0] as Person, { seed: 13 }));
  const { session } = sessionKeys({ accountId, sessionId });
  const cutOff = phone.complete(attemptId).catch(() => 'cut off');
  while ((await redis.hget(session, 'status')) !== 'checking');
  await third.kill();
  expect(await cutOff).toBe('cut off');
  await receiver.count(4);
  expect((await call(second.url, 'GET', `/liveness/${sessionId}`)).status).toBe('completed');
  expect((await call(second.url, 'GET', '/usage')).productGroups.livenessDetection.used).toBe(2);
}, 120_000);
