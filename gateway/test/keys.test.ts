/** API keys over HTTP on two gateways that share a Redis, as two processes would. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import express from 'express';
import pino from 'pino';
import { type RunningServer, startRedis, startRedisCluster, waitUntil } from '../harness/index.mjs';
import type { ErrorCode, OperatorError } from '../src/errors';
import { createApp } from '../src/http/app';
import { authenticate } from '../src/middleware/authenticate';
import { authorize } from '../src/middleware/authorize';
import { errors as errorHandler } from '../src/middleware/errors';
import { generateKey, hashKey } from '../src/services/keys/api-key';
import { Authenticator } from '../src/services/keys/authenticator';
import { FailedAttempts } from '../src/services/keys/failed-attempts';
import { KeyCache } from '../src/services/keys/key-cache';
import type { KeyScope } from '../src/services/keys/key-records';
import { KeyService } from '../src/services/keys/keys';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisAttemptStore } from '../src/stores/redis-attempt-store';
import { RedisChangeFeed } from '../src/stores/redis-change-feed';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { schemas } from './contract';
import { keepOpen, realServices } from './services';
import { tierThatDetects } from './stand-in';

const secret = '5a'.repeat(32);
const silent = pino({ level: 'silent' });

interface Gateway {
  readonly url: string;
  readonly keys: KeyService;
  readonly redis: RedisClient;
  readonly feed: RedisChangeFeed;
  readonly authenticator: Authenticator;
  /** Moves the clock of the cache. */
  passMs(ms: number): void;
  /** Stops the gateway's own clock, except for `passMs`, until `startClock`. */
  stopClock(): void;
  startClock(): void;
  /** Resolves to the next account that the gateway hears has changed. */
  heard(): Promise<string>;
  stop(): Promise<void>;
}

async function startGateway(url: string, cluster = false): Promise<Gateway> {
  const redis = await connectRedis({ url, cluster }, () => {});
  const keys = new KeyService(new RedisKeyStore(redis), secret);
  let passed = 0;
  let stoppedAt: number | undefined;
  const ticks = () => (stoppedAt ?? performance.now()) + passed;
  const feed = RedisChangeFeed.open(redis, () => {}, ticks);
  const authenticator = new Authenticator(
    new KeyCache({ identify: (hash) => keys.identify(hash), feed, ticks }),
    new FailedAttempts(new RedisAttemptStore(redis), secret, ticks),
    secret,
  );
  const inference = tierThatDetects(() => Promise.reject(new Error('not expected')));
  const app = createApp({ ...realServices(redis, inference), keys: authenticator, trustProxy: 1 });
  const server = await listen(createServer(keepOpen, app));
  await waitUntil('the gateway is subscribed', () => feed.unbrokenSince !== undefined);
  return {
    url: urlOf(server),
    keys,
    redis,
    feed,
    authenticator,
    passMs: (ms) => {
      passed += ms;
    },
    stopClock: () => {
      stoppedAt = performance.now();
    },
    startClock: () => {
      stoppedAt = undefined;
    },
    heard: () => new Promise((resolve) => feed.subscribe(resolve)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      feed.close();
      redis.disconnect();
    },
  };
}

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let lastAddress = 0;
/** Failed attempts count by address, so each test uses its own addresses. */
const newAddress = () => `198.51.100.${++lastAddress}`;

/** A request that a known key gets through to the missing field with, without any analysis. */
async function call(gateway: { url: string }, authorization: string | undefined, address: string) {
  const response = await fetch(`${gateway.url}/detect`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(authorization !== undefined && { authorization }),
    },
    body: '{}',
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  const body = (await response.json()) as any;
  expect(schemas.validate('error-response.json', body)).toBe(true);
  return { status: response.status, headers: response.headers, error: body.error };
}

type Reply = Awaited<ReturnType<typeof call>>;
const expectError = ({ status, error }: Reply, code: ErrorCode, reason?: string) => {
  expect(error).toMatchObject({ code, ...(reason && { reason }) });
  expect(status).toBe(errors[code].status);
};
const expectAccepted = (reply: Reply) => expectError(reply, 'INVALID_PARAMETERS', 'missing');
const bearer = (key: string) => `Bearer ${key}`;

let redisServer: RunningServer;
let shared: Gateway;
let replica: Gateway;

beforeAll(async () => {
  redisServer = await startRedis();
  [shared, replica] = await Promise.all([startGateway(redisServer.url), startGateway(redisServer.url)]);
});
afterAll(async () => {
  await Promise.all([shared.stop(), replica.stop()]);
  await redisServer.stop();
});

