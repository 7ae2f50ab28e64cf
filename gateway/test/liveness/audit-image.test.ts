/** Audit images over HTTP on a real Redis with a second one for keys. whole-capture.slow.test.ts has one of a real capture. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import brand from '@presenza/contract/brand.json';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../harness/index.mjs';
import { createApp } from '../../src/http/app';
import { createMetrics } from '../../src/observability/metrics';
import type { KeyScope } from '../../src/services/keys/key-records';
import type { Liveness } from '../../src/services/liveness/liveness';
import type { SessionAddress } from '../../src/services/liveness/session/session-store';
import { auditEndsKey, auditHeldKey, auditImageKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisAuditImages } from '../../src/stores/liveness/redis-audit-images';
import { keysElsewhere, RedisSessionKeys } from '../../src/stores/liveness/redis-session-keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { connectSessionKeys, type SessionKeyServer } from '../../src/stores/liveness/session-key-server';
import { connectRedis } from '../../src/stores/redis';
import { RedisAuditLog } from '../../src/stores/redis-audit-log';
import { schemas } from '../contract';
import { keepOpen, realLiveness, realServices } from '../services';
import { tierThatDetects } from '../stand-in';

const day = 24 * 60 * 60 * 1_000;
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(40_000, 'the face of somebody')]);
const tier = tierThatDetects(async () => ({ faces: [{}] }) as never);

let main: RunningRedis;
let keyServer: RunningRedis;
let redis: Redis;
let keys: SessionKeyServer;
let services: ReturnType<typeof realServices>;
let liveness: Liveness;
let server: Server;
let url: string;

beforeAll(async () => {
  const durable = { durable: true, config: { hz: '100' } };
  [main, keyServer] = await Promise.all([startRedis(durable), startRedis(durable)]);
  redis = (await connectRedis({ url: main.url, cluster: false }, () => {})) as Redis;
  keys = await connectSessionKeys(keyServer.url, () => {});
  ({ liveness } = realLiveness(redis, tier, { sessionKeys: keys.keys }));
  services = { ...realServices(redis, tier), liveness };
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  redis.disconnect();
  keys.redis.disconnect();
  await Promise.all([main.stop(), keyServer.stop()]);
});

async function send(method: string, path: string, bearer: string, body?: object) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
  return { status: response.status, body: (await response.json()) as any };
}

/** An account with a key. @param days of audit images; without it, the account has the default setting. */
async function newAccount(days?: number) {
  const { id } = await services.keys.createAccount('Shop', 'business');
  if (days !== undefined) await services.keys.updateAccount(id, { auditImages: { days } });
  const create = async (scope?: KeyScope) => (await services.keys.createKey(id, 'live', scope)).apiKey;
  return { accountId: id, apiKey: await create(), reader: await create({ auditImages: true }) };
}
type Account = Awaited<ReturnType<typeof newAccount>>;

/** A session that is being checked, with the data that the page gets at its start. */
async function checkedSession({ accountId, apiKey }: Account, body?: object) {
  const made = await send('POST', '/liveness', apiKey, body);
  const { sessionId, accessToken } = made.body.data;
  const address = { accountId, sessionId };
  const started = await send('POST', `/liveness/${sessionId}/start`, accessToken);
  const store = new RedisSessionStore(redis, { keys: keys.keys });
  await store.beginAttempt(address, {
    attemptId: 'att_1',
    device: 'hash',
    maxBegun: 9,
    fields: { id: 'att_1' },
  });
  await store.beginCheck(address, { attemptId: 'att_1', checker: 'chk_1', leaseMs: 60_000 });
  const session = await liveness.sessions.find(address);
  return { address, session, accessToken, start: started.body.data, path: `/liveness/${sessionId}` };
}

/** A session that has ended, with an image. */
async function newImage(account: Account) {
  const checked = await checkedSession(account);
  await liveness.auditImages.keep(checked.session, 'att_1', jpeg);
  await end(checked.address);
  return checked;
}

async function end(address: SessionAddress) {
  const seals = { explanation: 'sealed', outcome: 'sealed' };
  const store = new RedisSessionStore(redis, { keys: keys.keys });
  await store.finish({ ...address, ...seals, attemptId: 'att_1', status: 'failed', eventId: 'evt_1' });
}

/** Ids of the keys of a session's images. */
const auditKeys = async ({ sessionId }: SessionAddress) =>
  (await keys.redis.hkeys(`{${brand.slug}:session-keys}`)).filter((id) => id.startsWith(`${sessionId}/`));

