/**
 * Kills each part of the service during each call of a session: the session continues where it was, every transition
 * happens once, its event arrives under one id, and its unit is billed once.
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
} from '../../harness/index.mjs';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { keySecret } from '../services';
import { until } from '../webhooks/deployment';
import { type Receiver, startReceiver, verified } from '../webhooks/receiver';
import { newWebhookAccount } from './account';
import { jpegOf } from './people/image';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { type ApiResponse, Phone } from './phone';
import { retryCall } from './retry-call';

const partNames = ['redis', 'inference', 'gateway'] as const;
type PartName = (typeof partNames)[number];

/** Starts each part at the same address and with its earlier data. */
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
      // The leases of checks and creations depend on it, and a slow machine must finish a check within it.
      GATEWAY_DEADLINE_MS: '6000',
      KEY_SECRET: keySecret,
      WEBHOOK_TAKEOVER_SECONDS: '5',
      NODE_ENV: 'test',
    });
  for (const name of partNames) running[name] = await starts[name]();
  redis = new Redis(redisPort);
  // The test kills Redis, so connections fail.
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

/** Makes a call, kills a part during it, and retries until it succeeds. */
async function killDuring(name: PartName, call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const cutOff = call().catch(() => undefined);
  await kill(name);
  await cutOff;
  return retryCall(call);
}

async function newAccount() {
  const events = ['session.started', 'session.completed', 'session.failed', 'session.cancelled'];
  const { accountId, apiKey, secret } = await newWebhookAccount(redis, receiver.url, events);
  const call = async (method: string, path: string, idempotencyKey?: string): Promise<ApiResponse> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const response = await fetch(`${running.gateway.url}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { accountId, secret, call };
}

/** The events of a session by their ids. An event may arrive more than once under the same id. */
const eventsOf = (sessionId: string, secret: string) =>
  new Map(
    receiver.all
      .filter(({ body }) => body.includes(sessionId))
      .map((delivery) => [String(delivery.headers['webhook-id']), verified(delivery, secret).eventType]),
  );

test.each(partNames)(
  'each session ends once when %s is killed at every step',
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
    const repeated = await retryCall(() => phone.frame(attemptId, first, frame), ['frame']);
    // The first call may have been accepted, so that the retry is refused.
    expect([200, 409]).toContain(repeated.status);

    const leaving = await retryCall(() => call('POST', '/liveness', `left-${name}`));
    const left = leaving.body.data;
    const other = new Phone(running.gateway.url, left.sessionId, left.accessToken);
    await retryCall(other.start);
    expect((await killDuring(name, other.cancel)).body.data.status).toBe('cancelled');

    const captured = await phone.capture(subject);
    expect(captured.done).toBe(true);
    const { session } = sessionKeys({ accountId, sessionId });
    const judging = phone.complete(captured.attemptId).catch(() => undefined);
    await until(
      () => redis.hget(session, 'status'),
      (status) => status !== 'started',
    );
    await kill(name);
    await judging;
    const outcome = await retryCall(() => phone.complete(captured.attemptId));
    await kill(name);
    expect(outcome.body.data).toMatchObject({ status: 'completed' });

    const types = () => [...eventsOf(sessionId, secret).values()];
    for (let come = 1; !types().includes('session.completed'); come++) await receiver.count(come);
    expect(types().sort()).toEqual(['session.completed', 'session.started']);
    const { body: view } = await retryCall(() => call('GET', `/liveness/${sessionId}`));
    expect(view.data).toMatchObject({ status: 'completed', result: { isLive: true } });
    const { body: usage } = await retryCall(() => call('GET', '/usage'));
    expect(usage.data.productGroups.livenessDetection).toMatchObject({ used: 1, reserved: 0 });
    const leftTypes = () => [...eventsOf(left.sessionId, secret).values()];
    for (let come = 1; !leftTypes().includes('session.cancelled'); come++) await receiver.count(come);
    expect(leftTypes().sort()).toEqual(['session.cancelled', 'session.started']);
    // The first call may have erased the session already.
    const erase = () => call('DELETE', `/liveness/${sessionId}`);
    const cut = erase().catch(() => undefined);
    await kill(name);
    await cut;
    await retryCall(erase, ['session']);
    expect((await retryCall(() => call('GET', `/liveness/${sessionId}`), ['session'])).status).toBe(404);
  },
  180_000,
);
