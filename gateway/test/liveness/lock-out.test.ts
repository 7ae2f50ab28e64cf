/** Lock-outs on a real Redis, with a clock that the test holds. */
import limits from '@presenza/contract/limits.json';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import { LockOut } from '../../src/services/liveness/capture/lock-out';
import { RedisLockOutStore } from '../../src/stores/liveness/redis-lock-out-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { keySecret } from '../services';

const { limit, limitPerAddress, windowSeconds } = limits.liveness.failedAttempts;
const windowMs = windowSeconds * 1_000;
const lockoutMs = 1_800_000;

let server: RunningServer;
let redis: RedisClient;
let now: number;
let lockOut: LockOut;
let accountId: string;
let accounts = 0;
let attempts = 0;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => {
  now = Date.now();
  accountId = `acc_${accounts++}`;
  lockOut = new LockOut({
    store: new RedisLockOutStore(redis),
    secret: keySecret,
    failures: limit,
    windowMs,
    lockoutMs,
    now: () => now,
  });
});

const origin = (device = 'device-1', address = '192.0.2.1') => lockOut.originOf(accountId, device, address);
const fail = (from = origin(), attemptId = `att_${attempts++}`) =>
  lockOut.count({ accountId, attemptId, ...from });
const isLocked = async (from = origin()) => {
  const error = await lockOut.check({ accountId, ...from }).catch((thrown) => thrown);
  if (error === undefined) return false;
  expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', body: { reason: 'livenessAttempts' } });
  return error.retryAfterSeconds as number;
};

test('as many failures as the limit within the window lock the device, until the lock-out has passed', async () => {
  for (let i = 0; i < limit - 1; i++) await fail();
  expect(await isLocked()).toBe(false);
  await fail();
  expect(await isLocked()).toBe(lockoutMs / 1_000);
  expect(await lockOut.lockedUntil({ accountId, ...origin() })).toBe(now + lockoutMs);
  now += lockoutMs - 1;
  expect(await isLocked()).toBe(1);
  now += 1;
  expect(await isLocked()).toBe(false);
});

test('failures that lie further apart than the window do not', async () => {
  for (let i = 0; i < 3 * limit; i++) {
    await fail();
    now += windowMs / (limit - 1) + 1;
  }
  expect(await isLocked()).toBe(false);
});

test('an attempt counts once', async () => {
  for (let i = 0; i < 2 * limit; i++) await fail(origin(), 'att_same');
  expect(await isLocked()).toBe(false);
});

test('other devices and other accounts are not locked', async () => {
  for (let i = 0; i < limit; i++) await fail();
  expect(await isLocked(origin('device-2'))).toBe(false);
  expect(
    await lockOut.check({
      accountId: 'acc_other',
      ...lockOut.originOf('acc_other', 'device-1', '192.0.2.1'),
    }),
  ).toBeUndefined();
});

test('one address with many devices is locked as well, later', async () => {
  const from = (device: number) => origin(`device-${device}`, '2001:db8::1');
  for (let i = 0; i < limitPerAddress - 1; i++) await fail(from(i));
  expect(await isLocked(from(-1))).toBe(false);
  await fail(from(-2));
  expect(await isLocked(from(-1))).toBe(lockoutMs / 1_000);
  // The same network of one customer.
  expect(await isLocked(origin('new', '2001:db8::2'))).toBe(lockoutMs / 1_000);
  expect(await isLocked(origin('new', '2001:db8:1::2'))).toBe(false);
});

test('neither devices nor addresses are stored, and everything ends by itself', async () => {
  for (let i = 0; i < limit; i++) await fail(origin('device-secret', '198.51.100.7'));
  const keys = (await redis.keys('*')).filter((key) => key.includes(`{${accountId}}`));
  expect(keys.length).toBeGreaterThan(1);
  for (const key of keys) {
    expect(key).not.toMatch(/device-secret|198\.51\.100/);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  }
});
