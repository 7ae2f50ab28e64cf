/** Webhook endpoints and API keys that an account manages with an API key. */
import limits from '@presenza/contract/limits.json';
import { hashKey } from '../src/services/keys/api-key';
import { newRecord } from '../src/services/webhooks/delivery-log';
import { accountKey } from '../src/stores/account-key';
import { RedisAuditLog } from '../src/stores/redis-audit-log';
import { RedisDeliveryLog } from '../src/stores/webhooks/redis-delivery-log';
import { keySecret } from './services';
import { adminToken, type Call, TestGateway } from './test-gateway';

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

const call = (method: string, path: string, { bearer = account.apiKey, ...rest }: Partial<Call> = {}) =>
  gateway.api({ method, path, bearer, ...rest });
const url = 'https://shop.example/hook?token=hidden';
const dataOf = async (reply: ReturnType<typeof call>) => {
  const { status, body } = await reply;
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};
const errorOf = async (reply: ReturnType<typeof call>) => {
  const { code, reason, message } = (await reply).body.error;
  return { code, reason, message };
};
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
/** Makes it as old as a request that can just no longer be repeated. */
async function age(kind: 'webhooks' | 'keys', id: string) {
  const hash = accountKey(account.id, kind);
  const record = JSON.parse((await gateway.redis.hget(hash, id)) as string);
  const createdAt = Date.now() - 1_000 * limits.idempotency.retentionSeconds;
  await gateway.redis.hset(hash, id, JSON.stringify({ ...record, createdAt }));
}
const itemsOf = async (path: string, bearer?: string) =>
  (await dataOf(call('GET', path, bearer === undefined ? {} : { bearer }))).items;

