/** Lockouts on a real Redis with a fake clock. */
import limits from '@presenza/contract/limits.json';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { Lockout } from '../../src/services/liveness/capture/lockout';
import { RedisLockoutStore } from '../../src/stores/liveness/redis-lockout-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { keySecret } from '../services';

const { limit, limitPerAddress, windowSeconds } = limits.liveness.failedAttempts;
const windowMs = windowSeconds * 1_000;
const lockoutMs = 1_800_000;
const attemptMs = 40_000;

let server: RunningServer;
let redis: RedisClient;
let now: number;
let lockout: Lockout;
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
  lockout = new Lockout({
    store: new RedisLockoutStore(redis),
    secret: keySecret,
    failures: limit,
    windowMs,
    lockoutMs,
    attemptMs,
    now: () => now,
  });
});

const origin = (
  deviceId = 'device-1',
  address = '192.0.2.1',
  {
    publicKey,
    ...session
  }: Partial<Parameters<Lockout['originOf']>[0]> & Pick<Parameters<Lockout['originOf']>[1], 'publicKey'> = {},
) => lockout.originOf({ accountId, mode: 'live', ...session }, { deviceId, address, publicKey });
const fail = (from = origin(), attemptId = `att_${attempts++}`) =>
  lockout.fail({ accountId, attemptId, ...from });
/** @returns the seconds that are left of the lockout */
const isLocked = async (from = origin()) => {
  const until = await lockout.lockedUntil({ accountId, ...from });
  return until === undefined ? false : Math.ceil((until - now) / 1_000);
};

test('locks a device out after the limit of failures within the window, until the lockout ends', async () => {
  for (let i = 0; i < limit - 1; i++) await fail();
  expect(await isLocked()).toBe(false);
  await fail();
  expect(await isLocked()).toBe(lockoutMs / 1_000);
  expect(await lockout.lockedUntil({ accountId, ...origin() })).toBe(now + lockoutMs);
  now += lockoutMs - 1;
  expect(await isLocked()).toBe(1);
  now += 1;
  expect(await isLocked()).toBe(false);
});

test('ignores failures further apart than the window', async () => {
  for (let i = 0; i < 3 * limit; i++) {
    await fail();
    now += windowMs / (limit - 1) + 1;
  }
  expect(await isLocked()).toBe(false);
});

test('counts an attempt once', async () => {
  for (let i = 0; i < 2 * limit; i++) await fail(origin(), 'att_same');
  expect(await isLocked()).toBe(false);
});

test('does not affect other devices and accounts', async () => {
  for (let i = 0; i < limit; i++) await fail();
  expect(await isLocked(origin('device-2'))).toBe(false);
  expect(
    await lockout.lockedUntil({
      accountId: 'acc_other',
      ...origin('device-1', '192.0.2.1', { accountId: 'acc_other' }),
    }),
  ).toBeUndefined();
});

test('failures in test mode never lock out live sessions', async () => {
  const from = (mode: 'live' | 'test') =>
    origin('device-1', '192.0.2.1', {
      mode,
      metadata: { userId: 'user-1' },
      referenceHash: 'ab'.repeat(32),
      publicKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
    });
  for (let i = 0; i < limitPerAddress; i++) await fail(from('test'));
  expect(await isLocked(from('test'))).not.toBe(false);
  expect(await isLocked(from('live'))).toBe(false);
});

test('locks out an address with many devices at a higher limit', async () => {
  const from = (device: number) => origin(`device-${device}`, '2001:db8::1');
  for (let i = 0; i < limitPerAddress - 1; i++) await fail(from(i));
  expect(await isLocked(from(-1))).toBe(false);
  await fail(from(-2));
  expect(await isLocked(from(-1))).toBe(lockoutMs / 1_000);
  // The same customer's /56.
  expect(await isLocked(origin('new', '2001:db8::2'))).toBe(lockoutMs / 1_000);
  expect(await isLocked(origin('new', '2001:db8:0:ff::2'))).toBe(lockoutMs / 1_000);
  expect(await isLocked(origin('new', '2001:db8:0:100::2'))).toBe(false);
  expect(await isLocked(origin('new', '2001:db8:1::2'))).toBe(false);
});

test.each([
  ['a user', { metadata: { userId: 'user-4711' } }],
  ['a numbered user', { metadata: { userId: 4711 } }],
  ['a reference image', { referenceHash: 'ab'.repeat(32) }],
  ['a key', { publicKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const }],
])('locks out %s whose device and address change with every attempt', async (_, subject) => {
  const from = (i: number, parts: object) => origin(`device-${i}`, `192.0.2.${i}`, parts);
  for (let i = 0; i < limit; i++) await fail(from(i, subject));
  expect(await isLocked(from(100, subject))).toBe(lockoutMs / 1_000);
  expect(await isLocked(from(100, {}))).toBe(false);
  expect(await isLocked(from(100, { metadata: { userId: 'another' } }))).toBe(false);
});

