/**
 * While Redis is unavailable: who is served, what is remembered, and that it is counted once when Redis is back.
 *
 * Slow: it takes Redis away and waits until the gateway notices its return.
 */
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RunningServer, startRedis, waitUntil } from '../harness/index.mjs';
import { createApp } from '../src/http/app';
import type { Principal } from '../src/services/keys/keys';
import { LocalLimiter } from '../src/services/limits/local-limiter';
import { Journal } from '../src/services/metering/journal';
import { Metering } from '../src/services/metering/metering';
import { monthOf } from '../src/services/metering/months';
import { StoreBreaker } from '../src/services/metering/store-breaker';
import { type PlanTier, termsOf } from '../src/services/plans/terms';
import { accountsKey, recordKey } from '../src/stores/account-key';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisMeter } from '../src/stores/redis-meter';
import { RedisUsage } from '../src/stores/redis-usage';
import { keepOpen, realServices } from './services';
import { tierThatDetects } from './stand-in';

/** A slow disk makes Redis postpone writes between its flushes, and a killed Redis would lose them. */
const forced = { appendfsync: 'always' };

const body = JSON.stringify({ image: 'data:image/jpeg;base64,/9j/' });

let folder: string;
let port: number;
let store: RunningServer;
let redis: RedisClient;
let metering: Metering;
let server: Server;
/** The tier runs this for the current request. */
let during: () => Promise<void>;
const principals = new Map<string, Principal>();

