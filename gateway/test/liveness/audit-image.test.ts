/** Audit images over HTTP on a real Redis with a second one for keys. capture.test.ts has one of a real capture. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../../deploy/local/harness/index.mjs';
import { createApp } from '../../src/http/app';
import type { KeyScope } from '../../src/services/keys/key-records';
import type { Liveness } from '../../src/services/liveness/liveness';
import type { SessionAddress } from '../../src/services/liveness/session/session-store';
import { auditEndsKey, auditHeldKey, auditImageKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisAuditImages } from '../../src/stores/liveness/redis-audit-images';
import {
  connectSessionKeys,
  RedisSessionKeys,
  type SessionKeyServer,
} from '../../src/stores/liveness/redis-session-keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { connectRedis } from '../../src/stores/redis';
import { RedisAuditLog } from '../../src/stores/redis-audit-log';
import { schemas } from '../contract';
import { realLiveness, realServices } from '../services';
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
  server = createApp(services).listen(0, '127.0.0.1');
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
    ...{ attemptId: 'att_1', device: 'hash', maxBegun: 9, fields: { id: 'att_1' } },
  });
  await store.beginCheck(address, { attemptId: 'att_1', checker: 'chk_1', leaseMs: 60_000 });
  const session = await liveness.sessions.find(address);
  return { address, session, accessToken, start: started.body.data, path: `/liveness/${sessionId}` };
}

/** A session that has ended, with an image. */
async function newImage(account: Account) {
  const checked = await checkedSession(account);
  await liveness.auditImages.keep(checked.session, jpeg);
  await end(checked.address);
  return checked;
}

async function end(address: SessionAddress) {
  const seals = { explanation: 'sealed', outcome: 'sealed' };
  const store = new RedisSessionStore(redis, { keys: keys.keys });
  await store.finish({ ...address, ...seals, attemptId: 'att_1', status: 'failed', eventId: 'evt_1' });
}

const storedImages = async () => (await redis.keys('*')).filter((key) => key.includes('audit-image')).length;

test('no session keeps an image unless the operator has switched images on', async () => {
  const account = await newAccount();
  for (const body of [undefined, { auditImage: true }]) {
    const { session, start, path } = await checkedSession(account, body);
    expect(start).not.toHaveProperty('auditImageDays');
    await liveness.auditImages.keep(session, jpeg);
    expect(await storedImages()).toBe(0);
    expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
  }
});

test('a session may refuse the image of its account', async () => {
  const account = await newAccount(7);
  const { address, session, start } = await checkedSession(account, { auditImage: false });
  expect(start).not.toHaveProperty('auditImageDays');
  await liveness.auditImages.keep(session, jpeg);
  expect(await redis.exists(auditImageKey(address))).toBe(0);
});

test('a key with the permission reads the image, and the audit log says who read it', async () => {
  const account = await newAccount(7);
  const { address, start, path } = await newImage(account);
  expect(start).toMatchObject({ auditImageDays: 7 });
  const { status, body } = await send('GET', `${path}/audit-image`, account.reader);
  expect(status).toBe(200);
  expect(schemas.validate('liveness-audit-image-response.json', body)).toBe(true);
  expect(Buffer.from(body.data.image.split(',')[1], 'base64')).toEqual(jpeg);
  expect(Date.parse(body.data.expiresAt) - Date.parse(body.data.takenAt)).toBe(7 * day);
  const { items } = await new RedisAuditLog(redis).list({ limit: 10, accountId: account.accountId });
  const entry = { operation: 'sessions audit-image', ids: { session: address.sessionId } };
  const actor = expect.stringMatching(/^key:key_/);
  expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'begun']);
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
  // As Redis does after 24 hours.
  await redis.del(sessionKeys(address).session);
  expect((await send('GET', path, account.apiKey)).status).toBe(404);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
  expect((await send('DELETE', path, account.apiKey)).status).toBe(200);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
  expect(await keys.keys.find(`${address.sessionId}/audit`)).toBeUndefined();
  expect(await redis.exists(auditImageKey(address), auditEndsKey(account.accountId))).toBe(0);
  expect(await redis.hget(auditHeldKey(account.accountId), 'total')).toBe('0');
  expect((await send('DELETE', path, account.apiKey)).status).toBe(404);
});

test('the retention ends the image and its key', async () => {
  const account = await newAccount(7);
  const { address, path } = await newImage(account);
  const left = await redis.pttl(auditImageKey(address));
  expect(left).toBeGreaterThan(6.9 * day);
  expect(left).toBeLessThanOrEqual(7 * day);
  const after = (days: number) => new RedisSessionKeys(keys.redis, () => Date.now() + days * day).sweep();
  await after(6.9);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(200);
  await after(7.1);
  expect((await send('GET', `${path}/audit-image`, account.reader)).status).toBe(404);
});

test('an account without room keeps no image, and no key of one', async () => {
  const account = await newAccount(7);
  const { address } = await checkedSession(account);
  const images = new RedisAuditImages(redis, keys.keys);
  const image = { mode: 'live', image: jpeg, sealedKey: 'sealed' } as const;
  expect(await images.keep(address, image, { retentionMs: day, maxBytes: jpeg.length - 1 })).toBe(false);
  expect(await keys.keys.find(`${address.sessionId}/audit`)).toBeUndefined();
  expect(await images.keep(address, image, { retentionMs: day, maxBytes: jpeg.length })).toBe(true);
  await end(address);
  // A check that was cut off and continues later.
  expect(await images.keep(address, image, { retentionMs: day, maxBytes: 1e9 })).toBe(false);
});
