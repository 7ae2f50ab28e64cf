/** The log of each account's requests, from the public API to the operators' list and Redis. */
import { waitUntil } from '../harness/index.mjs';
import { outputs } from '../src/console/outputs';
import { RequestLog } from '../src/services/requests/request-log';
import type { RedisClient } from '../src/stores/redis';
import { RedisRequestLog } from '../src/stores/redis-request-log';
import { schemas, testImageBytes } from './contract';
import { describeOnEachRedis } from './each-redis';
import { adminToken, TestGateway } from './test-gateway';

const image = `data:image/png;base64,${testImageBytes('face').toString('base64')}`;
const hour = 60 * 60 * 1_000;
const day = 24 * hour;

describeOnEachRedis((connection) => {
  const entry = (requestId: string, status: number, keyId = 'key_1') => ({
    requestId,
    at: 1,
    keyId,
    mode: 'live' as const,
    method: 'POST',
    path: '/detect',
    status,
    ms: 2,
    ...(status >= 400 && { code: 'INVALID_PARAMETERS' as const }),
  });
  const logOf = (most: number, now?: () => number): RedisRequestLog =>
    new RedisRequestLog(connection(), most, now);
  /** Lists all pages. */
  async function all(log: RedisRequestLog, accountId: string, wanted: object, limit: number) {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await log.list(accountId, { ...wanted, limit, ...(after !== undefined && { after }) });
      ids.push(...page.items.map(({ requestId }) => requestId));
      after = page.next;
    } while (after !== undefined);
    return ids;
  }

  test('lists requests newest first, whether they failed or not, in pages without gaps', async () => {
    const log = logOf(10_000);
    // All in one write have the same time.
    const statuses = [200, 400, 200, 200, 503, 200, 404];
    await log.append(
      'acc_order',
      statuses.map((status, at) => entry(`req_${at}`, status)),
    );
    await log.append('acc_order', [entry('req_7', 200), entry('req_8', 500)]);
    const newest = [8, 7, 6, 5, 4, 3, 2, 1, 0].map((at) => `req_${at}`);
    expect(await all(log, 'acc_order', {}, 100)).toEqual(newest);
    expect(await all(log, 'acc_order', {}, 2)).toEqual(newest);
    const failed = ['req_8', 'req_6', 'req_4', 'req_1'];
    expect(await all(log, 'acc_order', { failed: true }, 3)).toEqual(failed);
    expect(await all(log, 'acc_order', { failed: false }, 3)).toEqual(
      newest.filter((id) => !failed.includes(id)),
    );
    expect(await log.list('acc_other', { limit: 10 })).toEqual({ items: [] });
    const { items } = await log.list('acc_order', { limit: 1 });
    expect(items).toEqual([{ id: expect.stringMatching(/^\d+-\d+$/), stages: {}, ...entry('req_8', 500) }]);
  });

  test('finds requests by their id and their key, also behind many others', async () => {
    const log = logOf(10_000);
    const name = '"key_2"';
    await log.append('acc_find', [
      entry('req_sought', 200),
      entry('req_key', 200, 'key_2'),
      entry(name, 200),
    ]);
    const others = Array.from({ length: 1_200 }, (_, at) => entry(`req_${at}`, at % 3 === 0 ? 400 : 200));
    await log.append('acc_find', others);
    expect(await all(log, 'acc_find', { requestId: 'req_sought' }, 50)).toEqual(['req_sought']);
    expect(await all(log, 'acc_find', { key: 'key_2' }, 50)).toEqual(['req_key']);
    expect(await all(log, 'acc_find', { key: 'key_1', requestId: 'req_key' }, 50)).toEqual([]);
    expect(await all(log, 'acc_find', { requestId: 'req_sought', failed: true }, 50)).toEqual([]);
  });

  test('finds requests by their path, their status and its class', async () => {
    const log = logOf(10_000);
    const session = { ...entry('req_session', 404), path: '/liveness/{sessionId}' };
    await log.append('acc_status', [entry('req_1', 200), entry('req_2', 400), session, entry('req_4', 503)]);
    const listed = (wanted: object) => all(log, 'acc_status', wanted, 50);
    expect(await listed({ status: '2xx' })).toEqual(['req_1']);
    expect(await listed({ status: '4xx' })).toEqual(['req_session', 'req_2']);
    expect(await listed({ status: '400' })).toEqual(['req_2']);
    expect(await listed({ status: '500' })).toEqual([]);
    expect(await listed({ status: '5xx', failed: true })).toEqual(['req_4']);
    expect(await listed({ path: '/liveness/{sessionId}' })).toEqual(['req_session']);
    expect(await listed({ path: '/detect', status: '4xx' })).toEqual(['req_2']);
  });

  test('lists the requests of a time', async () => {
    const log = logOf(10_000);
    const begin = Date.now();
    await log.append('acc_time', [entry('req_1', 200), entry('req_2', 400)]);
    const margin = 60_000;
    expect(await all(log, 'acc_time', { from: begin - margin, to: Date.now() + margin }, 1)).toHaveLength(2);
    expect(await all(log, 'acc_time', { to: begin - margin }, 50)).toEqual([]);
    expect(await all(log, 'acc_time', { from: Date.now() + margin }, 50)).toEqual([]);
  });

  test('lists the requests after an entry, and says that some are missing if there are many', async () => {
    const log = logOf(10_000);
    expect(await log.list('acc_since', { limit: 2, since: '1-0' })).toEqual({ items: [] });
    await log.append('acc_since', [entry('req_1', 200), entry('req_2', 400)]);
    const { newest: since = '' } = await log.list('acc_since', { limit: 50 });
    expect(await log.list('acc_since', { limit: 50, since })).toEqual({ items: [], newest: since });
    await log.append('acc_since', [entry('req_3', 200)]);
    const later = await log.list('acc_since', { limit: 50, since });
    expect(later).toMatchObject({ items: [{ requestId: 'req_3' }], newest: later.items[0]?.id });
    expect(later).not.toHaveProperty('next');
    const others = Array.from({ length: 600 }, (_, at) => entry(`req_${at}`, at % 3 === 0 ? 400 : 200));
    await log.append('acc_since', others);
    expect(await log.list('acc_since', { limit: 50, since, key: 'key_2' })).toMatchObject({
      items: [],
      next: expect.any(String),
    });
  });

  test('finds an entry by its id, only in its account', async () => {
    const log = logOf(10_000);
    await log.append('acc_entry', [entry('req_1', 200), entry('req_2', 400)]);
    const { items } = await log.list('acc_entry', { limit: 50 });
    for (const item of items) expect(await log.find('acc_entry', item.id)).toEqual(item);
    expect(await log.find('acc_other', items[0]?.id ?? '')).toBeUndefined();
    expect(await log.find('acc_entry', '1-0')).toBeUndefined();
  });

  test('keeps sizes, version and the time of each stage', async () => {
    const log = logOf(10_000);
    const request = {
      ...entry('req_1', 200),
      ms: 24.914,
      stages: { auth: 0.051, meter: 1.2, infer: 18.4, model: 15 },
      apiVersion: '2026-11-01',
      requestBytes: 183_422,
      responseBytes: 0,
    };
    await log.append('acc_details', [request]);
    const { items } = await log.list('acc_details', { limit: 1 });
    expect(items).toMatchObject([{ ...request, ms: 24.91, stages: { ...request.stages, auth: 0.05 } }]);
    expect(items[0]?.stages).not.toHaveProperty('read');
  });

  test('shows entries that an earlier release wrote', async () => {
    const redis = connection() as RedisClient;
    const key = 'presenza:{acc_earlier}:requests';
    const failure = '[400,1,2,"req_2","key_1","live","POST","/detect","INVALID_PARAMETERS"]';
    const now = Date.now();
    await redis.xadd(key, `${now}-1`, 'r', '[200,1,2,"req_1","key_1","live","POST","/detect"]');
    await redis.xadd(`${key}:failed`, `${now}-0`, 'r', failure);
    const { items } = await logOf(10_000).list('acc_earlier', { limit: 50 });
    const id = expect.any(String);
    expect(items).toEqual([
      { id, ...entry('req_1', 200) },
      { id, ...entry('req_2', 400) },
    ]);
  });

  test('counts the requests of a day by hour and class, and forgets older hours', async () => {
    const redis = connection() as RedisClient;
    const key = 'presenza:{acc_hours}:requests:hours';
    expect((await logOf(10_000).countByHour('acc_hours')).map(({ succeeded }) => succeeded)).toEqual(
      Array.from({ length: 24 }, () => 0),
    );
    const old = Math.floor(Date.now() / hour) - 24;
    await redis.hset(key, `${old}:2`, 5, `${old + 1}:2`, 7);
    const statuses = [200, 200, 301, 404, 429, 499, 500];
    // The log keeps a few entries, and the counts have all.
    for (let batch = 0; batch < 3; batch++) {
      await logOf(1).append(
        'acc_hours',
        statuses.map((status, at) => entry(`req_${at}`, status)),
      );
    }
    const hours = await logOf(1).countByHour('acc_hours');
    const sum = (name: 'succeeded' | 'refused' | 'failed') =>
      hours.reduce((total, counts) => total + counts[name], 0);
    expect([sum('succeeded'), sum('refused'), sum('failed')]).toEqual([9 + 7, 9, 3]);
    expect(await redis.hexists(key, `${old}:2`)).toBe(0);
    expect(await redis.pttl(key)).toBeGreaterThan(23 * hour);
    expect(hours.map(({ from }) => from % hour)).toEqual(hours.map(() => 0));
  });

  test('an entry takes some 200 bytes', async () => {
    const redis = connection() as RedisClient;
    const count = 5_000;
    const log = logOf(10 * count);
    for (let written = 0; written < count; written += 100) {
      const requests = Array.from({ length: 100 }, (_, at) => ({
        ...entry(`req_${String(written + at).padStart(24, '0')}`, 200, 'key_0123456789abcdef'),
        at: Date.now(),
        ms: 24.91,
        stages: { auth: 0.05, read: 2.41, meter: 1.2, infer: 18.4, queue: 0.1, decode: 2.2, model: 15.77 },
        apiVersion: '2026-11-01',
        requestBytes: 183_422,
        responseBytes: 2_310,
      }));
      await log.append('acc_bytes', requests);
    }
    const bytes = Number(await redis.memory('USAGE', 'presenza:{acc_bytes}:requests', 'SAMPLES', 0));
    expect(bytes / count).toBeGreaterThan(180);
    expect(bytes / count).toBeLessThan(220);
  });

  test('keeps about as many requests as configured, and failures beside them', async () => {
    const log = logOf(50);
    await log.append('acc_busy', [entry('req_failed', 400)]);
    for (let at = 0; at < 10; at++) {
      await log.append(
        'acc_busy',
        Array.from({ length: 100 }, () => entry('req', 200)),
      );
    }
    const ids = await all(log, 'acc_busy', {}, 200);
    expect(ids).toContain('req_failed');
    expect(ids.length).toBeGreaterThan(50);
    // Redis drops whole nodes of at most 100 entries.
    expect(ids.length).toBeLessThanOrEqual(151);
  });

  test('shows requests for 7 days', async () => {
    const log = logOf(10_000);
    await log.append('acc_old', [entry('req_1', 200), entry('req_2', 400)]);
    const later = (ms: number) => logOf(10_000, () => Date.now() + ms);
    expect(await all(later(7 * day - 60_000), 'acc_old', {}, 10)).toHaveLength(2);
    expect(await all(later(7 * day + 60_000), 'acc_old', {}, 10)).toEqual([]);
    const ttl = await (connection() as RedisClient).pttl('presenza:{acc_old}:requests');
    expect(ttl).toBeGreaterThan(7 * day - 60_000);
    expect(ttl).toBeLessThanOrEqual(7 * day);
  });
});

