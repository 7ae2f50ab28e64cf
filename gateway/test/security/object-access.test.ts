/**
 * One account against the other, through every route (OWASP API1, API3 and API5 of 2023). The routes come from the API
 * description and the registry of operators' operations, so that the tests try new routes as well.
 */
import { registry } from '../../src/admin/registry';
import type { Invoice } from '../../src/services/billing/invoices';
import { newRecord } from '../../src/services/webhooks/delivery-log';
import { RedisInvoices } from '../../src/stores/billing/redis-invoices';
import { RedisCategoryStore } from '../../src/stores/redis-category-store';
import { RedisRequestLog } from '../../src/stores/redis-request-log';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { description } from '../description';
import { adminToken, TestGateway } from '../test-gateway';

let gateway: TestGateway;
let owner: Awaited<ReturnType<TestGateway['account']>>;
let stranger: typeof owner;
let session: { sessionId: string; accessToken: string };
let other: typeof session;

const secret = 'only the owner may read this';

beforeAll(async () => {
  gateway = await TestGateway.start();
  [owner, stranger] = [await gateway.account(), await gateway.account()];
  const make = async (bearer: string, body: unknown) =>
    (await gateway.api({ path: '/liveness', bearer, body })).body.data;
  session = await make(owner.apiKey, { metadata: { secret } });
  other = await make(stranger.apiKey, {});
});
afterAll(() => gateway.stop());

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const ofSessions: [method: string, path: string][] = Object.entries<object>(description.paths).flatMap(
  ([path, operations]) =>
    path.includes('{sessionId}')
      ? Object.keys(operations).flatMap((method): [string, string][] =>
          methods.includes(method) ? [[method.toUpperCase(), path]] : [],
        )
      : [],
);

/** Bodies that the calls take, so that none is refused for its form before anybody looks whose session it is. */
const bodyOf = (method: string, path: string) =>
  method === 'GET' || method === 'DELETE' || path.endsWith('/frames')
    ? undefined
    : path.endsWith('/attempts')
      ? { consent: true, device: { id: 'd'.repeat(16) } }
      : {};

test('there are calls about a session to try', () => {
  expect(ofSessions.length).toBeGreaterThanOrEqual(8);
});

describe.each(['', '/v1'])('under "%s"', (prefix) => {
  describe.each(ofSessions)('%s %s of another account', (method, template) => {
    const path = () =>
      `${prefix}${template.replace('{sessionId}', session.sessionId).replace('{attemptId}', `att_${'0'.repeat(20)}`)}`;
    const call = (bearer: string | undefined) =>
      gateway.api({ method, path: path(), body: bodyOf(method, template), ...(bearer && { bearer }) });

    test('is refused to its key, to the token of its own session and to nobody’s', async () => {
      for (const bearer of [stranger.apiKey, other.accessToken, 'no-token', undefined]) {
        const { status, text } = await call(bearer);
        expect([401, 404]).toContain(status);
        expect(text).not.toContain(secret);
      }
    });
  });
});

test('the session is unchanged by all of these calls', async () => {
  const path = `/liveness/${session.sessionId}`;
  const { body } = await gateway.api({ method: 'GET', path, bearer: owner.apiKey });
  expect(body.data).toMatchObject({ status: 'created', metadata: { secret } });
});

test('usage is that of the key’s account, even if a request names another', async () => {
  await gateway.api({
    path: '/detect',
    bearer: owner.apiKey,
    body: { image: 'data:image/jpeg;base64,/9j/' },
  });
  const usedBy = async (bearer: string, query = '') => {
    const { body } = await gateway.api({ method: 'GET', path: `/usage${query}`, bearer });
    return body.data?.productGroups.imageAnalysis.used;
  };
  expect(await usedBy(owner.apiKey)).toBe(1);
  expect(await usedBy(stranger.apiKey)).toBe(0);
  expect([0, undefined]).toContain(await usedBy(stranger.apiKey, `?accountId=${owner.id}`));
});

test.each(['accountId', 'account', 'status', 'mode', 'plan', 'attempts', 'keyId', 'result'])(
  'a new session takes no %s from a request',
  async (field) => {
    const body = { [field]: owner.id };
    const { status } = await gateway.api({ path: '/liveness', bearer: stranger.apiKey, body });
    expect(status).toBe(400);
  },
);