const newMetering = () =>
  new Metering({
    store: new RedisMeter(redis),
    journal: new Journal(join(folder, 'journal')),
    local: new LocalLimiter(1),
    breaker: new StoreBreaker({
      now: performance.now.bind(performance),
      onUnavailable: () => {},
      onRecovered: () => {},
    }),
    now: Date.now,
    onRejected: () => {},
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-outage-'));
  port = await freePort();
  during = async () => {};
  store = await startRedis({ folder, port, durable: true, config: forced });
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  metering = newMetering();
  const inference = tierThatDetects(async () => {
    await during();
    return { faces: [], timings: { totalMs: 1 } } as never;
  });
  server = createServer(
    keepOpen,
    createApp({
      ...realServices(redis, { ...inference, moderate: async () => ({ elements: [], custom: [] }) as never }),
      keys: { authenticate: async (key) => principals.get(key) },
      metering,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  redis.disconnect();
  await store.stop();
  rmSync(folder, { recursive: true });
});

async function caller(plan: PlanTier, more: Partial<Principal> = {}): Promise<string> {
  const key = `key_${principals.size}`;
  const account = { accountId: `acc_${key}`, keyId: key, mode: 'live' as const, plan };
  principals.set(key, { ...account, terms: termsOf(plan), ...more });
  await addAccount(key);
  return key;
}

/** @param key of a caller */
async function addAccount(key: string): Promise<void> {
  const { accountId } = principals.get(key) as Principal;
  await redis.zadd(accountsKey, 0, `0:${accountId}`);
  await redis.set(recordKey(accountId), '{}');
}

async function detect(key: string, headers: Record<string, string> = {}) {
  const { port: at } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${at}/detect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the contract's responses, checked elsewhere
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** `once` of `node:events` would reject when an attempt to reconnect fails, which is normal here. */
const happens = (event: 'close' | 'ready') => new Promise<void>((resolve) => redis.once(event, resolve));

async function goAway(): Promise<void> {
  const closed = happens('close');
  await store.kill();
  await closed;
}

async function comeBack(): Promise<void> {
  store = await startRedis({ folder, port, durable: true, config: forced });
  if (redis.status !== 'ready') await happens('ready');
}

/** Counts what is in the journal, as the gateway's upkeep does until it succeeds. */
async function replayed(by = metering): Promise<void> {
  await waitUntil('the journal is replayed', () => by.catchUp().then(() => true));
}

async function counted(key: string) {
  const { accountId } = principals.get(key) as Principal;
  const month = monthOf(Date.now());
  const { used, reserved } = await new RedisUsage(redis).readMonth(accountId, 'live', month);
  return { used: used.imageAnalysis, reserved: reserved.imageAnalysis };
}

test('hard-limit plans and test keys are rejected; a paid plan is served and billed later', async () => {
  const [free, paid] = [await caller('free'), await caller('basic')];
  const trial = await caller('basic', { mode: 'test' });
  await goAway();
  for (const key of [free, trial]) {
    const refused = await detect(key);
    expect(refused.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'store' });
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  for (let i = 0; i < 5; i++) expect((await detect(paid)).status).toBe(200);
  await comeBack();
  await replayed();
  await replayed();
  expect(await counted(paid)).toEqual({ used: 5, reserved: 0 });
  expect(await counted(free)).toEqual({ used: 0, reserved: 0 });
  expect(readdirSync(join(folder, 'journal'))).toEqual([]);
});

test('if Redis fails while a request runs, the response is sent and billed once', async () => {
  const keys = [await caller('free'), await caller('basic')];
  for (const key of keys) {
    during = goAway;
    expect((await detect(key)).status).toBe(200);
    during = async () => {};
    await comeBack();
    expect(await counted(key)).toEqual({ used: 0, reserved: 1 });
    await replayed();
    expect(await counted(key)).toEqual({ used: 1, reserved: 0 });
  }
});

test('a request that outlives Redis is billed once in a Redis that is restored to a state before it', async () => {
  const paid = await caller('basic');
  const [files, backup] = [join(folder, 'appendonlydir'), join(folder, 'backup')];
  cpSync(files, backup, { recursive: true });
  during = goAway;
  expect((await detect(paid)).status).toBe(200);
  rmSync(files, { recursive: true });
  renameSync(backup, files);
  await comeBack();
  expect(await counted(paid)).toEqual({ used: 0, reserved: 0 });
  await replayed();
  await replayed();
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('a request that outlives Redis and its restore is billed once', async () => {
  const paid = await caller('basic');
  const [files, backup] = [join(folder, 'appendonlydir'), join(folder, 'backup')];
  cpSync(files, backup, { recursive: true });
  during = async () => {
    await goAway();
    rmSync(files, { recursive: true });
    cpSync(backup, files, { recursive: true });
    await comeBack();
  };
  expect((await detect(paid)).status).toBe(200);
  expect(await counted(paid)).toEqual({ used: 0, reserved: 0 });
  await replayed();
  await replayed();
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('an empty Redis that waits for its restore takes no journal', async () => {
  const paid = await caller('basic');
  await goAway();
  expect((await detect(paid)).status).toBe(200);
  rmSync(join(folder, 'appendonlydir'), { recursive: true });
  await comeBack();
  const next = newMetering();
  await expect(next.catchUp()).rejects.toThrow('Redis has no account');
  expect(readdirSync(join(folder, 'journal'))).toHaveLength(1);
  await addAccount(paid);
  await replayed(next);
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('if Redis fails while several requests of an account run, each is billed once', async () => {
  const paid = await caller('basic');
  const requests = 8;
  let running = 0;
  let stopped: Promise<void> | undefined;
  let allRun: () => void;
  const together = new Promise<void>((resolve) => {
    allRun = resolve;
  });
  during = async () => {
    running += 1;
    if (running === requests) allRun();
    await together;
    stopped ??= goAway();
    await stopped;
  };
  const replies = await Promise.all(Array.from({ length: requests }, () => detect(paid)));
  expect(replies.map(({ status }) => status)).toEqual(Array(requests).fill(200));
  await comeBack();
  expect(await counted(paid)).toEqual({ used: 0, reserved: requests });
  await replayed();
  await replayed();
  expect(await counted(paid)).toEqual({ used: requests, reserved: 0 });
});

test('an operation that ends without Redis frees its slot, and its key no longer counts as in progress', async () => {
  const paid = await caller('basic', { terms: { ...termsOf('basic'), concurrency: 1 } });
  const key = { 'idempotency-key': 'k' };
  during = goAway;
  expect((await detect(paid, key)).status).toBe(200);
  during = async () => {};
  await comeBack();
  await replayed();
  expect((await detect(paid, key)).status).toBe(200);
  expect((await detect(paid)).status).toBe(200);
  expect(await counted(paid)).toEqual({ used: 2, reserved: 0 });
});

test('a request that started without Redis and ended with it is billed', async () => {
  const paid = await caller('basic');
  await goAway();
  during = comeBack;
  expect((await detect(paid)).status).toBe(200);
  await replayed();
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('the rate limit holds within the process', async () => {
  const paid = await caller('basic', {
    terms: { ...termsOf('basic'), burst: { limit: 3, windowSeconds: 60 } },
  });
  await goAway();
  const replies = await Promise.all(Array.from({ length: 10 }, () => detect(paid)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  for (const { status, body: refused, headers } of replies.filter((reply) => reply.status !== 200)) {
    expect({ status, code: refused.error.code }).toEqual({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(15);
  }
});

test('the next process on the same folder bills what the last one could not', async () => {
  const paid = await caller('basic');
  await goAway();
  await detect(paid);
  await comeBack();
  const next = newMetering();
  await replayed(next);
  await replayed(next);
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('an Idempotency-Key counts once, whether Redis was there or not', async () => {
  const paid = await caller('basic');
  const key = { 'idempotency-key': 'k' };
  await goAway();
  expect((await detect(paid, key)).status).toBe(200);
  expect((await detect(paid, key)).status).toBe(200);
  await comeBack();
  await replayed();
  expect((await detect(paid, key)).status).toBe(200);
  expect(await counted(paid)).toEqual({ used: 1, reserved: 0 });
});

test('invalid input is still reported as invalid', async () => {
  const { port: at } = server.address() as AddressInfo;
  const free = await caller('free');
  await goAway();
  const response = await fetch(`http://127.0.0.1:${at}/detect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${free}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(400);
});

test('a paid plan is moderated by the built-in categories where its own cannot be read', async () => {
  const paid = await caller('basic');
  await goAway();
  const moderate = async (more: object) => {
    const { port: at } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${at}/moderate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${paid}`, 'content-type': 'application/json' },
      body: JSON.stringify({ image: 'data:image/jpeg;base64,/9j/', ...more }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the contract's responses, checked elsewhere
    return { status: response.status, body: (await response.json()) as any };
  };
  expect(await moderate({})).toMatchObject({ status: 200, body: { data: { detectedElements: [] } } });
  expect(await moderate({ categories: ['Bands'] })).toMatchObject({ status: 503 });
});