const storedImages = async () => (await redis.keys('*')).filter((key) => key.includes('audit-image')).length;

test('no session keeps an image unless the operator has switched images on', async () => {
  const account = await newAccount();
  for (const body of [undefined, { auditImage: true }]) {
    const { session, start, path } = await checkedSession(account, body);
    expect(start).not.toHaveProperty('auditImageDays');
    await liveness.auditImages.keep(session, 'att_1', jpeg);
    expect(await storedImages()).toBe(0);
    expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
  }
});

test('a session may refuse the image of its account', async () => {
  const account = await newAccount(7);
  const { address, session, start } = await checkedSession(account, { auditImage: false });
  expect(start).not.toHaveProperty('auditImageDays');
  await liveness.auditImages.keep(session, 'att_1', jpeg);
  expect(await redis.exists(auditImageKey(address))).toBe(0);
});

test('a gateway without the address of the Redis of the keys refuses to read or erase the image', async () => {
  const account = await newAccount(7);
  const { address } = await newImage(account);
  const images = new RedisAuditImages(redis);
  const elsewhere = { code: 'SERVICE_UNAVAILABLE', cause: keysElsewhere };
  await expect(images.find(address)).rejects.toMatchObject(elsewhere);
  await expect(images.erase(address)).rejects.toMatchObject(elsewhere);
  expect(await redis.exists(auditImageKey(address))).toBe(1);
});

test('a key with the permission reads the image, and the audit log has each access with its outcome', async () => {
  const account = await newAccount(7);
  const { address, start, path } = await newImage(account);
  expect(start).toMatchObject({ auditImageDays: 7 });
  const { status, body } = await send('GET', `${path}/audit-image`, account.reader);
  expect(status).toBe(200);
  expect(schemas.validate('liveness-audit-image-response.json', body)).toBe(true);
  expect(Buffer.from(body.data.image.split(',')[1], 'base64')).toEqual(jpeg);
  expect(Date.parse(body.data.expiresAt) - Date.parse(body.data.takenAt)).toBe(7 * day);
  await liveness.auditImages.erase(address, 'live');
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
  const { items } = await new RedisAuditLog(redis).list({ limit: 10, accountId: account.accountId });
  const entry = { operation: 'sessions audit-image', ids: { session: address.sessionId } };
  const actor = expect.stringMatching(/^key:key_/);
  expect(items.map(({ outcome }) => outcome)).toEqual(['NOT_FOUND', 'done']);
  for (const item of items) expect(item).toMatchObject({ ...entry, actor, accountId: account.accountId });
});

test('nobody else reads the image', async () => {
  const account = await newAccount(7);
  const { accessToken, path } = await newImage(account);
  const read = async (bearer: string) => {
    const { status, body } = await send('GET', `${path}/audit-image`, bearer);
    return [status, body.error?.reason];
  };
  expect(await read(account.apiKey)).toEqual([404, 'auditImage']);
  expect(await read((await newAccount(7)).reader)).toEqual([404, 'auditImage']);
  const test = await services.keys.createKey(account.accountId, 'test', { auditImages: true });
  expect(await read(test.apiKey)).toEqual([404, 'auditImage']);
  expect((await read(accessToken))[0]).toBe(401);
  const made = await send('POST', '/keys', account.reader, { name: 'Made by the reader' });
  expect(await read(made.body.data.apiKey)).toEqual([404, 'auditImage']);
});

test('DELETE erases the image and its key, also when the session has ended long ago', async () => {
  const account = await newAccount(7);
  const { address, path } = await newImage(account);
  // Redis does this after 24 hours.
  await redis.del(sessionKeys(address).session);
  expect((await send('GET', path, account.apiKey)).status).toBe(404);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
  const load = jest.spyOn(redis, 'hgetallBuffer');
  expect((await send('DELETE', path, account.apiKey)).status).toBe(200);
  expect(load).not.toHaveBeenCalled();
  load.mockRestore();
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
  expect(await auditKeys(address)).toEqual([]);
  expect(await redis.exists(auditImageKey(address), auditEndsKey(account.accountId))).toBe(0);
  expect(await redis.hget(auditHeldKey(account.accountId), 'total')).toBe('0');
  expect((await send('DELETE', path, account.apiKey)).status).toBe(404);
});