describe('the operators’ operations', () => {
  const pathOf = (template: string, values: Readonly<Record<string, string>>) =>
    template.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');

  test.each(registry.map(({ id, http }) => [id, ...http] as const))(
    '%s is not on the public port, and takes neither key nor session token',
    async (_words, method, template) => {
      const path = pathOf(template, { account: owner.id, key: owner.keyId, session: session.sessionId });
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      // `/usage` and the like may be public as well: what responses there is the caller's own.
      const asPublic = await gateway.api({ method, path, bearer: stranger.apiKey, body });
      expect(asPublic.text).not.toContain(owner.id);
      expect([404, 405]).toContain(asPublic.status);
      for (const bearer of [owner.apiKey, session.accessToken, '', adminToken.slice(2)]) {
        expect((await gateway.admin({ method, path, bearer, body })).status).toBe(401);
      }
    },
  );

  /** The owner's resources, by the name of their id in operations. */
  const things = {
    key: '',
    session: '',
    webhook: '',
    name: 'Owned',
    delivery: '',
    event: `evt_${'0'.repeat(22)}`,
    request: '',
    month: '2026-01',
  };
  type Thing = keyof typeof things;

  beforeAll(async () => {
    const { redis } = gateway;
    const made = await asOperator('POST', `/accounts/${owner.id}/webhooks`, {
      url: 'https://receiver.example/hook',
      events: ['session.completed'],
    });
    const category = { name: things.name, prototype: 'AAAA', examples: 5, createdAt: 1 };
    await new RedisCategoryStore(redis).addCategory(owner.id, category, 20);
    const record = newRecord({
      accountId: owner.id,
      webhookId: made.body.data.webhookId,
      eventId: things.event,
      sessionId: session.sessionId,
      eventType: 'session.completed',
      timestamp: Date.now(),
      mode: 'live',
    });
    const invoice = { month: things.month, lines: [], total: 0 } as unknown as Invoice;
    await new RedisInvoices(redis).add(owner.id, invoice);
    const about = { requestId: 'req_1', at: 0, keyId: owner.keyId, mode: 'live', method: 'GET' } as const;
    const requestLog = new RedisRequestLog(redis, 10);
    await requestLog.append(owner.id, [{ ...about, path: '/usage', status: 200, ms: 1 }]);
    const { items } = await requestLog.list(owner.id, { limit: 1 });
    const log = new RedisDeliveryLog(redis);
    await log.begin(owner.id, [record]);
    await log.write(owner.id, { ...record, state: 'dead' });
    Object.assign(things, {
      key: owner.keyId,
      session: session.sessionId,
      webhook: record.webhookId,
      delivery: record.id,
      request: items[0]?.id,
    });
  });

  const asOperator = (method: string, path: string, body?: unknown) =>
    gateway.admin({ method, path, bearer: adminToken, body });
  /** The owner's things, as the owner's own operations show them. */
  const shown = async () => {
    const read = async (path: string) => (await asOperator('GET', `/accounts/${owner.id}/${path}`)).body.data;
    return {
      keys: await read('keys'),
      session: await read(`sessions/${session.sessionId}`),
      webhooks: await read('webhooks'),
      categories: await read('categories'),
      deliveries: await read(`webhook-deliveries?webhook=${things.webhook}`),
    };
  };

  const inPath = (template: string) =>
    [...template.matchAll(/:(\w+)/g)].flatMap(([, name]) => (name === 'account' ? [] : [name as string]));
  // Incidents belong to the service, and to no account.
  const ofThings = registry.filter(
    ({ http: [, path] }) => path.includes(':account') && inPath(path).length > 0,
  );

  test('every id in a path belongs to the owner', () => {
    for (const { http } of ofThings) for (const name of inPath(http[1])) expect(things).toHaveProperty(name);
    expect(ofThings.length).toBeGreaterThanOrEqual(12);
  });

  test.each(ofThings.map(({ id, http }) => [id, ...http] as const))(
    '%s finds nothing of one account under another',
    async (_words, method, template) => {
      const before = await shown();
      const path = pathOf(template, { ...things, account: stranger.id });
      const body =
        method === 'PATCH' ? { url: 'https://elsewhere.example/' } : method === 'POST' ? {} : undefined;
      const { status, text } = await asOperator(method, path, body);
      expect(status).toBe(404);
      expect(text).not.toContain(secret);
      expect(await shown()).toEqual(before);
    },
  );

  // The endpoint comes before the delivery, because a replayed delivery is no longer a dead letter.
  const besidePath = registry.flatMap(({ id, http: [method, path], input: { properties } }) =>
    (['key', 'session', 'webhook', 'delivery', 'event'] as const).flatMap((field) =>
      Object.hasOwn(properties, field) && !inPath(path).includes(field)
        ? [[id, field, method, path] as const]
        : [],
    ),
  );

  const nothing = [{ deliveries: [] }, { replayed: 0 }, { requests: [] }, []];
  /** The data of a response, or the lines of a file below its heading. */
  const foundIn = ({ body, text }: Awaited<ReturnType<typeof asOperator>>) =>
    body ? body.data : text.trimEnd().split('\n').slice(1);
  test.each(besidePath)(
    '%s with a %s of one account finds nothing under another, and finds it under its own',
    async (_words, field: Thing, method, template) => {
      const ask = (account: string) => {
        const path = pathOf(template, { account });
        const asked = { [field]: things[field] };
        // An endpoint alone does not name the deliveries to repeat.
        const since = field === 'webhook' && { since: new Date(0).toISOString() };
        return method === 'GET'
          ? asOperator(method, `${path}?${new URLSearchParams(asked)}`)
          : asOperator(method, path, { ...asked, ...since });
      };
      const foreign = await ask(stranger.id);
      if (foreign.status !== 404) expect(nothing).toContainEqual(foundIn(foreign));
      const reply = await ask(owner.id);
      expect(reply.status).toBe(200);
      expect(nothing).not.toContainEqual(foundIn(reply));
    },
  );

  test('there are such operations: those about deliveries', () => {
    expect(besidePath.map(([id, field]) => `${id} ${field}`)).toEqual(
      expect.arrayContaining([
        'webhooks deliveries webhook',
        'webhooks replay delivery',
        'webhooks replay event',
        'webhooks replay webhook',
      ]),
    );
  });
});