/** The clocks stand still during each test, so that what a test expects does not depend on its own duration. */
function withStoppedClocks(): void {
  beforeEach(() => {
    for (const gateway of [shared, replica]) gateway.stopClock();
  });
  afterEach(() => {
    for (const gateway of [shared, replica]) gateway.startClock();
  });
}

async function newKey(scope: KeyScope = {}, gateway = shared) {
  const { id } = await gateway.keys.createAccount('Tests', 'business');
  return { accountId: id, ...(await gateway.keys.createKey(id, 'live', scope)) };
}

/** Commands that Redis has run, by name. */
async function commandCounts(): Promise<Map<string, number>> {
  const text = await (shared.redis as { info(section: string): Promise<string> }).info('commandstats');
  const lines = [...text.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)];
  const counts = new Map(lines.map(([, name, calls]) => [name as string, Number(calls)]));
  return counts.set('script', (counts.get('eval') ?? 0) + (counts.get('evalsha') ?? 0));
}

describe('changes are effective on every gateway within a second', () => {
  describe('while the cache is fresh', () => {
    withStoppedClocks();
    const changes: [string, (accountId: string, keyId: string) => Promise<unknown>, ErrorCode][] = [
      ['revocation', (account, key) => shared.keys.revokeKey(account, key), 'INVALID_API_KEY'],
      ['a roll without grace', (account, key) => shared.keys.rollKey(account, key, 0), 'INVALID_API_KEY'],
      [
        'suspension',
        (account) => shared.keys.updateAccount(account, { suspended: true }),
        'PERMISSION_DENIED',
      ],
    ];

    test.each(changes)('%s', async (_name, change, code) => {
      const { accountId, keyId, apiKey } = await newKey();
      const address = newAddress();
      for (const gateway of [shared, replica]) expectAccepted(await call(gateway, bearer(apiKey), address));
      const heard = Promise.all([shared.heard(), replica.heard()]);
      await change(accountId, keyId);
      expect(await heard).toEqual([accountId, accountId]);
      for (const gateway of [shared, replica])
        expectError(await call(gateway, bearer(apiKey), address), code);
    });
  });

  test('a plan and overrides', async () => {
    const { accountId, apiKey } = await newKey();
    const address = newAddress();
    expect(await replica.authenticator.authenticate(apiKey, address)).toMatchObject({ plan: 'business' });
    const heard = replica.heard();
    await shared.keys.updateAccount(accountId, { plan: 'free', overrides: { concurrency: 7 } });
    await heard;
    expect(await replica.authenticator.authenticate(apiKey, address)).toMatchObject({
      plan: 'free',
      terms: { concurrency: 7, overage: null },
    });
  });

  test('without the subscription too, and the subscription comes back', async () => {
    const { accountId, keyId, apiKey } = await newKey();
    const address = newAddress();
    expectAccepted(await call(replica, bearer(apiKey), address));
    const since = replica.feed.unbrokenSince as number;
    await shared.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await waitUntil('the subscription is lost', () => replica.feed.unbrokenSince !== since);
    await shared.keys.revokeKey(accountId, keyId);
    replica.passMs(1_000);
    expectError(await call(replica, bearer(apiKey), address), 'INVALID_API_KEY');
    const isRenewed = ({ feed }: Gateway) => (feed.unbrokenSince ?? 0) > since;
    await waitUntil('both gateways are subscribed again', () => [shared, replica].every(isRenewed));
    const heard = replica.heard();
    await shared.keys.updateAccount(accountId, { suspended: true });
    expect(await heard).toBe(accountId);
  });
});

test('a known key costs Redis nothing', async () => {
  const { apiKey } = await newKey();
  const address = newAddress();
  await shared.authenticator.authenticate(apiKey, address);
  const before = await commandCounts();
  for (let i = 0; i < 100; i++) await shared.authenticator.authenticate(apiKey, address);
  const after = await commandCounts();
  for (const name of ['get', 'hget', 'script', 'incr']) expect(after.get(name)).toBe(before.get(name));
});