describe('webhook endpoints', () => {
  test('are created, listed without their secret, and deleted', async () => {
    const made = await dataOf(call('POST', '/webhooks', { body: { url } }));
    expect(made).toMatchObject({
      url,
      mode: 'live',
      type: 'async',
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(made.events).toHaveLength(5);
    const { secret, ...endpoint } = made;
    expect(await itemsOf('/webhooks')).toEqual([endpoint]);
    const path = `/webhooks/${made.webhookId}`;
    expect(await dataOf(call('DELETE', path))).toEqual({ webhookId: made.webhookId, deleted: true });
    expect(await itemsOf('/webhooks')).toEqual([]);
    expect(await errorOf(call('DELETE', path))).toMatchObject({ code: 'NOT_FOUND', reason: 'webhook' });
    const { items } = await new RedisAuditLog(gateway.redis).list({ limit: 10, accountId: account.id });
    const actor = `key:${account.keyId}`;
    expect(items.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'webhooks delete done',
      'webhooks delete begun',
      'webhooks create done',
      'webhooks create begun',
    ]);
    expect(items.every((entry) => entry.actor === actor)).toBe(true);
    expect(items[2]?.ids).toEqual({ webhookId: made.webhookId });
    expect(JSON.stringify(items)).not.toMatch(/hidden|whsec_/);
  });

  test('have a URL whose scheme may be in capital letters', async () => {
    for (const written of ['HTTPS://shop.example/Hook', 'Https://shop.example'])
      expect(await dataOf(call('POST', '/webhooks', { body: { url: written } }))).toMatchObject({
        url: written,
      });
  });

  test('are created once per Idempotency-Key, with the same secret', async () => {
    const create = (change = {}) => call('POST', '/webhooks', { body: { url, ...change }, ...withKey('a') });
    const [first, second] = await Promise.all([dataOf(create()), dataOf(create())]);
    expect(second).toEqual(first);
    expect((await create()).headers.get('idempotent-replayed')).toBe('true');
    expect(await itemsOf('/webhooks')).toHaveLength(1);
    const mismatch = { code: 'IDEMPOTENCY_CONFLICT', reason: 'mismatch', param: 'Idempotency-Key' };
    expect((await create({ events: ['session.failed'] })).body.error).toMatchObject(mismatch);
    await age('webhooks', first.webhookId);
    expect((await create()).body.error).toMatchObject(mismatch);
    const forTest = await dataOf(
      call('POST', '/webhooks', { body: { url }, bearer: testKey, ...withKey('a') }),
    );
    expect(forTest.webhookId).not.toBe(first.webhookId);
    await dataOf(call('DELETE', `/webhooks/${first.webhookId}`));
    const anew = await create();
    expect(anew.headers.get('idempotent-replayed')).toBeNull();
    expect(anew.body.data.webhookId).toBe(first.webhookId);
    expect(anew.body.data.secret).not.toBe(first.secret);
  });

  test('are those that get events of the mode of the key; a test key cannot remove one for both', async () => {
    const live = await dataOf(call('POST', '/webhooks', { body: { url } }));
    const forTest = await dataOf(call('POST', '/webhooks', { body: { url }, bearer: testKey }));
    const path = `/accounts/${account.id}/webhooks`;
    const both = (await gateway.admin({ path, bearer: adminToken, body: { url } })).body.data;
    expect([live, forTest, both].map(({ mode }) => mode)).toEqual(['live', 'test', 'both']);
    const idsOf = async (bearer?: string) =>
      (await itemsOf('/webhooks', bearer)).map(({ webhookId }: { webhookId: string }) => webhookId).sort();
    expect(await idsOf()).toEqual([live.webhookId, both.webhookId].sort());
    expect(await idsOf(testKey)).toEqual([forTest.webhookId, both.webhookId].sort());
    const attempts = [
      { endpoint: live, deliveries: 404, removal: 404 },
      { endpoint: both, deliveries: 200, removal: 403 },
      { endpoint: forTest, deliveries: 200, removal: 200 },
    ];
    for (const { endpoint, deliveries, removal } of attempts) {
      const at = `/webhooks/${endpoint.webhookId}`;
      expect((await call('GET', `${at}/deliveries`, { bearer: testKey })).status).toBe(deliveries);
      expect((await call('DELETE', at, { bearer: testKey })).status).toBe(removal);
    }
    expect(await idsOf()).toEqual([live.webhookId, both.webhookId].sort());
    const { apiKey: bearer } = await gateway.account();
    expect(await itemsOf('/webhooks', bearer)).toEqual([]);
    expect((await call('DELETE', `/webhooks/${live.webhookId}`, { bearer })).status).toBe(404);
  });

  test('list their deliveries, those of the mode of the key', async () => {
    const path = `/accounts/${account.id}/webhooks`;
    const { webhookId } = (await gateway.admin({ path, bearer: adminToken, body: { url } })).body.data;
    const log = new RedisDeliveryLog(gateway.redis);
    const recordOf = (n: number, mode: 'live' | 'test') =>
      newRecord({
        accountId: account.id,
        webhookId,
        eventId: `evt_${String(n).repeat(22)}`,
        mode,
        sessionId: `ses_${'0'.repeat(24)}`,
        eventType: 'session.failed',
        timestamp: Date.now(),
      });
    for (const n of [1, 2, 3]) await log.begin(account.id, [recordOf(n, 'live')]);
    await log.begin(account.id, [recordOf(4, 'test')]);
    const deliveries = `/webhooks/${webhookId}/deliveries`;
    const first = await dataOf(call('GET', `${deliveries}?limit=2`));
    expect(first.items.map(({ eventId }: { eventId: string }) => eventId[4])).toEqual(['3', '2']);
    expect(first.items[0]).toMatchObject({ livemode: true, state: 'pending', attempts: 0 });
    const second = await dataOf(call('GET', `${deliveries}?limit=2&cursor=${first.nextCursor}`));
    expect(second).toMatchObject({ items: [{ eventId: `evt_${'1'.repeat(22)}` }], hasMore: false });
    const forged = await errorOf(call('GET', `${deliveries}?cursor=1.ses_1`));
    expect(forged).toMatchObject({ code: 'INVALID_PARAMETERS', reason: 'value' });
  });

  test('are refused with an address that is not public, above the limit, and outside the plan', async () => {
    const create = (body: object, bearer?: string) =>
      errorOf(call('POST', '/webhooks', { body, ...(bearer && { bearer }) }));
    for (const inside of ['https://169.254.169.254/', 'https://10.0.0.1/', 'http://localhost:9180/']) {
      const { code, message } = await create({ url: inside });
      expect([code, message]).toEqual([
        'INVALID_PARAMETERS',
        'The field url must be a URL with a public address.',
      ]);
    }
    for (const wrong of ['http://shop.example/', 'https://u:p@shop.example/', 'https://a.example/#b', 'none'])
      expect((await create({ url: wrong })).message).toContain('The field url must be an https URL');
    expect((await create({ url, mode: 'both' })).message).toContain('no field mode');
    expect((await create({ url, onFailure: 'reject' })).message).toBe(
      'The field onFailure must be omitted unless type is sync.',
    );
    const { id } = await gateway.services.keys.createAccount('Basic', 'basic');
    const { apiKey } = await gateway.services.keys.createKey(id, 'live');
    expect(await create({ url, type: 'sync' }, apiKey)).toMatchObject({
      code: 'PERMISSION_DENIED',
      reason: 'plan',
      message: 'The plan of this account does not include synchronous webhooks.',
    });
    const { maxEndpointsPerAccount } = limits.webhooks;
    // Those of both modes together.
    for (let i = 0; i < maxEndpointsPerAccount; i++)
      await dataOf(call('POST', '/webhooks', { body: { url }, ...(i % 2 === 1 && { bearer: testKey }) }));
    expect(await create({ url })).toMatchObject({ code: 'INVALID_PARAMETERS', reason: 'maximum' });
  });
});

test('operators choose what a synchronous endpoint does when it fails', async () => {
  const { id } = await gateway.services.keys.createAccount('Choices', 'growth');
  const path = `/accounts/${id}/webhooks`;
  const admin = (sent: object) => gateway.admin({ path, bearer: adminToken, ...sent });
  const needed = { code: 'INVALID_PARAMETERS', reason: 'missing', param: 'onFailure' };
  expect((await admin({ body: { url, type: 'sync' } })).body.error).toMatchObject(needed);
  const { webhookId } = (await admin({ body: { url } })).body.data;
  const change = (body: object) => admin({ method: 'PATCH', path: `${path}/${webhookId}`, body });
  expect((await change({ type: 'sync' })).body.error).toMatchObject(needed);
  expect((await change({ type: 'sync', onFailure: 'reject' })).status).toBe(200);
  expect((await change({ url })).body.data).toMatchObject({ type: 'sync', onFailure: 'reject' });
});

test.each([
  ['2026-11-29', {}, 'continue'],
  ['2026-11-29', { onFailure: 'reject' }, 'reject'],
  ['2026-11-30', {}, 'reject'],
  ['2026-11-30', { onFailure: 'continue' }, 'continue'],
])('a synchronous endpoint of version %s with %j has %s', async (version, settings, onFailure) => {
  const { id } = await gateway.services.keys.createAccount('Versions', 'growth');
  const { apiKey: bearer } = await gateway.services.keys.createKey(id, 'live');
  const headers = { 'presenza-version': version, 'idempotency-key': 'k' };
  const body = { url: 'https://shop.example/hook', type: 'sync', ...settings };
  for (let i = 0; i < 2; i++) {
    const made = await gateway.api({ path: '/webhooks', bearer, body, headers });
    expect([made.status, made.body.data.onFailure]).toEqual([200, onFailure]);
  }
});

test('the audit log lists changes by keys among those of operators, but cannot lose the latter to them', async () => {
  const create = (send: typeof gateway.api, path: string, bearer: string) =>
    dataOf(send({ path, bearer, body: { url } }));
  await create(gateway.admin, `/accounts/${account.id}/webhooks`, adminToken);
  const byOperators = await gateway.redis.xlen('presenza:audit');
  await create(gateway.api, '/webhooks', account.apiKey);
  expect(await gateway.redis.xlen('presenza:audit')).toBe(byOperators);
  await create(gateway.admin, `/accounts/${account.id}/webhooks`, adminToken);
  const log = new RedisAuditLog(gateway.redis);
  const { items } = await log.list({ limit: 6, accountId: account.id });
  expect(items.map(({ actor, outcome }) => `${actor} ${outcome}`)).toEqual(
    ['api', `key:${account.keyId}`, 'api'].flatMap((actor) => [`${actor} done`, `${actor} begun`]),
  );
  const paged = [];
  for (let after: string | undefined; paged.length < items.length; ) {
    const page = await log.list({ limit: 1, accountId: account.id, ...(after && { after }) });
    paged.push(...page.items);
    after = page.next;
  }
  expect(paged).toEqual(items);
});

test('no account displaces the entries of another from its audit log', async () => {
  const log = new RedisAuditLog(gateway.redis);
  const other = await gateway.account();
  const record = (accountId: string) =>
    log.record({ actor: 'key:key_1', operation: 'keys create', outcome: 'done', accountId });
  await record(account.id);
  for (let i = 0; i < 20; i++) await record(other.id);
  // The limit on the entries of all accounts does this.
  await gateway.redis.xtrim('presenza:audit:accounts', 'MAXLEN', 1);
  const { items } = await log.list({ limit: 1, accountId: account.id });
  expect(items).toMatchObject([{ actor: 'key:key_1', operation: 'keys create', accountId: account.id }]);
});

describe('API keys', () => {
  test('are created, shown once, listed without the key, and revoked', async () => {
    const body = { name: 'Shop', products: ['faceDetection'], expiresAt: '2100-01-01T00:00:00Z' };
    const { apiKey, ...shown } = await dataOf(call('POST', '/keys', { body }));
    expect(shown).toMatchObject({ mode: 'live', name: 'Shop', products: body.products, state: 'active' });
    expect(apiKey).toMatch(/^presenza_live_/);
    const use = () => call('GET', '/usage', { bearer: apiKey });
    expect((await use()).status).toBe(200);
    const listed = await itemsOf('/keys');
    expect(listed.map(({ keyId }: { keyId: string }) => keyId).sort()).toEqual(
      [shown.keyId, account.keyId].sort(),
    );
    expect(JSON.stringify(listed)).not.toContain(apiKey);
    const revoked = await dataOf(call('DELETE', `/keys/${shown.keyId}`));
    expect(revoked).toEqual({ keyId: shown.keyId, revoked: true });
    expect((await use()).status).toBe(401);
    expect(await itemsOf('/keys')).toContainEqual({
      ...shown,
      state: 'revoked',
      revokedAt: expect.any(String),
    });
    const { items } = await new RedisAuditLog(gateway.redis).list({ limit: 10, accountId: account.id });
    expect(items.map(({ operation }) => operation)).toContain('keys create');
    expect(JSON.stringify(items)).not.toContain(apiKey);
  });

  test('and endpoints that a key creates keep working after it and name it, in every list', async () => {
    const create = (path: string, bearer: string, body = {}) => dataOf(call('POST', path, { bearer, body }));
    const leaked = await create('/keys', account.apiKey);
    const child = await create('/keys', leaked.apiKey);
    const grandchild = await create('/keys', child.apiKey);
    const hook = await create('/webhooks', child.apiKey, { url });
    await dataOf(call('DELETE', `/keys/${leaked.keyId}`));
    expect((await call('GET', '/usage', { bearer: grandchild.apiKey })).status).toBe(200);

    const makers: Record<string, string | undefined> = {
      [account.keyId]: undefined,
      [leaked.keyId]: account.keyId,
      [child.keyId]: leaked.keyId,
      [grandchild.keyId]: child.keyId,
      [hook.webhookId]: child.keyId,
    };
    const ofOperator = async (path: string) =>
      (await gateway.admin({ method: 'GET', path: `/accounts/${account.id}${path}`, bearer: adminToken }))
        .body.data;
    for (const keys of [await itemsOf('/keys'), await ofOperator('/keys')]) {
      for (const { keyId, mode, createdByKey } of keys) {
        if (mode === 'live') expect([keyId, createdByKey]).toEqual([keyId, makers[keyId]]);
      }
    }
    for (const endpoints of [await itemsOf('/webhooks'), await ofOperator('/webhooks')]) {
      expect(endpoints).toMatchObject([{ webhookId: hook.webhookId, createdByKey: child.keyId }]);
    }
    expect([child.createdByKey, hook.createdByKey]).toEqual([leaked.keyId, child.keyId]);
  });

  test('with products cannot manage keys and webhooks', async () => {
    const body = { products: ['livenessVerification'] };
    const { apiKey: bearer } = await dataOf(call('POST', '/keys', { body }));
    const calls: [string, string, object?][] = [
      ['GET', '/keys'],
      ['POST', '/keys', {}],
      ['DELETE', `/keys/${account.keyId}`],
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { url }],
      ['DELETE', '/webhooks/wh_1'],
      ['GET', '/webhooks/wh_1/deliveries'],
    ];
    for (const [method, path, body] of calls) {
      const error = await errorOf(call(method, path, { bearer, ...(body && { body }) }));
      expect([path, error]).toMatchObject([path, { code: 'PERMISSION_DENIED', reason: 'management' }]);
    }
    expect((await call('GET', '/events', { bearer })).status).toBe(200);
  });

  test('never allow more than the key that creates them', async () => {
    const expiresAt = Date.parse('2100-01-01T00:00:00Z');
    const scope = { cidrs: ['127.0.0.0/8', '::1'], expiresAt };
    const { apiKey: bearer } = await gateway.services.keys.createKey(account.id, 'live', scope);
    const create = (body: object) => call('POST', '/keys', { body, bearer });
    expect(await dataOf(create({}))).toMatchObject({
      cidrs: scope.cidrs,
      expiresAt: '2100-01-01T00:00:00.000Z',
    });
    expect(await dataOf(create({ cidrs: ['127.0.0.1'], expiresAt: '2099-01-01T00:00:00Z' }))).toMatchObject({
      cidrs: ['127.0.0.1'],
    });
    for (const wider of [
      { cidrs: ['127.0.0.1', '192.0.2.1'] },
      { cidrs: ['126.0.0.0/7'] },
      { cidrs: ['::/0'] },
      { expiresAt: '2100-01-01T00:00:01Z' },
    ])
      expect(await errorOf(create(wider))).toMatchObject({ code: 'PERMISSION_DENIED', reason: 'wider' });
    for (const [wrong, message] of [
      [{ cidrs: ['shop.example'] }, /cidrs must be a list of addresses and ranges/],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, /expiresAt must be a time in the future/],
      [{ name: ' a\nb' }, /name must be one line of text without spaces at its ends/],
      [{ mode: 'test' }, /no field mode/],
    ] as const)
      expect((await errorOf(create(wrong))).message).toMatch(message);
  });

  test('are those of the account and mode of the key', async () => {
    const [forTest] = await itemsOf('/keys', testKey);
    expect(forTest.mode).toBe('test');
    expect((await dataOf(call('POST', '/keys', { bearer: testKey }))).apiKey).toMatch(/^presenza_test_/);
    const { apiKey: stranger } = await gateway.account();
    for (const [bearer, keyId] of [
      [testKey, account.keyId],
      [account.apiKey, forTest.keyId],
      [stranger, account.keyId],
    ] as const) {
      expect(await errorOf(call('DELETE', `/keys/${keyId}`, { bearer }))).toMatchObject({ reason: 'key' });
    }
    expect((await call('GET', '/keys')).status).toBe(200);
  });

  test('are created once per Idempotency-Key: a repetition shows a new key in place of the first', async () => {
    const create = (body: object = {}) => call('POST', '/keys', { body, ...withKey('a') });
    const first = await dataOf(create({ name: 'Shop' }));
    const second = await dataOf(create({ name: 'Shop' }));
    expect([second.keyId, second.createdAt]).toEqual([first.keyId, first.createdAt]);
    expect((await call('GET', '/keys', { bearer: first.apiKey })).status).toBe(401);
    // The gateway died before it removed the index of the first key.
    const index = `presenza:key:${hashKey(first.apiKey, keySecret)}`;
    await gateway.redis.set(index, `${account.id} ${first.keyId}`);
    expect((await call('GET', '/keys', { bearer: first.apiKey })).status).toBe(401);
    expect(await itemsOf('/keys', second.apiKey)).toHaveLength(2);
    const mismatch = { code: 'IDEMPOTENCY_CONFLICT', reason: 'mismatch' };
    expect(await errorOf(create({ name: 'Other' }))).toMatchObject(mismatch);
    expect((await create({ name: 'Shop' })).headers.get('idempotent-replayed')).toBe('true');
    await dataOf(call('DELETE', `/keys/${first.keyId}`));
    expect(await errorOf(create({ name: 'Shop' }))).toMatchObject(mismatch);
    const createOther = () => call('POST', '/keys', withKey('b'));
    await age('keys', (await dataOf(createOther())).keyId);
    expect((await createOther()).body.error).toMatchObject({ ...mismatch, param: 'Idempotency-Key' });
  });
});
