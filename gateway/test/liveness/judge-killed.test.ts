/** A gateway that dies while it judges: another one judges the same frames, and the outcome is one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  type RunningGateway,
  type RunningServer,
  startGateway,
  startInference,
  startRedis,
} from '../../../deploy/local/harness/index.mjs';
import { KeyService } from '../../src/services/keys/keys';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { dueKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import { keySecret } from '../services';
import { type Receiver, startReceiver } from '../webhooks/receiver';
import { insist } from './insist';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { Phone } from './phone';

let tiers: RunningServer[];
let redis: Redis;
let folder: string;
let receiver: Receiver;
let people: readonly Person[];
let accountId: string;
let apiKey: string;
const gateways: RunningGateway[] = [];

async function newGateway(): Promise<RunningGateway> {
  const [store, tier] = tiers as [RunningServer, RunningServer];
  const gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: tier.url,
    KEY_SECRET: keySecret,
    NODE_ENV: 'test',
    // The lease of a check is 5 seconds longer; a slow machine must be able to judge within it.
    GATEWAY_DEADLINE_MS: '10000',
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
  redis = new Redis((tiers[0] as RunningServer).url);
  const accounts = new RedisKeyStore(redis);
  const keys = new KeyService(accounts, keySecret);
  accountId = (await keys.createAccount('Shop', 'growth')).id;
  apiKey = (await keys.createKey(accountId, 'live')).apiKey;
  const log = new RedisDeliveryLog(redis);
  const vault = webhookVault(keySecret);
  const addresses = new AddressGuard({ allowLoopback: true });
  const webhooks = new WebhookService({
    ...{ store: new RedisWebhookStore(redis), log, accounts, vault, addresses },
  });
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

test('killed while it judges: one outcome, one unit, one event, whether the page asks again or nobody does', async () => {
  const [first, second] = [await newGateway(), await newGateway()];
  const captured: { sessionId: string; phone: Phone; attemptId: string }[] = [];
  for (const [index, seed] of [12, 13].entries()) {
    const { sessionId, accessToken } = await call(first.url, 'POST', '/liveness');
    const phone = new Phone(first.url, sessionId, accessToken);
    await phone.start();
    const { attemptId, done } = await phone.capture(await sitter(people[index] as Person, { seed }));
    expect(done).toBe(true);
    captured.push({ sessionId, phone, attemptId });
  }
  const [asked, left] = captured as [(typeof captured)[0], (typeof captured)[0]];

  const cutOff = captured.map(({ phone, attemptId }) => phone.complete(attemptId).catch(() => 'cut off'));
  await Promise.all(captured.map(({ sessionId }) => checking(sessionId)));
  await first.kill();
  expect(await Promise.all(cutOff)).toEqual(['cut off', 'cut off']);
  for (const { sessionId } of captured) {
    const { session, frames } = sessionKeys({ accountId, sessionId });
    expect(await redis.hget(session, 'status')).toBe('checking');
    expect(await redis.hlen(frames)).toBeGreaterThan(10);
  }

  // One page asks another gateway, whose sweeper looks as well; the other person has gone.
  const { phone, attemptId } = asked;
  phone.url = second.url;
  expect((await phone.complete(attemptId)).body.error).toMatchObject({
    code: 'SESSION_STATE_CONFLICT',
    reason: 'checking',
  });
  const answer = await insist(() => phone.complete(attemptId));
  expect(answer.body.data).toEqual({ status: 'completed', attemptsLeft: 0 });
  expect((await phone.complete(attemptId)).body.data).toEqual(answer.body.data);

  const received = (await receiver.count(4)).map(({ body }) => JSON.parse(body));
  for (const { sessionId } of captured) {
    const events = received.filter((event) => event.sessionId === sessionId);
    expect(events.map(({ eventType }) => eventType)).toEqual(['session.started', 'session.completed']);
    expect((await call(second.url, 'GET', `/liveness/${sessionId}`)).result.isLive).toBe(true);
  }
  expect((await call(second.url, 'GET', `/liveness/${left.sessionId}`)).status).toBe('completed');
  const { used, reserved } = (await call(second.url, 'GET', '/usage')).productGroups.livenessDetection;
  expect({ used, reserved }).toEqual({ used: 2, reserved: 0 });
  // Nothing is left that anybody might end again.
  expect(await redis.zcard(dueKey(accountId))).toBe(0);
  expect(receiver.all).toHaveLength(4);
}, 180_000);

async function checking(sessionId: string): Promise<void> {
  const { session } = sessionKeys({ accountId, sessionId });
  while ((await redis.hget(session, 'status')) !== 'checking');
}
