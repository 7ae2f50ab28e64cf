/**
 * The keys of sessions in a Redis of their own: what the files of both servers reveal after an erasure. "Old" copies of
 * the main Redis are taken before the erasure, as backups are; they also stand for its append-only file, which contains
 * the deleted data until it is rewritten.
 */
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import {
  type RunningGateway,
  type RunningRedis,
  startGateway,
  startRedis,
  temporaryFolder,
  waitUntil,
} from '../../harness/index.mjs';
import { KeyService } from '../../src/services/keys/keys';
import { sealedParts } from '../../src/services/liveness/liveness';
import { addressOf, type SessionAddress } from '../../src/services/liveness/session/session-store';
import { dueKey, sessionKeys } from '../../src/stores/liveness/keys';
import { keysElsewhere, RedisSessionKeys } from '../../src/stores/liveness/redis-session-keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import {
  checkServer,
  connectSessionKeys,
  type SessionKeyServer,
} from '../../src/stores/liveness/session-key-server';
import { connectRedis } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { keySecret } from '../services';
import { creationOf, hour, newPrincipal, reserveUnit } from './stored-session';

const details = { metadata: { userId: 'user-4711' } };
const seals = sealedParts(keySecret);
/** Compression would hide text from the search. */
const durable = { durable: true, config: { rdbcompression: 'no', hz: '100' } };

let main: RunningRedis;
let keyServer: RunningRedis;
let redis: Redis;
let server: SessionKeyServer;
let store: RedisSessionStore;

beforeAll(async () => {
  [main, keyServer] = await Promise.all([startRedis(durable), startRedis(durable)]);
  redis = (await connectRedis({ url: main.url, cluster: false }, () => {})) as Redis;
  server = await connectSessionKeys(keyServer.url, () => {});
  store = new RedisSessionStore(redis, { keys: server.keys });
});
afterAll(async () => {
  redis.disconnect();
  server.redis.disconnect();
  await Promise.all([main.stop(), keyServer.stop()]);
});

/** Creates a session with real seals. */
async function newSession(to = store) {
  const principal = newPrincipal();
  const creation = creationOf(principal, await reserveUnit(redis, principal));
  const { accountId, id } = creation.session;
  const sealed = seals.sealNew({ accountId, id, details });
  await to.create({ ...creation, session: { ...creation.session, ...sealed } });
  return { ...addressOf(creation.session), sealedKey: sealed.dataKey };
}

/** A copy of a server's files while it runs. */
function copyOf({ folder }: RunningRedis): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join();

/** Reads a session, as a gateway with the secret of the operator does, from the files of both servers. */
async function readFrom(mainFolder: string, keysFolder: string, address: SessionAddress) {
  const servers = await Promise.all(
    [mainFolder, keysFolder].map((folder) => startRedis({ ...durable, folder })),
  );
  const [mainUrl = '', keysUrl = ''] = servers.map(({ url }) => url);
  const data = (await connectRedis({ url: mainUrl, cluster: false }, () => {})) as Redis;
  const keys = await connectSessionKeys(keysUrl, () => {});
  try {
    const session = await new RedisSessionStore(data, { keys: keys.keys }).find(address);
    const hash = await data.hgetall(sessionKeys(address).session);
    return { session, isStored: Object.keys(hash).length > 0 };
  } finally {
    data.disconnect();
    keys.redis.disconnect();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

test('no copy that is taken after an erasure opens a session, not even with an old copy of its data', async () => {
  const session = await newSession();
  const other = await newSession();
  const old = { main: copyOf(main), keys: copyOf(keyServer) };
  const before = await readFrom(copyOf(main), old.keys, session);
  expect(before.session && seals.open(before.session)).toMatchObject(details);
  expect(contentOf(old.keys)).toContain(session.sealedKey);
  expect(contentOf(old.main)).not.toContain(session.sealedKey);

  expect(await store.erase(session, 'evt_1')).toMatchObject({ erased: true });
  const after = copyOf(keyServer);
  expect(contentOf(after)).not.toContain(session.sealedKey);
  expect(contentOf(after)).toContain(other.sealedKey);
  expect(await readFrom(old.main, after, session)).toEqual({ session: undefined, isStored: true });
  expect(await store.find(other)).toBeDefined();
  expect(await redis.zscore(dueKey(session.accountId), session.sessionId)).toBeNull();
  expect(await store.erase(session, 'evt_2')).toBeUndefined();
});

test('the key of a session whose data has ended leaves the file', async () => {
  const session = await newSession();
  expect(contentOf(copyOf(keyServer))).toContain(session.sealedKey);
  const later = new RedisSessionKeys(server.redis, { now: () => Date.now() + 3 * hour });
  await later.sweep();
  expect(contentOf(copyOf(keyServer))).not.toContain(session.sealedKey);
  expect(await store.find(session)).toBeUndefined();
});

test('concurrent erasures share rewrites of the file', async () => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession()));
  const rewrites = async () => Number(/aof_rewrites:(\d+)/.exec(await server.redis.info('persistence'))?.[1]);
  const before = await rewrites();
  await Promise.all(sessions.map((session, i) => store.erase(session, `evt_${i}`)));
  expect((await rewrites()) - before).toBeLessThanOrEqual(3);
  const content = contentOf(copyOf(keyServer));
  for (const { sealedKey } of sessions) expect(content).not.toContain(sealedKey);
});