describe('a gateway', () => {
  let gateway: TestGateway;
  let log: RequestLog;
  let added = 0;
  const store: { append: RedisRequestLog['append'] } = { append: async () => {} };

  beforeAll(async () => {
    log = new RequestLog({ store, onDropped: () => {} });
    gateway = await TestGateway.start({
      checkResponses: false,
      requestLog: {
        add(...entry) {
          log.add(...entry);
          added++;
        },
      },
    });
    const redisLog = new RedisRequestLog(gateway.redis, 10_000);
    store.append = (...given) => redisLog.append(...given);
  });
  afterAll(() => gateway.stop());

  beforeEach(() => {
    added = 0;
  });

  /** @param count of the requests so far. An entry is added once its response has been sent. */
  async function list(accountId: string, count: number, query = '') {
    await waitUntil(`${count} requests are logged`, () => added === count);
    await log.close();
    const path = `/accounts/${accountId}/requests${query}`;
    return gateway.admin({ method: 'GET', path, bearer: adminToken });
  }

  test('logs requests with a key by their template, without anything that the caller sent', async () => {
    const { id, apiKey, keyId } = await gateway.account();
    const marks = {
      session: 'ses_secretsecretsecretsecret',
      header: 'header-of-mine',
      query: 'query-of-mine',
    };
    const call = (method: string, path: string, body?: unknown) =>
      gateway.api({
        method,
        path,
        bearer: apiKey,
        ...(body !== undefined && { body }),
        headers: { 'x-request-id': `id-${path.split(/[/?]/)[1]}`, 'user-agent': marks.header },
      });
    expect((await call('POST', '/detect', { image })).status).toBe(200);
    expect((await call('GET', `/liveness/${marks.session}`)).status).toBe(404);
    expect((await call('GET', `/usage?month=${marks.query}`)).status).toBe(400);
    expect((await call('GET', '/no-such-path')).status).toBe(404);
    expect((await gateway.api({ path: '/detect', bearer: 'unknown', body: {} })).status).toBe(401);

    const { body, text } = await list(id, 3);
    const common = {
      entryId: expect.stringMatching(/^\d+-\d+$/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      keyId,
      mode: 'live',
      ms: expect.any(Number),
      stages: { auth: expect.any(Number) },
      apiVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      requestBytes: 0,
      responseBytes: expect.any(Number),
    };
    // A stand-in for the inference tier adds no stages.
    const ofAnalysis = ['auth', 'read', 'meter'];
    const stages = Object.fromEntries(ofAnalysis.map((name) => [name, expect.any(Number)]));
    expect(body.data.requests).toEqual([
      {
        ...common,
        requestId: 'id-usage',
        method: 'GET',
        path: '/usage',
        status: 400,
        code: 'INVALID_PARAMETERS',
      },
      {
        ...common,
        requestId: 'id-liveness',
        method: 'GET',
        path: '/liveness/{sessionId}',
        status: 404,
        code: 'NOT_FOUND',
      },
      {
        ...common,
        requestId: 'id-detect',
        method: 'POST',
        path: '/detect',
        status: 200,
        stages,
        requestBytes: JSON.stringify({ image }).length,
      },
    ]);
    for (const mark of [...Object.values(marks), apiKey, '127.0.0.1']) expect(text).not.toContain(mark);
  });

  test('responds in the documented form', async () => {
    const { id, apiKey } = await gateway.account();
    await gateway.api({ method: 'GET', path: '/usage', bearer: apiKey });
    await gateway.api({ path: '/detect', bearer: apiKey, body: {} });
    const { body } = await list(id, 2, '?limit=1');
    expect([schemas.validate(outputs['requests list'] ?? false, body.data), schemas.errors]).toEqual([
      true,
      null,
    ]);
    expect(body.data.next).toMatch(/^\d+-\d+$/);
  });

  test('shows one request by its entry, and counts the requests of the day', async () => {
    const { id, apiKey } = await gateway.account();
    await gateway.api({ method: 'GET', path: '/usage', bearer: apiKey });
    await gateway.api({ path: '/detect', bearer: apiKey, body: {} });
    const { body } = await list(id, 2, '?status=400&path=/detect');
    const [request] = body.data.requests;
    const read = (path: string) =>
      gateway.admin({ method: 'GET', path: `/accounts/${id}${path}`, bearer: adminToken });
    const { body: shown } = await read(`/requests/${request.entryId}`);
    expect(shown.data).toEqual(request);
    expect((await read('/requests/1-0')).status).toBe(404);
    const { body: counted } = await read('/request-counts');
    expect(schemas.validate(outputs['requests count'] ?? false, counted.data)).toBe(true);
    const { hours } = counted.data as { hours: { succeeded: number; refused: number }[] };
    expect(hours.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(1);
    expect(hours.reduce((sum, { refused }) => sum + refused, 0)).toBe(1);
  });

  test('exports what a filter selects as CSV', async () => {
    const { id, apiKey, keyId } = await gateway.account();
    await gateway.api({ method: 'GET', path: '/usage', bearer: apiKey });
    await gateway.api({ path: '/detect', bearer: apiKey, body: {}, headers: { 'x-request-id': 'id-csv' } });
    await list(id, 2);
    const url = `${gateway.adminUrl}/accounts/${id}/request-export?failed=true`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${adminToken}` } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = await response.text();
    const [head, line, ...rest] = text.split('\n');
    expect(head).toMatch(/^time,method,path,status,code,ms,mode,keyId,requestId,apiVersion,requestBytes,/);
    expect(line).toMatch(
      new RegExp(`^\\d{4}-[^,]+Z,POST,/detect,400,INVALID_PARAMETERS,[\\d.]+,live,${keyId},id-csv,`),
    );
    expect(line?.split(',')).toHaveLength(head?.split(',').length ?? 0);
    expect(rest).toEqual(['']);
  });

  test('shows an account only its own requests', async () => {
    const [account, other] = [await gateway.account(), await gateway.account()];
    await gateway.api({ method: 'GET', path: '/usage', bearer: account.apiKey });
    expect((await list(account.id, 1)).body.data.requests).toHaveLength(1);
    expect((await list(other.id, 1)).body.data).toEqual({ requests: [] });
  });

  test.each([
    'after=1',
    'after=1-a',
    'requestId=a%20b',
    'failed=1',
    'key=../key',
    'limit=0',
    'status=6xx',
    'path=detect',
    'from=today',
    'since=1',
  ])('refuses the query %s', async (query) => {
    const { id } = await gateway.account();
    const { status, body } = await list(id, 0, `?${query}`);
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });
});
