/** Lists of sessions and events by API key: pages, filters, and separate accounts and modes. */
import limits from '@presenza/contract/limits.json';
import { eventOrderKey, eventsKey } from '../src/stores/liveness/keys';
import { TestGateway } from './test-gateway';

let gateway: TestGateway;
let account: Awaited<ReturnType<TestGateway['account']>>;
let testKey: string;

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  account = await gateway.account();
  testKey = (await gateway.services.keys.createKey(account.id, 'test')).apiKey;
});

const get = (path: string, bearer = account.apiKey) => gateway.api({ method: 'GET', path, bearer });
const newSession = async (bearer = account.apiKey, metadata = {}) =>
  (await gateway.api({ path: '/liveness', bearer, body: { metadata } })).body.data as {
    sessionId: string;
    accessToken: string;
  };
const cancel = ({ sessionId, accessToken }: Awaited<ReturnType<typeof newSession>>) =>
  gateway.api({ path: `/liveness/${sessionId}/cancel`, bearer: accessToken });
const erase = (sessionId: string) =>
  gateway.api({ method: 'DELETE', path: `/liveness/${sessionId}`, bearer: account.apiKey });
// biome-ignore lint/suspicious/noExplicitAny: responses are read freely in tests
type Item = any;

/** Follows the Link header from page to page. */
async function pagesOf(first: string, onPage: (items: Item[]) => Promise<void> = async () => {}) {
  const pages: Item[][] = [];
  let path: string | undefined = first;
  while (path !== undefined) {
    const { status, body, headers } = await get(path);
    expect(status).toBe(200);
    const { items, hasMore, nextCursor } = body.data;
    pages.push(items);
    await onPage(items);
    const [, next] = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    expect([hasMore, nextCursor !== undefined]).toEqual(Array(2).fill(next !== undefined));
    if (next) expect(new URLSearchParams(next).get('cursor')).toBe(nextCursor);
    path = next && new URL(next, `http://gateway${path}`).href.slice('http://gateway'.length);
  }
  return pages;
}

describe('GET /liveness', () => {
  test('lists sessions page by page, newest first, as they are shown one by one', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await newSession(account.apiKey, { i })).sessionId);
    const pages = await pagesOf('/v1/liveness?limit=2');
    expect(pages.map((items) => items.length)).toEqual([2, 2, 1]);
    const listed = pages.flat();
    // Sessions of the same millisecond are in the order of their ids.
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(
      listed
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(new Set(made));
    for (const session of listed) {
      expect((await get(`/liveness/${session.sessionId}`)).body.data).toEqual(session);
    }
  });

  test('continues after the last page whatever is erased or created in between', async () => {
    const made: string[] = [];
    for (let i = 0; i < 4; i++) made.push((await newSession()).sessionId);
    const pages = await pagesOf('/liveness?limit=1', async ([{ sessionId }]) => {
      await erase(sessionId);
      if (sessionId === made[3]) await newSession();
    });
    expect(new Set(pages.flat().map(({ sessionId }) => sessionId))).toEqual(new Set(made));
    expect(pages.flat()).toHaveLength(4);
  });

  test('selects by status and by creation', async () => {
    const first = await newSession();
    await cancel(first);
    const second = await newSession();
    const idsOf = async (query: string) =>
      (await get(`/liveness?${query}`)).body.data.items.map(({ sessionId }: Item) => sessionId);
    expect(await idsOf('status=cancelled')).toEqual([first.sessionId]);
    expect(await idsOf('status=created')).toEqual([second.sessionId]);
    const { createdAt } = (await get(`/liveness/${first.sessionId}`)).body.data;
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await idsOf(`to=${createdAt}`)).toEqual([]);
    expect(await idsOf(`from=${createdAt}&to=${later}`)).toContain(first.sessionId);
    expect(await idsOf(`from=${later}`)).not.toContain(first.sessionId);
    expect(await idsOf('from=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await idsOf(`to=${createdAt}&cursor=${Date.parse(later)}.z`)).toEqual([]);
  });

  test('selects by a field of the metadata, with all other filters and page by page', async () => {
    const idOf = async (metadata: object) => (await newSession(account.apiKey, metadata)).sessionId;
    const first = await idOf({ user: 'a:b', visit: 7, isNew: true, address: { user: 'c' }, no: null });
    await idOf({ user: 'a' });
    const second = await idOf({ user: 'a:b' });
    await cancel(await newSession(account.apiKey, { user: 'a:b' }));
    await idOf({});
    const third = await idOf({ user: 'a:b' });
    const filters = 'status=created&from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&metadata=user:a%3Ab';
    const pages = await pagesOf(`/liveness?${filters}&limit=1`);
    // Sessions of the same millisecond are in the order of their ids.
    expect(pages.map((items) => items.map(({ sessionId }) => sessionId)).sort()).toEqual(
      [[first], [second], [third]].sort(),
    );
    const idsOf = async (metadata: string) =>
      (await pagesOf(`/liveness?metadata=${metadata}`)).flat().map(({ sessionId }) => sessionId);
    expect(await idsOf('visit:7')).toEqual([first]);
    expect(await idsOf('isNew:true')).toEqual([first]);
    for (const other of ['address:[object%20Object]', 'no:null', 'none:undefined', 'user:', 'user:A:b'])
      expect(await idsOf(other)).toEqual([]);
    await erase(first);
    expect(await idsOf('visit:7')).toEqual([]);
  });

  test('shows only sessions of the account and mode of the key', async () => {
    const live = await newSession();
    const forTest = await newSession(testKey);
    const idsOf = async (bearer: string) =>
      (await get('/liveness', bearer)).body.data.items.map(({ sessionId }: Item) => sessionId);
    expect(await idsOf(account.apiKey)).toEqual([live.sessionId]);
    expect(await idsOf(testKey)).toEqual([forTest.sessionId]);
    expect(await idsOf((await gateway.account()).apiKey)).toEqual([]);
    // A session's token is for that session.
    expect((await get('/liveness', live.accessToken)).status).toBe(401);
  });
});