test('all invalid keys get the same response for the same work', async () => {
  const expired = await newKey();
  await shared.keys.rollKey(expired.accountId, expired.keyId, 0);
  const revoked = await newKey();
  await shared.keys.revokeKey(revoked.accountId, revoked.keyId);
  const { apiKey } = await newKey();
  const secrets: (string | undefined)[] = [
    undefined,
    'Basic YTpi',
    bearer('presenza_live_short'),
    bearer(apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a')),
    bearer(generateKey('live')),
    bearer(expired.apiKey),
    bearer(revoked.apiKey),
  ];
  const address = newAddress();
  const bodies = new Set<string>();
  const work = new Set<string>();
  for (const authorization of secrets) {
    // A new gateway remembers nothing of the others.
    const gateway = await startGateway(redisServer.url);
    const before = await commandCounts();
    const reply = await call(gateway, authorization, address);
    const after = await commandCounts();
    expectError(reply, 'INVALID_API_KEY');
    bodies.add(JSON.stringify(reply.error));
    const spent = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    // Three GETs: the index, the account, and the counter of failed attempts.
    work.add(JSON.stringify({ get: spent('get'), hget: spent('hget'), script: spent('script') }));
    await gateway.stop();
  }
  expect([...bodies]).toHaveLength(1);
  expect([...work]).toEqual([JSON.stringify({ get: 3, hget: 1, script: 1 })]);
});

describe('keys', () => {
  test('are rolled with a grace, to a key of the same scope', async () => {
    const scope: KeyScope = { name: 'Backend', products: ['faceDetection'], cidrs: ['198.51.100.0/24'] };
    const { accountId, keyId, apiKey } = await newKey(scope);
    const rolled = await shared.keys.rollKey(accountId, keyId, 60);
    const address = newAddress();
    for (const key of [apiKey, rolled.apiKey]) expectAccepted(await call(shared, bearer(key), address));
    const listed = await shared.keys.listKeys(accountId);
    const [old, made] = [keyId, rolled.keyId].map((id) => listed.find((key) => key.id === id));
    expect(old).toMatchObject({ id: keyId, rolledTo: rolled.keyId, expiresAt: rolled.oldKeyExpiresAt });
    expect(made).toMatchObject({ id: rolled.keyId, mode: 'live', ...scope });
    expect(rolled.oldKeyExpiresAt - Date.now()).toBeGreaterThan(50_000);
    expect(rolled.oldKeyExpiresAt - Date.now()).toBeLessThanOrEqual(60_000);
    await expect(shared.keys.rollKey(accountId, keyId)).rejects.toThrow('was rolled already');
    await expect(shared.keys.rollKey(accountId, 'key_none')).rejects.toThrow('has no key key_none');
  });

  test('are rolled for a day when nothing else is said, never above their own end', async () => {
    const day = limits.keys.rollGraceSeconds * 1000;
    const first = await newKey();
    const rolled = await shared.keys.rollKey(first.accountId, first.keyId);
    expect(Math.abs(rolled.oldKeyExpiresAt - Date.now() - day)).toBeLessThan(5_000);
    const expiresAt = Date.now() + 10_000;
    const second = await newKey({ expiresAt });
    expect((await shared.keys.rollKey(second.accountId, second.keyId)).oldKeyExpiresAt).toBe(expiresAt);
    const third = await newKey();
    await shared.keys.revokeKey(third.accountId, third.keyId);
    await expect(shared.keys.rollKey(third.accountId, third.keyId)).rejects.toThrow('no longer works');
  });

  test('that are rolled twice at once leave one new key behind that works', async () => {
    const { accountId, keyId } = await newKey();
    const rolls = await Promise.allSettled([1, 2, 3].map(() => shared.keys.rollKey(accountId, keyId)));
    const [made, ...none] = rolls.flatMap((roll) => (roll.status === 'fulfilled' ? [roll.value.keyId] : []));
    expect(none).toEqual([]);
    const working = (await shared.keys.listKeys(accountId)).filter(
      ({ revokedAt }) => revokedAt === undefined,
    );
    expect(working.map(({ id }) => id).sort()).toEqual([keyId, made].sort());
  });

  test('are bounded by account, and the one that ended first makes room, with its last use', async () => {
    const store = new RedisKeyStore(shared.redis);
    const { id } = await shared.keys.createAccount('Bounded', 'free');
    const add = (name: string, more: { revokedAt?: number; expiresAt?: number } = {}) => {
      const record = { id: name, accountId: id, mode: 'live', hash: `hash-${name}`, createdAt: 1, ...more };
      return store.addKey(record as never, { most: 3, now: 100 });
    };
    await add('a');
    await add('b', { revokedAt: 60 });
    await add('c', { expiresAt: 50 });
    for (const keyId of ['a', 'c']) await store.noteUse({ accountId: id, keyId }, 40);
    expect(await add('d', { expiresAt: 101 })).toBe('added');
    await store.noteUse({ accountId: id, keyId: 'c' }, 100);
    expect(await store.lastUses(id)).toEqual(new Map([['a', 40]]));
    expect((await store.listKeys(id)).map((key) => key.id)).toEqual(['a', 'b', 'd']);
    expect(await shared.redis.exists('presenza:key:hash-c')).toBe(0);
    expect(await Promise.all([add('e'), add('f')])).toEqual(['added', 'full']);
    expect(await store.findKey('hash-f')).toBeUndefined();
    expect(await shared.redis.pttl('presenza:key:hash-f')).toBeGreaterThan(0);
  });

  test('are not replaced by a concurrent request with the same Idempotency-Key', async () => {
    const { id: accountId } = await shared.keys.createAccount('Hasty', 'free');
    const { keyId } = await shared.keys.createKey(accountId, 'live');
    const known = await shared.keys.listKeys(accountId);
    const store = Object.assign(new RedisKeyStore(shared.redis), { listKeys: async () => known });
    const keys = new KeyService(store, secret);
    const create = () => keys.createKeyFor({ accountId, mode: 'live', keyId }, {}, 'same');
    const { apiKey } = await create();
    const refusal = (await create().catch((error) => error)) as OperatorError;
    expect(refusal.body).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      reason: 'inProgress',
      param: 'Idempotency-Key',
    });
    expect(refusal.retryAfterSeconds).toBe(1);
    expect(await shared.keys.authenticate(apiKey)).toBeDefined();
  });

  test('an interrupted creation leaves only an index that expires', async () => {
    const apiKey = generateKey('live');
    const { id } = await shared.keys.createAccount('Cut short', 'free');
    await shared.redis.set(`presenza:key:${hashKey(apiKey, secret)}`, `${id} key_none`);
    expectError(await call(shared, bearer(apiKey), newAddress()), 'INVALID_API_KEY');
  });

  test.each([
    [{ name: '' }, '1 to 64 characters'],
    [{ name: 'a\nb' }, 'line breaks'],
    [{ products: [] }, 'one or more of faceDetection'],
    [{ products: ['detection' as 'faceDetection'] }, 'one or more of faceDetection'],
    [{ cidrs: ['localhost'] }, '"localhost" is no address'],
    [{ cidrs: Array.from({ length: 33 }, () => '::1') }, '1 to 32'],
  ])('%j is refused', async (scope, sentence) => {
    await expect(newKey(scope)).rejects.toThrow(sentence);
  });
});

