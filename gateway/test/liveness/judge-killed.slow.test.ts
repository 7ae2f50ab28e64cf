/**
 * A gateway dies during a check: another gateway checks the same frames, and each session ends once.
 *
 * Slow: gateways are killed during checks of whole captures, and their leases have to expire.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import limits from '@presenza/contract/limits.json';
import { Redis } from 'ioredis';
import { type RunningGateway, type RunningServer, startGateway, startRedis } from '../../harness/index.mjs';
import { dueKey, sessionKeys } from '../../src/stores/liveness/keys';
import { keySecret } from '../services';
import { sharedTierUrl } from '../shared-tier';
import { until } from '../webhooks/deployment';
import { type Receiver, startReceiver } from '../webhooks/receiver';
import { newWebhookAccount } from './account';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { Phone } from './phone';
import { retryCall } from './retry-call';

let store: RunningServer;
let redis: Redis;
let folder: string;
let receiver: Receiver;
let people: readonly Person[];
let accountId: string;
let apiKey: string;
const gateways: RunningGateway[] = [];

async function newGateway(name: string, deadlineMs: number): Promise<RunningGateway> {
  const gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: sharedTierUrl(),
    KEY_SECRET: keySecret,
    NODE_ENV: 'test',
    // The lease of a check is 5 seconds longer.
    GATEWAY_DEADLINE_MS: String(deadlineMs),
    LIVENESS_ATTEMPT_SECONDS: '300',
    GATEWAY_JOURNAL: join(folder, name),
  });
  gateways.push(gateway);
  return gateway;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-judge-'));
  [store, receiver, people] = await Promise.all([startRedis(), startReceiver(), loadPeople()]);
  redis = new Redis(store.url);
  const events = ['session.started', 'session.completed', 'session.failed'];
  ({ accountId, apiKey } = await newWebhookAccount(redis, receiver.url, events));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  redis.disconnect();
  await Promise.all([store.stop(), receiver.close()]);
  rmSync(folder, { recursive: true });
});

async function call(url: string, method: string, path: string) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(url + path, { method, headers });
  // biome-ignore lint/suspicious/noExplicitAny: other tests check responses against the contract
  return ((await response.json()) as any).data;
}

test('a session whose gateway is killed during the check ends once, with one unit and one event, even if the page does not retry', async () => {
  const [first, second] = await Promise.all([
    newGateway('first', 5_000),
    // Two checks at once must finish within its deadline, even on a busy machine.
    newGateway('second', 120_000),
  ]);
  const captureOf = async (person: Person, seed: number) => {
    const { sessionId, accessToken } = await call(first.url, 'POST', '/liveness');
    const phone = new Phone(first.url, sessionId, accessToken);
    await phone.start();
    const { attemptId, done } = await phone.capture(await sitter(person, { seed }));
    expect(done).toBe(true);
    await storeFilmTimes(sessionId);
    return { sessionId, phone, attemptId };
  };
  // One after the other, because both must end within the time of an attempt, even on a busy machine.
  const captured = [
    await captureOf(people[0] as Person, 12),
    await captureOf(people[1] as Person, 13),
  ] as const;
  const [retried, abandoned] = captured;

  const cutOff = captured.map(({ phone, attemptId }) => phone.complete(attemptId).catch(() => 'cut off'));
  await Promise.all(captured.map(({ sessionId }) => checking(sessionId)));
  await first.kill();
  expect(await Promise.all(cutOff)).toEqual(['cut off', 'cut off']);
  for (const { sessionId } of captured) {
    const { session, frames } = sessionKeys({ accountId, sessionId });
    expect(await redis.hget(session, 'status')).toBe('checking');
    expect(await redis.hlen(frames)).toBeGreaterThan(10);
  }

  // One page retries at the other gateway, which sweeps as well; the other user is gone.
  const { phone, attemptId } = retried;
  phone.url = second.url;
  expect((await phone.complete(attemptId)).body.error).toMatchObject({
    code: 'SESSION_STATE_CONFLICT',
    reason: 'checking',
  });
  const response = await retryCall(() => phone.complete(attemptId));
  expect(response.body.data).toEqual({ status: 'completed', attemptsLeft: 0 });
  expect((await phone.complete(attemptId)).body.data).toEqual(response.body.data);

  const received = (await receiver.count(4)).map(({ body }) => JSON.parse(body));
  for (const { sessionId } of captured) {
    const events = received.filter((event) => event.sessionId === sessionId);
    expect(events.map(({ eventType }) => eventType)).toEqual(['session.started', 'session.completed']);
    expect((await call(second.url, 'GET', `/liveness/${sessionId}`)).result.isLive).toBe(true);
  }
  expect((await call(second.url, 'GET', `/liveness/${abandoned.sessionId}`)).status).toBe('completed');
  const { used, reserved } = (await call(second.url, 'GET', '/usage')).productGroups.livenessDetection;
  expect({ used, reserved }).toEqual({ used: 2, reserved: 0 });
  // No sweep can end a session again.
  expect(await redis.zcard(dueKey(accountId))).toBe(0);
  expect(receiver.all).toHaveLength(4);
});

/**
 * Stores the times at which the frames were filmed as those at which they arrived. A busy machine sends them later and
 * with gaps, which a check would refuse.
 */
async function storeFilmTimes(sessionId: string): Promise<void> {
  const { attempt } = sessionKeys({ accountId, sessionId });
  const arrivals = Object.entries(await redis.hgetall(attempt)).filter(([name]) => name.startsWith('at:'));
  expect(arrivals.length).toBeGreaterThan(10);
  for (const [name, value] of arrivals) {
    const timeMs = Number(name.slice('at:'.length)) * limits.liveness.attempt.frameIntervalMs;
    await redis.hset(attempt, name, value.replace(/^\d+/, String(timeMs)));
  }
}

function checking(sessionId: string) {
  const { session } = sessionKeys({ accountId, sessionId });
  return until(
    () => redis.hget(session, 'status'),
    (status) => status === 'checking',
  );
}