test('a refused creation leaves no key', async () => {
  const principal = newPrincipal();
  const creation = creationOf(principal, await reserveUnit(redis, principal));
  expect(await store.create({ ...creation, maxBytes: 1 })).toEqual({ outcome: 'overBytes' });
  expect(await server.keys.find(creation.session.id)).toBeUndefined();
});

test('sessions from before the second Redis keep working', async () => {
  const session = await newSession(new RedisSessionStore(redis));
  expect(await store.find(session)).toMatchObject({ dataKey: session.sealedKey });
  expect(await store.erase(session, 'evt_1')).toMatchObject({ erased: true });
});

test('a gateway without the address of the Redis of the keys refuses to read, change or erase such a session', async () => {
  const session = await newSession();
  const without = new RedisSessionStore(redis);
  const refused = { code: 'SERVICE_UNAVAILABLE', cause: keysElsewhere };
  await expect(without.find(session)).rejects.toMatchObject(refused);
  await expect(without.cancel(session, 'evt_1')).rejects.toMatchObject(refused);
  await expect(without.erase(session, 'evt_1')).rejects.toMatchObject(refused);
  expect(await store.find(session)).toMatchObject({ status: 'created' });

  await server.redis.call('ACL', 'SETUSER', 'default', '-hdel');
  await expect(store.erase(session, 'evt_1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await server.redis.call('ACL', 'SETUSER', 'default', '+hdel');
  await expect(without.resumeErasure(session)).rejects.toMatchObject(refused);
  await expect(without.erase(session, 'evt_1')).rejects.toMatchObject(refused);
  // A late call of the user must not end the erasure.
  expect(await store.start(session, 'evt_2')).toBeUndefined();
  expect(await redis.zscore(dueKey(session.accountId), session.sessionId)).not.toBeNull();
  await store.resumeErasure(session);
  expect(await server.keys.find(session.sessionId)).toBeUndefined();
  expect(await redis.exists(sessionKeys(session).session, dueKey(session.accountId))).toBe(0);
});

test('a full Redis erases keys, at once and by the sweep', async () => {
  const [session, ended] = [await newSession(), await newSession()];
  const later = new RedisSessionKeys(server.redis, { now: () => Date.now() + 3 * hour });
  await server.redis.config('SET', 'maxmemory', 1);
  await expect(newSession()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await store.erase(session, 'evt_1')).toMatchObject({ erased: true });
  expect(contentOf(copyOf(keyServer))).not.toContain(session.sealedKey);
  expect(contentOf(copyOf(keyServer))).toContain(ended.sealedKey);
  await later.sweep();
  expect(contentOf(copyOf(keyServer))).not.toContain(ended.sealedKey);
  await server.redis.config('SET', 'maxmemory', 0);
});

test('a key is overdue five minutes after the first attempt to erase it', async () => {
  const session = await newSession();
  const after = (minutes: number) =>
    new RedisSessionKeys(server.redis, { now: () => Date.now() + minutes * 60_000 });
  await server.redis.call('ACL', 'SETUSER', 'default', '-bgrewriteaof');
  await expect(store.erase(session, 'evt_1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await after(4).overdue()).toBe(0);
  await expect(after(4).sweep()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await after(6).overdue()).toBe(1);
  await server.redis.call('ACL', 'SETUSER', 'default', '+bgrewriteaof');
  await after(6).sweep();
  expect(await after(6).overdue()).toBe(0);
});

test.each([
  ['appendonly yes', { durable: false }],
  ['maxmemory-policy noeviction', { durable: true, config: { 'maxmemory-policy': 'volatile-ttl' } }],
  ['save ""', { durable: true, config: { save: '60 1' } }],
])('a Redis without "%s" is refused', async (setting, options) => {
  const wrong = await startRedis(options);
  const expected = `The Redis at REDIS_SESSION_KEYS_URL must have ${setting}`;
  await expect(connectSessionKeys(wrong.url, () => {})).rejects.toThrow(expected);
  await wrong.stop();
});

test('a Redis of an earlier version is refused', async () => {
  const info = async () => ['redis_version:6.2.14', 'aof_enabled:1', 'connected_slaves:0'].join('\r\n');
  const config = async () => ['save', ''];
  await expect(checkServer({ info, config } as never)).rejects.toThrow(
    'The Redis at REDIS_SESSION_KEYS_URL must have version 7 or later',
  );
});

test('a Redis that returns with other settings is refused until an operator corrects them', async () => {
  const errors: Error[] = [];
  const { redis, keys } = await connectSessionKeys(keyServer.url, (error) => errors.push(error));
  try {
    await redis.config('SET', 'save', '60 1');
    const reconnected = once(redis, 'ready');
    redis.disconnect(true);
    await reconnected;
    await expect(keys.add('ses_1', 'key', hour)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(errors.map(String)).toContainEqual(expect.stringContaining('must have save ""'));
    await redis.config('SET', 'save', '');
    await keys.add('ses_1', 'key', hour);
    expect(await keys.find('ses_1')).toBe('key');
  } finally {
    await server.redis.config('SET', 'save', '');
    redis.disconnect();
  }
});

describe('a gateway that cannot finish an erasure', () => {
  let gateway: RunningGateway;
  let accountId: string;
  let apiKey: string;

  const start = () =>
    startGateway({ REDIS_URL: main.url, REDIS_SESSION_KEYS_URL: keyServer.url, KEY_SECRET: keySecret });
  const send = (method: string, path = '/liveness') =>
    fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${apiKey}` } });

  beforeAll(async () => {
    gateway = await start();
    const keys = new KeyService(new RedisKeyStore(redis), keySecret);
    ({ id: accountId } = await keys.createAccount('Tests', 'free'));
    ({ apiKey } = await keys.createKey(accountId, 'live'));
  });
  afterAll(() => gateway.stop());

  /** A session whose DELETE fails, because the Redis of the keys refuses a command. */
  async function halfErased(command: string) {
    const made = await send('POST');
    const { data } = (await made.json()) as { data: { sessionId: string } };
    const address = { accountId, sessionId: data.sessionId };
    const sealedKey = (await server.keys.find(data.sessionId)) as string;
    const old = copyOf(main);
    await server.redis.call('ACL', 'SETUSER', 'default', `-${command}`);
    const path = `/liveness/${data.sessionId}`;
    expect((await send('DELETE', path)).status).toBe(503);
    expect((await send('GET', path)).status).toBe(404);
    expect(contentOf(copyOf(keyServer))).toContain(sealedKey);
    const allow = () => server.redis.call('ACL', 'SETUSER', 'default', `+${command}`);
    return { address, sealedKey, old, path, allow };
  }

  test('responds to a retry with 404 only once the key is erased', async () => {
    const { path, sealedKey, allow } = await halfErased('hdel');
    expect((await send('DELETE', path)).status).toBe(503);
    await allow();
    expect((await send('DELETE', path)).status).toBe(404);
    expect(contentOf(copyOf(keyServer))).not.toContain(sealedKey);
  });

  test('leaves the rest to the next gateway when it is killed', async () => {
    const { address, sealedKey, old, allow } = await halfErased('bgrewriteaof');
    await gateway.kill();
    await allow();
    gateway = await start();
    const due = () => redis.zscore(dueKey(accountId), address.sessionId);
    await waitUntil('the sweep has erased the key', async () => (await due()) === null);
    const after = copyOf(keyServer);
    expect(contentOf(after)).not.toContain(sealedKey);
    expect(await readFrom(old, after, address)).toEqual({ session: undefined, isStored: true });
  });
});