describe('PERMISSION_DENIED', () => {
  test('from outside the addresses of a key, whatever a client claims above the proxy', async () => {
    const { apiKey } = await newKey({ cidrs: ['203.0.113.0/28', '2001:db8::/48'] });
    for (const inside of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::7'])
      expectAccepted(await call(shared, bearer(apiKey), inside));
    for (const outside of ['203.0.113.16', '2001:db9::1', '203.0.113.9, 198.51.100.1'])
      expectError(await call(shared, bearer(apiKey), outside), 'PERMISSION_DENIED', 'address');
  });

  test('for a product that the key does not allow', async () => {
    const { apiKey } = await newKey({ products: ['imageModeration'] });
    const app = express()
      .use(authenticate(shared.authenticator))
      .get('/moderation', authorize({ product: 'imageModeration' }), (_req, res) => void res.json({}))
      .get('/detection', authorize({ product: 'faceDetection' }), (_req, res) => void res.json({}))
      .use(errorHandler(silent));
    const server = await listen(createServer(app));
    const headers = { authorization: bearer(apiKey) };
    expect((await fetch(`${urlOf(server)}/moderation`, { headers })).status).toBe(200);
    const refused = await fetch(`${urlOf(server)}/detection`, { headers });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { reason: 'product' } });
    server.closeAllConnections();
    server.close();
  });
});