test('DELETE erases the image before the session, and the image of a check that ends meanwhile', async () => {
  const account = await newAccount(7);
  const { address, session, path } = await checkedSession(account);
  await liveness.auditImages.keep(session, 'att_1', jpeg);
  const erase = jest.spyOn(liveness.sessions, 'erase').mockImplementationOnce(async (...args) => {
    expect(await redis.exists(auditImageKey(address))).toBe(0);
    await liveness.auditImages.keep(session, 'att_1', jpeg);
    await end(address);
    return liveness.sessions.erase(...args);
  });
  expect((await send('DELETE', path, account.apiKey)).status).toBe(200);
  erase.mockRestore();
  expect(await redis.exists(auditImageKey(address))).toBe(0);
  expect(await auditKeys(address)).toEqual([]);
});

test('the retention ends the image and its key', async () => {
  const account = await newAccount(7);
  const { address, path } = await newImage(account);
  const left = await redis.pttl(auditImageKey(address));
  expect(left).toBeGreaterThan(6.9 * day);
  expect(left).toBeLessThanOrEqual(7 * day);
  const after = (days: number) =>
    new RedisSessionKeys(keys.redis, { now: () => Date.now() + days * day }).sweep();
  await after(6.9);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
  await after(7.1);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
});

test('an account without room keeps no image, and no key of one', async () => {
  const account = await newAccount(7);
  const { address } = await checkedSession(account);
  const images = new RedisAuditImages(redis, keys.keys);
  const image = { attemptId: 'att_1', mode: 'live', image: jpeg, sealedKey: 'sealed' } as const;
  expect(await images.keep(address, image, { retentionMs: day, maxBytes: jpeg.length - 1 })).toBe('full');
  expect(await auditKeys(address)).toEqual([]);
  expect(await images.keep(address, image, { retentionMs: day, maxBytes: jpeg.length })).toBe('kept');
});

test('checks that keep an image at the same time or late leave one that can be read', async () => {
  const account = await newAccount(7);
  const { address, session, path } = await checkedSession(account);
  const keep = () => liveness.auditImages.keep(session, 'att_1', jpeg);
  await Promise.all([keep(), keep(), keep()]);
  await end(address);
  // A check that was cut off and continues later.
  await keep();
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
  expect(await auditKeys(address)).toHaveLength(1);
  await redis.del(sessionKeys(address).session);
  expect((await send('DELETE', path, account.apiKey)).status).toBe(200);
  expect(await auditKeys(address)).toEqual([]);
});

test('a check of an earlier attempt that ends late keeps no image', async () => {
  const account = await newAccount(7);
  const { address, session } = await checkedSession(account);
  const store = new RedisSessionStore(redis, { keys: keys.keys });
  await store.retry({ ...address, attemptId: 'att_1', explanation: 'sealed' });
  await store.beginAttempt(address, {
    attemptId: 'att_2',
    device: 'hash',
    maxBegun: 9,
    fields: { id: 'att_2' },
  });
  await store.beginCheck(address, { attemptId: 'att_2', checker: 'chk_2', leaseMs: 60_000 });
  await liveness.auditImages.keep(session, 'att_1', jpeg);
  expect(await redis.exists(auditImageKey(address))).toBe(0);
  await liveness.auditImages.keep(session, 'att_2', jpeg);
  expect(await redis.exists(auditImageKey(address))).toBe(1);
});

test('a call that is sent again after its reply was lost keeps the image', async () => {
  const account = await newAccount(7);
  const { address, session, path } = await checkedSession(account);
  const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  const twice = async (...args: unknown[]) => [await evalsha(...args), await evalsha(...args)].at(-1);
  // The text of the script is known from the tests before.
  const lost = jest.spyOn(redis, 'evalsha').mockImplementationOnce(twice as never);
  await liveness.auditImages.keep(session, 'att_1', jpeg);
  lost.mockRestore();
  await end(address);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
});

test('logs and counts an image that cannot be kept, without ids', async () => {
  const account = await newAccount(7);
  const { session } = await checkedSession(account);
  const away = new Redis(keyServer.url, { lazyConnect: true });
  away.disconnect();
  const { liveness: metrics, registry } = createMetrics();
  const warn = jest.fn();
  const { liveness: cut } = realLiveness(redis, tier, {
    sessionKeys: new RedisSessionKeys(away),
    observer: metrics,
    logger: { warn },
  });
  await cut.auditImages.keep(session, 'att_1', jpeg);
  expect(await registry.metrics()).toContain('liveness_audit_images_total{outcome="failed"} 1');
  expect(warn).toHaveBeenCalledWith(
    { err: expect.objectContaining({ cause: expect.anything() }) },
    'audit image',
  );
  expect(JSON.stringify(warn.mock.calls)).not.toMatch(session.id);
});
