/**
 * One account against the other, through every route there is (OWASP API1, API3 and API5 of 2023). What is tried comes
 * from the API description and the registry of operators' operations, so that a new route is tried as well.
 */
import { registry } from '../../src/admin/registry';
import { description } from '../description';
import { adminToken, TestGateway } from './gateway';

let gateway: TestGateway;
let owner: Awaited<ReturnType<TestGateway['account']>>;
let stranger: typeof owner;
let session: { sessionId: string; accessToken: string };
let other: typeof session;

const secret = 'what only the owner may read';

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

test('after all of that the session is as it was', async () => {
  const path = `/liveness/${session.sessionId}`;
  const { body } = await gateway.api({ method: 'GET', path, bearer: owner.apiKey });
  expect(body.data).toMatchObject({ status: 'created', metadata: { secret } });
});

test('usage is that of the key, whatever account a request names', async () => {
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
  const pathOf = (template: string, values: Record<string, string>) =>
    template.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');

  test.each(registry.map(({ words, http }) => [words, ...http] as const))(
    '%s is not on the public port, and takes neither key nor session token',
    async (_words, method, template) => {
      const path = pathOf(template, { account: owner.id, key: owner.keyId, session: session.sessionId });
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      // `/usage` and the like may be public as well: what answers there is the caller's own.
      const asPublic = await gateway.api({ method, path, bearer: stranger.apiKey, body });
      expect(asPublic.text).not.toContain(owner.id);
      expect([404, 405]).toContain(asPublic.status);
      for (const bearer of [owner.apiKey, session.accessToken, '', adminToken.slice(2)]) {
        expect((await gateway.admin({ method, path, bearer, body })).status).toBe(401);
      }
    },
  );

  const ofThings = registry.filter(({ http: [, path] }) => /:(key|webhook|session|category)\b/.test(path));

  test.each(ofThings.map(({ words, http }) => [words, ...http] as const))(
    '%s finds nothing of one account under another',
    async (_words, method, template) => {
      const webhook = await gateway.admin({
        path: `/accounts/${owner.id}/webhooks`,
        bearer: adminToken,
        body: { url: 'https://receiver.example/hook', events: ['session.completed'] },
      });
      const { webhookId } = webhook.body.data;
      const things = { key: owner.keyId, session: session.sessionId, webhook: webhookId };
      const path = pathOf(template, { ...things, account: stranger.id });
      const body =
        method === 'PATCH' ? { url: 'https://elsewhere.example/' } : method === 'POST' ? {} : undefined;
      const { status, text } = await gateway.admin({ method, path, bearer: adminToken, body });
      expect(status).toBe(404);
      expect(text).not.toContain(secret);
      await gateway.admin({
        method: 'DELETE',
        path: `/accounts/${owner.id}/webhooks/${webhookId}`,
        bearer: adminToken,
      });
    },
  );
});