describe('failed attempts', () => {
  const { limit, windowSeconds } = limits.failedAuthentication;
  withStoppedClocks();

  test('attempts above the limit are rejected on every gateway, without a write', async () => {
    const address = newAddress();
    const known = await newKey();
    const unknown = await newKey();
    expectAccepted(await call(shared, bearer(known.apiKey), address));
    for (let i = 0; i < limit; i++)
      expectError(await call(shared, bearer(generateKey('live')), address), 'INVALID_API_KEY');

    const before = await commandCounts();
    const guesses = 40;
    for (let i = 0; i < guesses; i++) {
      const refused = await call(shared, bearer(generateKey('live')), address);
      expectError(refused, 'RATE_LIMIT_EXCEEDED', 'authentication');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(windowSeconds);
    }
    const after = await commandCounts();
    // A wrong key costs as many look-ups as any other.
    expect(Number(after.get('hget')) - Number(before.get('hget'))).toBe(guesses);
    for (const name of ['script', 'incr']) expect(after.get(name)).toBe(before.get(name));
    expectAccepted(await call(shared, bearer(known.apiKey), address));

    // The other gateway learns of it with the first attempt there.
    expectError(await call(replica, undefined, address), 'RATE_LIMIT_EXCEEDED', 'authentication');
    expect((await commandCounts()).get('incr')).toBe(before.get('incr'));
    expectAccepted(await call(shared, bearer(unknown.apiKey), newAddress()));
  });

  test('cannot outrun the limit by coming at once, and one key that works is looked up once for all', async () => {
    const address = newAddress();
    const { apiKey } = await newKey();
    const known = Array.from({ length: 5 * limit }, () => shared.authenticator.authenticate(apiKey, address));
    for (const principal of await Promise.all(known)) expect(principal).toMatchObject({ plan: 'business' });

    const before = await commandCounts();
    const guesses = Array.from({ length: 10 * limit }, () =>
      shared.authenticator.authenticate(generateKey('live'), address),
    );
    const outcomes = await Promise.allSettled(guesses);
    const after = await commandCounts();
    const spent = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit);
    expect(spent('script')).toBe(limit);
  });

  test('never block a valid key behind the same address, even one that no gateway has seen', async () => {
    const address = newAddress();
    const guess = () => call(shared, bearer(generateKey('live')), address);
    for (let i = 0; i < 2 * limit; i++) await guess();
    const keys = await Promise.all(Array.from({ length: 10 }, () => newKey()));
    const guesses = Array.from({ length: 5 * limit }, guess);
    for (const { apiKey } of keys) {
      expectAccepted(await call(shared, bearer(apiKey), address));
      expectAccepted(await call(replica, bearer(apiKey), address));
    }
    for (const reply of await Promise.all(guesses)) {
      expectError(reply, 'RATE_LIMIT_EXCEEDED', 'authentication');
    }
  });

  test('count together for an IPv6 /64', async () => {
    const from = (i: number) => `2001:db8:77:1::${i.toString(16)}`;
    for (let i = 0; i < limit; i++) await call(shared, bearer(generateKey('live')), from(i));
    expectError(await call(shared, undefined, from(999)), 'RATE_LIMIT_EXCEEDED', 'authentication');
    expectError(await call(shared, undefined, '2001:db8:77:2::1'), 'INVALID_API_KEY');
  });
});

test('while Redis is unavailable, cached keys keep working and others get SERVICE_UNAVAILABLE', async () => {
  const stopped = await startRedis();
  const gateway = await startGateway(stopped.url);
  const { apiKey } = await newKey({}, gateway);
  const address = newAddress();
  expectAccepted(await call(gateway, bearer(apiKey), address));
  await stopped.stop();
  gateway.passMs(3_000_000);
  expectAccepted(await call(gateway, bearer(apiKey), address));
  expectError(await call(gateway, bearer(generateKey('live')), address), 'SERVICE_UNAVAILABLE', 'store');
  gateway.passMs(600_000);
  expectError(await call(gateway, bearer(apiKey), address), 'SERVICE_UNAVAILABLE', 'store');
  await gateway.stop();
});

test('a cluster serves the same, its slots and its bus', async () => {
  const cluster = await startRedisCluster();
  const gateways = await Promise.all([startGateway(cluster.url, true), startGateway(cluster.url, true)]);
  const [first, other] = gateways as [Gateway, Gateway];
  const made = await Promise.all(Array.from({ length: 8 }, () => newKey({}, first)));
  const address = newAddress();
  for (const { accountId, keyId, apiKey } of made) {
    expectAccepted(await call(other, bearer(apiKey), address));
    const heard = other.heard();
    await first.keys.revokeKey(accountId, keyId);
    expect(await heard).toBe(accountId);
    expectError(await call(other, bearer(apiKey), address), 'INVALID_API_KEY');
  }
  expect((await first.keys.listAccounts({ limit: 3 })).items).toHaveLength(3);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await cluster.stop();
});