describe('GET /events', () => {
  test('lists the events of sessions with their details, and each by its id', async () => {
    const session = await newSession(account.apiKey, { userId: 'user-1' });
    await gateway.api({ path: `/liveness/${session.sessionId}/start`, bearer: session.accessToken });
    await cancel(session);
    const { items } = (await get('/events')).body.data;
    const [cancelled, started] = ['cancelled', 'started'].map((status) =>
      items.find(({ eventType }: Item) => eventType === `session.${status}`),
    );
    const shared = { sessionId: session.sessionId, livemode: true, metadata: { userId: 'user-1' } };
    expect(cancelled).toMatchObject({ ...shared, eventType: 'session.cancelled' });
    expect(started).toMatchObject({ ...shared, eventType: 'session.started' });
    expect((await get(`/events/${started.eventId}`)).body.data).toEqual(started);
    expect((await get('/events?eventType=session.started')).body.data.items).toEqual([started]);
    expect((await get(`/events?to=${started.timestamp}`)).body.data.items).toEqual([]);
    expect((await pagesOf('/events?limit=1')).flat()).toEqual(items);
    expect(items).toHaveLength(2);
  });

  test('shows of an erased session only what happened and when', async () => {
    const { sessionId } = await newSession(account.apiKey, { userId: 'user-1' });
    await erase(sessionId);
    const { body, text } = await get('/events');
    const event = {
      eventId: expect.stringMatching(/^evt_/),
      eventType: 'session.cancelled',
      timestamp: expect.any(String),
    };
    expect(body.data.items).toEqual([{ ...event, sessionId, livemode: true }]);
    expect(text).not.toContain('user-1');
  });

  test('shows only events of the account and mode of the key', async () => {
    await cancel(await newSession());
    await cancel(await newSession(testKey));
    const [live] = (await get('/events')).body.data.items;
    const [forTest] = (await get('/events', testKey)).body.data.items;
    expect([live.livemode, forTest.livemode]).toEqual([true, false]);
    const stranger = (await gateway.account()).apiKey;
    expect((await get('/events', stranger)).body.data.items).toEqual([]);
    for (const [bearer, { eventId }] of [
      [testKey, live],
      [account.apiKey, forTest],
      [stranger, live],
    ]) {
      const { status, body } = await get(`/events/${eventId}`, bearer);
      expect([status, body.error.reason]).toEqual([404, 'event']);
    }
  });

  test('forgets events after a week, and the oldest above the limit', async () => {
    const { redis } = gateway;
    const keys = [eventsKey(account.id), eventOrderKey(account.id)];
    const before = Date.now() - 1_000 * limits.events.retentionSeconds;
    const [old, young] = ['o', 'y'].map((letter) => `evt_${letter.repeat(22)}`) as [string, string];
    const add = (id: string, at: number) => [
      redis.hset(keys[0] as string, id, `${at} live session.failed ses_${'0'.repeat(24)}`),
      redis.zadd(keys[1] as string, at, id),
    ];
    await Promise.all([...add(old, before - 1), ...add(young, before + 60_000)]);
    expect((await get('/events')).body.data.items.map(({ eventId }: Item) => eventId)).toEqual([young]);
    expect((await get(`/events/${old}`)).status).toBe(404);
    const fill = `for i = ARGV[1], ARGV[2] do
      redis.call('HSET', KEYS[1], 'evt_' .. i, '')
      redis.call('ZADD', KEYS[2], ARGV[3], 'evt_' .. i)
    end`;
    // One long script would keep Redis from replying for so long that the gateway gives up its connection.
    const atOnce = 1_000;
    for (let i = 1; i <= limits.events.maxPerAccount; i += atOnce) {
      const last = Math.min(i + atOnce - 1, limits.events.maxPerAccount);
      await redis.eval(fill, 2, ...keys, i, last, before + 1_000);
    }
    for (let i = 0; i < 3; i++) await cancel(await newSession());
    expect(await redis.hlen(keys[0] as string)).toBeLessThanOrEqual(limits.events.maxPerAccount);
    expect(await redis.zcard(keys[1] as string)).toBe(await redis.hlen(keys[0] as string));
    expect((await get('/events?limit=3')).body.data.items).toHaveLength(3);
  });
});