test('counts attempts that asked for a turn, until they pass', async () => {
  const open = (attemptId: string) => lockout.admit({ accountId, attemptId, ...origin() });
  const start = () => lockout.checkStart({ accountId, ...origin() });
  for (let i = 0; i < limit - 1; i++) await open(`att_open_${i}`);
  await open('att_passes');
  // Attempts that run are not locked out by being opened.
  expect(await isLocked()).toBe(false);
  await lockout.pass({ accountId, attemptId: 'att_passes', ...origin() });
  await start();
  await open('att_abandoned');
  await expect(start()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  expect(await isLocked()).toBe(lockoutMs / 1_000);
});

test('does not lock out an address whose users run many attempts at once, but one that abandons as many', async () => {
  const from = (i: number) => origin(`device-${i}`, '198.51.100.1');
  const start = (i: number) => lockout.checkStart({ accountId, ...from(i) });
  for (let i = 0; i < limitPerAddress; i++) {
    await lockout.admit({ accountId, attemptId: `att_at_once_${i}`, ...from(i) });
  }
  await start(-1);
  now += attemptMs;
  await expect(start(-1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

test('counts an attempt once that asks for a turn and fails', async () => {
  for (let i = 0; i < limit - 1; i++) {
    await lockout.admit({ accountId, attemptId: `att_both_${i}`, ...origin() });
    await fail(origin(), `att_both_${i}`);
  }
  expect(await isLocked()).toBe(false);
});

test('locks out an address whose attempts overlap', async () => {
  const from = (i: number) => origin(`device-${i}`, '198.51.100.2');
  await lockout.admit({ accountId, attemptId: 'att_overlap_0', ...from(0) });
  for (let i = 0; i < limitPerAddress; i++) {
    await lockout.admit({ accountId, attemptId: `att_overlap_${i + 1}`, ...from(i + 1) });
    await fail(from(i), `att_overlap_${i}`);
    now += 2_000;
  }
  expect(await isLocked(from(-1))).not.toBe(false);
});

/** Attempts of one source whose turn or verdict was refused. */
const refusedOf = async (calls: readonly Promise<void>[]) => {
  const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', body: { reason: 'livenessAttempts' } });
  return refused.length;
};

test.each([
  ['device', (_: number) => origin()],
  ['user', (i: number) => origin(`device-${i}`, `192.0.2.${i}`, { metadata: { userId: 'user-1' } })],
])('gives a %s no more turns at the same time than it has failures left', async (_, from) => {
  const open = (i: number) => lockout.admit({ accountId, attemptId: `att_at_once_${i}`, ...from(i) });
  const all = Array.from({ length: 4 * limit }, (_, i) => i);
  expect(await refusedOf(all.map(open))).toBe(3 * limit);
  // Running attempts go on, and one that passes makes room.
  expect(await isLocked(from(0))).toBe(false);
  const opened = [];
  for (const i of all) if ((await refusedOf([open(i)])) === 0) opened.push(i);
  expect(opened).toHaveLength(limit);
  await lockout.pass({ accountId, attemptId: `att_at_once_${opened[0]}`, ...from(opened[0] as number) });
  await open(all.length);
});

test('gives attempts that were held back no more verdicts at the same time than the limit', async () => {
  const held = Array.from({ length: 4 * limit }, (_, i) => `att_held_${i}`);
  const open = (attemptId: string) => lockout.admit({ accountId, attemptId, ...origin() });
  for (const [i, attemptId] of held.entries()) {
    await open(attemptId);
    if (i % limit === limit - 1) now += windowMs;
  }
  // The gateway does this before each verdict.
  expect(await refusedOf(held.map(open))).toBe(3 * limit);
});

test('bounds the attempts that run at one address', async () => {
  const from = (i: number) => ({ accountId, ...origin(`device-${i}`, '198.51.100.3') });
  const open = (i: number) => lockout.admit({ attemptId: `att_many_${i}`, ...from(i) });
  const most = 20 * limitPerAddress;
  expect(await refusedOf(Array.from({ length: most }, (_, i) => open(i)))).toBe(0);
  expect(await refusedOf([open(most)])).toBe(1);
  expect(await isLocked(origin('device-new', '198.51.100.3'))).toBe(false);
});

test('stores neither devices nor addresses, and everything expires', async () => {
  for (let i = 0; i < limit; i++) await fail(origin('device-secret', '198.51.100.7'));
  const keys = (await redis.keys('*')).filter((key) => key.includes(`{${accountId}}`));
  expect(keys.length).toBeGreaterThan(1);
  for (const key of keys) {
    expect(key).not.toMatch(/device-secret|198\.51\.100/);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  }
});
