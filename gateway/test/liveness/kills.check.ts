/**
 * Each part of the service killed at every step of a session, in the midst of the call: the session goes on where it
 * was, every transition happens once, its event arrives under one id, and its unit is billed once.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  freePort,
  type RunningServer,
  startGateway,
  startInference,
  startRedis,
} from '../../../deploy/local/harness/index.mjs';
import { KeyService } from '../../src/services/keys/keys';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import { keySecret } from '../services';
import { type Receiver, startReceiver, verified } from '../webhooks/receiver';
import { insist } from './insist';
import { loadPeople, type Person } from './people/people';
import { jpegOf } from './people/picture';
import { sitter } from './people/subject';
import { type Answer, Phone } from './phone';

const partNames = ['redis', 'inference', 'gateway'] as const;
type PartName = (typeof partNames)[number];

/** How each is started, always at the same place and with what it left there. */
const starts = {} as Record<PartName, () => Promise<RunningServer>>;
const running = {} as Record<PartName, RunningServer>;
let folder: string;
let receiver: Receiver;
let redis: Redis;
let people: readonly Person[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-kills-'));
  const [redisPort, inferencePort, gatewayPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const redisFolder = join(folder, 'redis');
  mkdirSync(redisFolder);
  starts.redis = () => startRedis({ folder: redisFolder, port: redisPort, durable: true });
  starts.inference = () => startInference({ INFERENCE_PORT: String(inferencePort) });
  starts.gateway = () =>
    startGateway({
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      INFERENCE_URL: `http://127.0.0.1:${inferencePort}`,
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_JOURNAL: join(folder, 'journal'),
      // How long a check, or a creation, of a gateway that died is kept from others hangs on it; a slow machine must be
      // able to judge within it.
      GATEWAY_DEADLINE_MS: '6000',
      KEY_SECRET: keySecret,
      WEBHOOK_TAKEOVER_SECONDS: '5',
      NODE_ENV: 'test',
    });
  for (const name of partNames) running[name] = await starts[name]();
  redis = new Redis(redisPort);
  // It says that the connection is lost, which it is meant to be.
  redis.on('error', () => {});
  [receiver, people] = await Promise.all([startReceiver(), loadPeople()]);
});
afterAll(async () => {
  redis?.disconnect();
  for (const name of [...partNames].reverse()) await running[name]?.stop();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});

async function kill(name: PartName): Promise<void> {
  await running[name].kill();
  running[name] = await starts[name]();
}

/** Makes a call, kills a part in its midst, and makes it again until it is done. */
async function killDuring(name: PartName, call: () => Promise<Answer>): Promise<Answer> {
  const cutOff = call().catch(() => undefined);
  await kill(name);
  await cutOff;
  return insist(call);
}

async function newAccount() {
  const accounts = new RedisKeyStore(redis);
  const keys = new KeyService(accounts, keySecret);
  const { id: accountId } = await keys.createAccount('Shop', 'business');
  const { apiKey } = await keys.createKey(accountId, 'live');
  const vault = webhookVault(keySecret);
  const log = new RedisDeliveryLog(redis);
  const addresses = new AddressGuard({ allowLoopback: true });
  const webhooks = new WebhookService({
    ...{ store: new RedisWebhookStore(redis), log, accounts, vault, addresses },
  });
  const events = ['session.started', 'session.completed', 'session.failed', 'session.cancelled'] as const;
  const { secret } = await webhooks.create(accountId, {
    url: receiver.url,
    events: [...events],
    type: 'async',
  });
  const call = async (method: string, path: string, idempotencyKey?: string): Promise<Answer> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const response = await fetch(`${running.gateway.url}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { accountId, secret, call };
}

/** What came of a session, by id of the event: an event may come more than once, under the id it has. */
const eventsOf = (sessionId: string, secret: string) =>
  new Map(
    receiver.all
      .filter(({ body }) => body.includes(sessionId))
      .map((one) => [String(one.headers['webhook-id']), verified(one, secret).eventType]),
  );

test.each(partNames)(
  '%s',
  async (name) => {
    const { accountId, secret, call } = await newAccount();
    const created = await killDuring(name, () => call('POST', '/liveness', `creation-${name}`));
    const { sessionId, accessToken } = created.body.data;
    const phone = new Phone(running.gateway.url, sessionId, accessToken);
    await killDuring(name, phone.start);
    const begun = await killDuring(name, phone.begin);

    const subject = await sitter(people[0] as Person, { seed: 21 });
    const frame = await jpegOf(await subject.frameAt(0));
    const { attemptId, nonces } = begun.body.data;
    const [first] = nonces;
    const cutOff = phone.frame(attemptId, first, frame).catch(() => undefined);
    await kill(name);
    await cutOff;
    const repeated = await insist(() => phone.frame(attemptId, first, frame), ['frame']);
    // It may have been taken before; then it is not taken again.
    expect([200, 409]).toContain(repeated.status);

    const leaving = await insist(() => call('POST', '/liveness', `left-${name}`));
    const left = leaving.body.data;
    const other = new Phone(running.gateway.url, left.sessionId, left.accessToken);
    await insist(other.start);
    expect((await killDuring(name, other.cancel)).body.data.status).toBe('cancelled');

    const captured = await phone.capture(subject);
    expect(captured.done).toBe(true);
    const { session } = sessionKeys({ accountId, sessionId });
    const judging = phone.complete(captured.attemptId).catch(() => undefined);
    while ((await redis.hget(session, 'status')) === 'started');
    await kill(name);
    await judging;
    const outcome = await insist(() => phone.complete(captured.attemptId));
    await kill(name);
    expect(outcome.body.data).toMatchObject({ status: 'completed' });

    const types = () => [...eventsOf(sessionId, secret).values()];
    for (let come = 1; !types().includes('session.completed'); come++) await receiver.count(come);
    expect(types().sort()).toEqual(['session.completed', 'session.started']);
    const { body: view } = await insist(() => call('GET', `/liveness/${sessionId}`));
    expect(view.data).toMatchObject({ status: 'completed', result: { isLive: true } });
    const { body: usage } = await insist(() => call('GET', '/usage'));
    expect(usage.data.productGroups.livenessDetection).toMatchObject({ used: 1, reserved: 0 });
    const leftTypes = () => [...eventsOf(left.sessionId, secret).values()];
    for (let come = 1; !leftTypes().includes('session.cancelled'); come++) await receiver.count(come);
    expect(leftTypes().sort()).toEqual(['session.cancelled', 'session.started']);
    // What was erased the first time is not there the second time.
    const erase = () => call('DELETE', `/liveness/${sessionId}`);
    const cut = erase().catch(() => undefined);
    await kill(name);
    await cut;
    await insist(erase, ['session']);
    expect((await insist(() => call('GET', `/liveness/${sessionId}`), ['session'])).status).toBe(404);
  },
  180_000,
);