describe.each(['/liveness', '/events', '/webhooks', '/keys'])('GET %s', (path) => {
  test.each([
    ['limit=0', 'limit', 'a number from 1 to 100'],
    ['limit=101', 'limit', 'a number from 1 to 100'],
    ['limit=ten', 'limit', 'a whole number'],
    ['limit=0x10', 'limit', 'a whole number'],
    ['limit=%2010', 'limit', 'a whole number'],
    ['cursor=none', 'cursor', 'the nextCursor of an earlier page'],
    ['cursor=', 'cursor', 'the nextCursor of an earlier page'],
  ])('rejects ?%s', async (query, field, expected) => {
    const { status, body } = await get(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: `The field ${field} must be ${expected}.`,
    });
  });

  test('counts toward the rate limit', async () => {
    await gateway.services.keys.updateAccount(account.id, {
      overrides: { burst: { limit: 1, windowSeconds: 60 } },
    });
    expect((await get(path)).status).toBe(200);
    const { status, headers, body } = await get(path);
    expect([status, body.error.reason]).toEqual([429, 'burst']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('needs a key', async () => {
    expect((await get(path, 'presenza_live_none')).status).toBe(401);
  });
});

test.each([
  ['/liveness', 'status=none'],
  ['/liveness', 'metadata=user'],
  ['/events', 'eventType=none'],
])('GET %s rejects wrong filters and keys of other products', async (path, filter) => {
  for (const [name, value] of [
    ['from', 'yesterday'],
    ['to', '2026-06-30T23:59:60Z'],
  ])
    expect((await get(`${path}?${name}=${value}`)).body.error.message).toBe(
      `The field ${name} must be a time such as 2027-01-31T12:00:00Z.`,
    );
  expect((await get(`${path}?${filter}`)).status).toBe(400);
  const { apiKey } = await gateway.services.keys.createKey(account.id, 'live', {
    products: ['faceDetection'],
  });
  expect((await get(path, apiKey)).body.error).toMatchObject({
    code: 'PERMISSION_DENIED',
    reason: 'product',
  });
});
