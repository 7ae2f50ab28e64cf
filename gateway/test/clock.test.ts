/** A clock of Redis that is put back: what was written before it lies in the future, and must not lock anybody out. */
import { randomUUID } from 'node:crypto';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import type { Principal } from '../src/services/keys/keys';
import { termsOf } from '../src/services/plans/terms';
import { accountKey } from '../src/stores/account-key';
import { takeLease } from '../src/stores/lease';
import { sweeperKey } from '../src/stores/liveness/keys';
import { RedisSessionStore } from '../src/stores/liveness/redis-session-store';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisAttemptStore } from '../src/stores/redis-attempt-store';
import { RedisMeter } from '../src/stores/redis-meter';

const hourMs = 3_600_000;

let server: RunningServer;
let redis: RedisClient;
let meter: RedisMeter;
let account: Principal;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
  meter = new RedisMeter(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => {
  const terms = { ...termsOf('free'), burst: { limit: 3, windowSeconds: 60 } };
  account = { accountId: `acc_${randomUUID()}`, keyId: 'key_1', mode: 'live', plan: 'free', terms };
});

const item = { index: 0, product: 'faceDetection', group: 'imageAnalysis' } as const;
const admit = (admissionId: string, key?: string) =>
  meter.admit(
    account,
    {
      admissionId,
      operations: 1,
      items: [item],
      leaseMs: 20_000,
      ...(key !== undefined && { idempotency: { key, fingerprint: 'same' } }),
    },
    [{ ...item, mode: 'live', keyId: 'key_1', month: '2026-02', day: 7 }],
  );

test('the rate limit starts over if the clock is set back', async () => {
  const burst = accountKey(account.accountId, 'burst');
  const first = await admit('a');
  expect(first.rate.remaining).toBe(2);
  await redis.set(burst, Number(await redis.get(burst)) + hourMs, 'PX', hourMs);
  const later = [await admit('b'), await admit('c'), await admit('d'), await admit('e')];
  expect(later.map(({ rejection }) => rejection?.kind)).toEqual([undefined, undefined, undefined, 'burst']);
  expect(later[3]?.rejection?.waitMs).toBeLessThanOrEqual(20_000);
  expect(await redis.pttl(burst)).toBeLessThanOrEqual(60_000);
});

test('a time within the window stays as it is', async () => {
  for (const operation of ['a', 'b', 'c']) await admit(operation);
  expect((await admit('d')).rejection?.kind).toBe('burst');
});

test('a retry of a lost operation waits for its lease and no longer', async () => {
  await admit('lost', 'key');
  const running = accountKey(account.accountId, 'running');
  await redis.zincrby(running, hourMs, '1:lost');
  const { rejection } = await admit('again', 'key');
  expect(rejection).toMatchObject({ kind: 'inProgress', waitMs: 20_000 });
  // Called again, it is the rest.
  await redis.zincrby(running, -20_000, '1:lost');
  expect((await admit('again', 'key')).rejection).toBeUndefined();
});

test('leases on periodic work are taken again', async () => {
  expect(await takeLease(redis, 'lease', 5_000)).toBe(true);
  expect(await takeLease(redis, 'lease', 5_000)).toBe(false);
  await redis.pexpire('lease', hourMs);
  expect(await takeLease(redis, 'lease', 5_000)).toBe(true);
  expect(await takeLease(redis, 'lease', 5_000)).toBe(false);
  await redis.set(sweeperKey, '1', 'PX', hourMs);
  expect(await new RedisSessionStore(redis).acquireLease(1_000)).toBe(true);
});

test('an address that failed too often is free after its window', async () => {
  const attempts = new RedisAttemptStore(redis);
  const bounds = { most: 1, ms: 60_000 };
  for (const count of [1, 2]) expect((await attempts.countAttempt('one', bounds)).count).toBe(count);
  const [key] = await redis.keys('*:failures:one');
  await redis.pexpire(key as string, hourMs);
  const { count, leftMs } = await attempts.countAttempt('one', bounds);
  expect(count).toBe(2);
  expect(leftMs).toBeLessThanOrEqual(60_000);
});
