/** API versions and deprecated operations over HTTP, on a real Redis, with a contract that has two versions. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import { createApp } from '../src/http/app';
import type { KeyService } from '../src/services/keys/keys';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { keepOpen, realServices } from './services';
import { tierThatDetects } from './stand-in';

const first = '2026-11-23';
const newest = '2027-03-01';

jest.mock('@presenza/contract/versions.json', () => [
  { date: '2027-03-01', changes: ['Another version.'] },
  {
    date: '2026-11-23',
    changes: ['The first version.'],
    deprecatedAt: '2027-03-01',
    sunsetAt: '2029-03-01',
  },
]);
jest.mock('@presenza/contract/openapi.json', () => {
  const description = structuredClone(jest.requireActual('@presenza/contract/openapi.json'));
  const dates = { 'x-deprecated-at': '2027-03-01', 'x-sunset-at': '2028-03-01' };
  Object.assign(description.paths['/usage'].get, { deprecated: true, ...dates });
  return description;
});

let store: RunningServer;
let redis: RedisClient;
let keys: KeyService;
let server: Server;

beforeAll(async () => {
  store = await startRedis();
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  const services = realServices(
    redis,
    tierThatDetects(() => Promise.reject(new Error('not expected'))),
  );
  keys = services.keys;
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  redis.disconnect();
  await store.stop();
});

/** The key of a new account. */
async function newKey() {
  const { id } = await keys.createAccount('Versions', 'growth');
  return { id, ...(await keys.createKey(id, 'live')) };
}

function get(path: string, apiKey: string, headers: Record<string, string> = {}): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
  });
}
const versionOf = ({ headers }: Response) => headers.get('presenza-version');
const announced = ({ headers }: Response) => [headers.get('deprecation'), headers.get('sunset')];

test('an account has the newest version of its creation until an operator changes it', async () => {
  const { id, apiKey } = await newKey();
  expect(versionOf(await get('/usage', apiKey))).toBe(newest);
  await keys.updateAccount(id, { apiVersion: first });
  expect(versionOf(await get('/usage', apiKey))).toBe(first);
  await keys.updateAccount(id, { name: 'Renamed' });
  expect(versionOf(await get('/usage', apiKey))).toBe(first);
});

test.each([{}, { apiVersion: '2026-01-01' }])('an account with %j has the oldest version', async (kept) => {
  const id = `acc_early${Object.keys(kept).length}`;
  await new RedisKeyStore(redis).addAccount({ id, name: 'Early', plan: 'growth', createdAt: 1, ...kept });
  const { apiKey } = await keys.createKey(id, 'live');
  expect(versionOf(await get('/usage', apiKey))).toBe(first);
});

test('the header of a request selects its version, also of requests that fail', async () => {
  const { apiKey } = await newKey();
  const header = { 'Presenza-Version': first };
  expect(versionOf(await get('/usage', apiKey, header))).toBe(first);
  const refused = await get('/events/evt_none', apiKey, header);
  expect([refused.ok, versionOf(refused)]).toEqual([false, first]);
  expect(versionOf(await get('/usage', apiKey))).toBe(newest);
});

test.each(['2026-11-24', '', `${first}, ${newest}`])('rejects the version "%s"', async (version) => {
  const { apiKey } = await newKey();
  const response = await get('/usage', apiKey, { 'Presenza-Version': version });
  expect([response.status, versionOf(response)]).toEqual([400, newest]);
  const { error } = (await response.json()) as { error: object };
  expect(error).toMatchObject({
    code: 'INVALID_PARAMETERS',
    reason: 'header',
    param: 'Presenza-Version',
    message: `The header Presenza-Version must be one of ${newest}, ${first}.`,
  });
});

test('requests without a valid key have no version', async () => {
  expect(versionOf(await get('/health', 'none'))).toBeNull();
  const refused = await get('/usage', 'none', { 'Presenza-Version': 'unknown' });
  expect([refused.status, versionOf(refused)]).toEqual([401, null]);
});

test('every response of a deprecated operation says since when, and when the operation ends', async () => {
  const { apiKey } = await newKey();
  const expected = ['@1803859200', 'Wed, 01 Mar 2028 00:00:00 GMT'];
  expect(announced(await get('/usage', apiKey))).toEqual(expected);
  expect(announced(await get('/usage', 'none'))).toEqual(expected);
  expect(announced(await get('/keys', apiKey))).toEqual([null, null]);
});

test('every response of a deprecated version does the same, except of operations that end by themselves', async () => {
  const { apiKey } = await newKey();
  const deprecated = { 'Presenza-Version': first };
  const dates = ['@1803859200', 'Thu, 01 Mar 2029 00:00:00 GMT'];
  expect(announced(await get('/keys', apiKey, deprecated))).toEqual(dates);
  expect(announced(await get('/events/evt_none', apiKey, deprecated))).toEqual(dates);
  expect(announced(await get('/usage', apiKey, deprecated))).toEqual([
    dates[0],
    'Wed, 01 Mar 2028 00:00:00 GMT',
  ]);
});
