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
const day = 24 * 60 * 60 * 1_000;

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
    expect(items).toEqual([entry('req_8', 500)]);
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
    const common = { at: expect.stringMatching(/^\d{4}-.*Z$/), keyId, mode: 'live', ms: expect.any(Number) };
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
      { ...common, requestId: 'id-detect', method: 'POST', path: '/detect', status: 200 },
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

  test('shows an account only its own requests', async () => {
    const [account, other] = [await gateway.account(), await gateway.account()];
    await gateway.api({ method: 'GET', path: '/usage', bearer: account.apiKey });
    expect((await list(account.id, 1)).body.data.requests).toHaveLength(1);
    expect((await list(other.id, 1)).body.data).toEqual({ requests: [] });
  });

  test.each(['after=1', 'after=1-a', 'requestId=a%20b', 'failed=1', 'key=../key', 'limit=0'])(
    'refuses the query %s',
    async (query) => {
      const { id } = await gateway.account();
      const { status, body } = await list(id, 0, `?${query}`);
      expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
    },
  );
});
