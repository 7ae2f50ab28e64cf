/** The operations of liveness sessions over HTTP on a real Redis, except those of captures. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import limits from '@presenza/contract/limits.json';
import pino from 'pino';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { createApp, type Services } from '../../src/http/app';
import type { InferenceClient } from '../../src/services/inference/inference-client';
import { LocalLimiter } from '../../src/services/limits/local-limiter';
import type { SessionEvent } from '../../src/services/liveness/session/events';
import { SessionSweeper } from '../../src/services/liveness/session/sweeper';
import { dueKey, outboxKey, sessionKeys, sessionsKey } from '../../src/stores/liveness/keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { schemas } from '../contract';
import { keepOpen, realLiveness, realServices } from '../services';
import { tierThatDetects } from '../stand-in';

const verifyOrigin = 'http://127.0.0.1:8000';
/** Detects a face in every image. Other tests use the real tier. */
const tier: InferenceClient = tierThatDetects(async () => ({ faces: [{}] }) as never);
const image = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5_000, 'the image')]);
const imageUri = `data:image/jpeg;base64,${image.toString('base64')}`;

let redisServer: RunningServer;
let redis: RedisClient;
let services: ReturnType<typeof realServices>;
const servers: Server[] = [];
const log: string[] = [];
let url: string;

beforeAll(async () => {
  // Compression would hide stored text from the search below.
  redisServer = await startRedis({ config: { rdbcompression: 'no' } });
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  const logger = pino({ level: 'trace' }, { write: (line: string) => log.push(line) });
  services = { ...realServices(redis, tier), logger };
  url = await serve();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  redis.disconnect();
  await redisServer.stop();
});

async function serve(parts: Partial<Services> = {}): Promise<string> {
  const server = createServer(keepOpen, createApp({ ...services, ...parts })).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Sent {
  readonly at?: string;
  readonly method?: string;
  readonly path?: string;
  readonly bearer?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send({ at = url, method = 'POST', path = '/liveness', bearer, body, headers = {} }: Sent) {
  const response = await fetch(at + path, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
  const parsed: any = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed };
}
type ApiResponse = Awaited<ReturnType<typeof send>>;

const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code, body.error?.reason];

async function newAccount(plan: 'free' | 'growth' = 'growth') {
  const { id } = await services.keys.createAccount('sessions of this account', plan);
  const { apiKey } = await services.keys.createKey(id, 'live');
  return { id, apiKey };
}

/** An account with one session. */
async function newSession(body?: unknown, at = url) {
  const account = await newAccount();
  const made = await send({ at, bearer: account.apiKey, body });
  expect(made.status).toBe(200);
  const { sessionId, accessToken } = made.body.data;
  const path = `/liveness/${sessionId}`;
  return { account, made, sessionId, token: accessToken as string, path };
}

type Made = Awaited<ReturnType<typeof newSession>>;

const eventsOf = async (accountId: string) =>
  (await redis.xrange(outboxKey(accountId), '-', '+')).map(([, fields]) => fields[5]);
const usageOf = async (apiKey: string) => {
  const { body } = await send({ method: 'GET', path: '/usage', bearer: apiKey });
  const { used, reserved } = body.data.productGroups.livenessDetection;
  return { used, reserved };
};

const metadata = { userId: 'user-4711', secret: 'nobody may read this' };
const returnUrl = 'https://app.example.com/done?private=1';

describe('a session', () => {
  test('createLivenessSession 200: returns a URL with a token and reserves a unit', async () => {
    const { account, made, sessionId, token } = await newSession({ metadata, returnUrl });
    expect(schemas.validate('liveness-response.json', made.body)).toBe(true);
    expect(made.body.data.verificationUrl).toBe(`${verifyOrigin}/verify#${token}`);
    const left = Date.parse(made.body.data.sessionExpiresAt) - Date.now();
    expect(left).toBeLessThanOrEqual(limits.liveness.sessionLifetimeSeconds * 1_000);
    expect(left).toBeGreaterThan((limits.liveness.sessionLifetimeSeconds - 30) * 1_000);
    expect(made.headers.get('ratelimit')).toMatch(/^"burst"/);
    expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 1 });
    const seen = await send({ method: 'GET', path: `/liveness/${sessionId}`, bearer: account.apiKey });
    expect(schemas.validate('liveness-session-response.json', seen.body)).toBe(true);
    expect(seen.body.data).toMatchObject({ sessionId, status: 'created', metadata });
  });

  test('createLivenessSession 200: accepts a request without a body', async () => {
    const { account, path } = await newSession();
    const seen = await send({ method: 'GET', path, bearer: account.apiKey });
    expect(seen.body.data.metadata).toBeUndefined();
  });

  test.each([
    'https:///done',
    'https://?done',
    'https://:443/',
    'https://app.example.com:0/',
    'https://[::1/',
    'https://app.example.com:65536/',
    'http://localhost:99999/',
    'https://bank.example@app.example.com/',
    'https://app..example.com/',
    'http://app.example.com/',
    'javascript:alert(1)',
  ])(
    'createLivenessSession 400: rejects the returnUrl %s with an explanation and bills nothing',
    async (wrong) => {
      const { apiKey } = await newAccount();
      const refused = await send({ bearer: apiKey, body: { returnUrl: wrong } });
      expect(codeOf(refused)).toEqual([400, 'INVALID_PARAMETERS', 'value']);
      expect(refused.body.error.message).toMatch(/^The field returnUrl must be an https URL .*\.$/);
      expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
    },
  );

  test('getLivenessSession 200: shows the token neither metadata nor result', async () => {
    const { path, token } = await newSession({ metadata });
    const seen = await send({ method: 'GET', path, bearer: token });
    expect(seen.status).toBe(200);
    expect(Object.keys(seen.body.data).sort()).toEqual([
      'createdAt',
      'dataExpiresAt',
      'livemode',
      'sessionExpiresAt',
      'sessionId',
      'status',
    ]);
  });

  test('startLivenessSession 200: starts once, with one event, however often it is called', async () => {
    const { account, path, token } = await newSession({ returnUrl });
    const start = { path: `${path}/start`, bearer: token, body: {} };
    const starts = await Promise.all(Array.from({ length: 50 }, () => send(start)));
    for (const { status, body } of starts) {
      expect(status).toBe(200);
      expect(schemas.validate('liveness-start-response.json', body)).toBe(true);
      expect(body.data).toMatchObject({ status: 'started', attemptsLeft: 3, returnUrl });
    }
    expect(await eventsOf(account.id)).toEqual(['session.started']);
    expect((await send({ ...start, path: `/v1${start.path}` })).status).toBe(200);
  });

  test('cancelLivenessSession 200: cancels for the user, for good and without a charge', async () => {
    const { account, path, token } = await newSession();
    const cancel = { path: `${path}/cancel`, bearer: token };
    for (let i = 0; i < 2; i++) {
      const { status, body } = await send(cancel);
      expect([status, body.data]).toEqual([200, { status: 'cancelled' }]);
    }
    expect(codeOf(await send({ path: `${path}/start`, bearer: token }))).toEqual([
      409,
      'SESSION_STATE_CONFLICT',
      'final',
    ]);
    expect(await eventsOf(account.id)).toEqual(['session.cancelled']);
    expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 0 });
  });

  test('cancelLivenessSession 200: cancels for the account, at most once and without a charge', async () => {
    const { account, path, token } = await newSession();
    expect((await send({ path: `${path}/start`, bearer: token })).status).toBe(200);
    const cancel = { path: `${path}/cancel`, bearer: account.apiKey };
    for (let i = 0; i < 2; i++) {
      const { status, body, headers } = await send(cancel);
      expect([status, body.data]).toEqual([200, { status: 'cancelled' }]);
      expect(schemas.validate('liveness-cancel-response.json', body)).toBe(true);
      expect(headers.get('ratelimit')).toMatch(/^"burst"/);
      expect(headers.get('presenza-version')).toBeTruthy();
    }
    expect(await eventsOf(account.id)).toEqual(['session.started', 'session.cancelled']);
    expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 0 });
    // The user reads the same.
    expect((await send({ path: `${path}/cancel`, bearer: token })).body.data).toEqual({
      status: 'cancelled',
    });
  });

  test('cancelLivenessSession: calls at once of the account and the user cause one event', async () => {
    const { account, path, token } = await newSession();
    const bearers = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? account.apiKey : token));
    const replies = await Promise.all(bearers.map((bearer) => send({ path: `${path}/cancel`, bearer })));
    expect(replies.map(({ status }) => status)).toEqual(bearers.map(() => 200));
    expect(await eventsOf(account.id)).toEqual(['session.cancelled']);
  });

  test('cancelLivenessSession 409: a session that ended otherwise keeps its status', async () => {
    const at = await serve(shortLived());
    const { account, path } = await newSession({}, at);
    const reply = await send({ at, path: `${path}/cancel`, bearer: account.apiKey });
    expect(codeOf(reply)).toEqual([409, 'SESSION_STATE_CONFLICT', 'final']);
    expect(reply.body.error.message).toContain('expired');
    expect(await eventsOf(account.id)).toEqual(['session.expired']);
    expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 0 });
  });

  test('cancelLivenessSession 401, 403, 404: only a key of the account and mode with the product cancels', async () => {
    const { account, path, token } = await newSession();
    const cancel = async (bearer: string, at = path) => codeOf(await send({ path: `${at}/cancel`, bearer }));
    const absent = [404, 'NOT_FOUND', 'session'];
    expect(await cancel('presenza_live_none')).toEqual([401, 'INVALID_API_KEY', undefined]);
    const key = async (mode: 'live' | 'test', products?: ['faceDetection']) =>
      (await services.keys.createKey(account.id, mode, { ...(products && { products }) })).apiKey;
    expect(await cancel(await key('live', ['faceDetection']))).toEqual([403, 'PERMISSION_DENIED', 'product']);
    expect(await cancel(await key('test'))).toEqual(absent);
    const other = await newSession();
    expect(await cancel(other.account.apiKey)).toEqual(absent);
    expect(await cancel(other.token)).toEqual(absent);
    expect(await cancel(account.apiKey, `/liveness/ses_${'0'.repeat(24)}`)).toEqual(absent);
    expect(await cancel(account.apiKey, '/liveness/none')).toEqual(absent);
    expect(await eventsOf(account.id)).toEqual([]);
    expect((await send({ path: `${path}/start`, bearer: token })).status).toBe(200);
  });

  test('cancelLivenessSession 400: the body is empty', async () => {
    const { account, path } = await newSession();
    const sent = await send({ path: `${path}/cancel`, bearer: account.apiKey, body: { force: true } });
    expect(codeOf(sent)).toEqual([400, 'INVALID_PARAMETERS', 'unknown']);
    expect(await eventsOf(account.id)).toEqual([]);
  });

  test('deleteLivenessSession 200: erases all data of the session and nothing else', async () => {
    const { account, path, sessionId } = await newSession({ metadata, imageToCompare: imageUri });
    const erased = await send({ method: 'DELETE', path, bearer: account.apiKey });
    expect(schemas.validate('liveness-delete-response.json', erased.body)).toBe(true);
    expect((await redis.keys('*')).filter((key) => key.includes(sessionId))).toEqual([]);
    expect(await redis.exists(sessionsKey(account.id))).toBe(0);
    expect(await eventsOf(account.id)).toEqual(['session.cancelled']);
    for (const method of ['GET', 'DELETE']) {
      expect(codeOf(await send({ method, path, bearer: account.apiKey }))).toEqual([
        404,
        'NOT_FOUND',
        'session',
      ]);
    }
    expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('createLivenessSession with an Idempotency-Key', () => {
  test('returns the data of the first response and bills nothing twice', async () => {
    const { apiKey } = await newAccount();
    const headers = { 'idempotency-key': 'k' };
    const create = () => send({ bearer: apiKey, body: { metadata }, headers });
    const first = await create();
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const { data } = first.body;
    const path = `/liveness/${data.sessionId}`;
    // Neither a change of its status nor its end changes the response.
    for (const call of ['/start', '/cancel']) {
      expect((await send({ path: path + call, bearer: data.accessToken })).status).toBe(200);
      const again = await create();
      expect([again.status, again.body.data]).toEqual([200, data]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('ratelimit')).toMatch(/^"burst"/);
      expect(again.body.requestId).not.toBe(first.body.requestId);
    }
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
    const other = await send({ bearer: apiKey, body: {}, headers });
    expect(codeOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT', 'mismatch']);
    expect(other.headers.get('ratelimit')).toMatch(/^"burst"/);
  });

  test('creates one session for concurrent requests', async () => {
    const { apiKey } = await newAccount();
    const headers = { 'idempotency-key': 'k' };
    const all = await Promise.all(Array.from({ length: 10 }, () => send({ bearer: apiKey, headers })));
    const made = all.filter(({ status }) => status === 200).map(({ body }) => body.data.sessionId);
    expect(new Set(made).size).toBe(1);
    for (const reply of all.filter(({ status }) => status !== 200)) {
      expect(codeOf(reply)).toEqual([409, 'IDEMPOTENCY_CONFLICT', 'inProgress']);
    }
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 1 });
  });

  test('returns the data of the first response after its session is erased', async () => {
    const { apiKey } = await newAccount();
    const headers = { 'idempotency-key': 'k' };
    const first = await send({ bearer: apiKey, headers });
    await send({ method: 'DELETE', path: `/liveness/${first.body.data.sessionId}`, bearer: apiKey });
    const next = await send({ bearer: apiKey, headers });
    expect([next.status, next.body.data]).toEqual([200, first.body.data]);
    expect(next.headers.get('idempotent-replayed')).toBe('true');
    const path = `/liveness/${first.body.data.sessionId}`;
    expect(codeOf(await send({ method: 'GET', path, bearer: apiKey }))).toEqual([
      404,
      'NOT_FOUND',
      'session',
    ]);
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('access', () => {
  describe('the policy of a session', () => {
    const standard = {
      level: 'standard',
      minConfidence: 0.5,
      virtualCameras: 'allow',
      lightChallenge: 'off',
      devices: ['phone', 'tablet', 'desktop'],
    };
    const view = async (path: string, bearer: string) => {
      const { body } = await send({ method: 'GET', path, bearer });
      expect(schemas.validate('liveness-session-response.json', body)).toBe(true);
      return body.data;
    };
    const begin = (path: string, bearer: string, agent: string, type?: string) =>
      send({
        path: `${path}/attempts`,
        bearer,
        headers: { 'user-agent': agent },
        body: { consent: true, device: { id: 'd'.repeat(16), ...(type && { type }) } },
      });

    test('comes from the request, otherwise from the account, and only the account sees it', async () => {
      const { account, path, token } = await newSession();
      expect((await view(path, account.apiKey)).policy).toEqual(standard);
      expect(await view(path, token)).not.toHaveProperty('policy');
      await services.keys.updateAccount(account.id, {
        livenessPolicy: { level: 'strict', minConfidence: 0.7 },
      });
      const body = { policy: { minConfidence: 0.9 } };
      const { sessionId } = (await send({ bearer: account.apiKey, body })).body.data;
      const { policy } = await view(`/liveness/${sessionId}`, account.apiKey);
      expect(policy).toEqual({
        ...standard,
        level: 'strict',
        minConfidence: 0.9,
        virtualCameras: 'refuse',
        lightChallenge: 'required',
      });
      const started = await send({ path: `${path}/start`, bearer: token });
      expect(started.body.data).not.toHaveProperty('policy');
      expect(started.body.data).not.toHaveProperty('devices');
    });

    test.each([
      { minConfidence: 0.98 },
      { minConfidence: 0.49 },
      { level: 'lax' },
      { virtualCameras: true },
      { devices: [] },
      { devices: ['phone', 'phone'] },
      { devices: ['watch'] },
      { other: 1 },
    ])('createLivenessSession 400: rejects the policy %j and bills nothing', async (policy) => {
      const { apiKey } = await newAccount();
      const { status, body } = await send({ bearer: apiKey, body: { policy } });
      expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
      expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
    });

    test('beginLivenessAttempt 200: draws colors if it requires the light challenge, and no others', async () => {
      const { path, token } = await newSession({ policy: { lightChallenge: 'required' } });
      const started = await send({ path: `${path}/start`, bearer: token });
      expect(started.body.data.lightChallenge).toBe('required');
      const [first, second] = [await begin(path, token, ''), await begin(path, token, '')];
      expect(schemas.validate('liveness-attempt-response.json', first.body)).toBe(true);
      expect(first.body.data.light.colorMs).toBe(600);
      expect(first.body.data.light.colors).not.toEqual(second.body.data.light.colors);
      const other = await newSession();
      const plain = await send({ path: `${other.path}/start`, bearer: other.token });
      expect(plain.body.data).not.toHaveProperty('lightChallenge');
      expect((await begin(other.path, other.token, '')).body.data).not.toHaveProperty('light');
    });

    test('beginLivenessAttempt 403: refuses the kinds of device that it leaves out', async () => {
      const { path, token } = await newSession({ policy: { devices: ['phone'] } });
      const started = await send({ path: `${path}/start`, bearer: token });
      expect(started.body.data.devices).toEqual(['phone']);
      const refused = await begin(path, token, 'Mozilla/5.0 (X11; Linux x86_64)');
      expect(codeOf(refused)).toEqual([403, 'PERMISSION_DENIED', 'device']);
      expect((await begin(path, token, 'Mozilla/5.0 (iPhone) Mobile', 'desktop')).status).toBe(403);
      expect((await begin(path, token, 'Mozilla/5.0 (iPhone) Mobile')).status).toBe(200);
    });
  });

  test('getLivenessSession, deleteLivenessSession 404: hide the session of another account', async () => {
    const { path } = await newSession();
    const { apiKey } = await newAccount();
    for (const method of ['GET', 'DELETE']) {
      expect(codeOf(await send({ method, path, bearer: apiKey }))).toEqual([404, 'NOT_FOUND', 'session']);
    }
  });

  test('all operations 404: a token opens only its own session, and DELETE never', async () => {
    const [session, other] = [await newSession(), await newSession()];
    for (const [method, path] of [
      ['GET', other.path],
      ['POST', `${other.path}/start`],
      ['POST', `${other.path}/cancel`],
    ]) {
      const response = await send({ method: method as string, path: path as string, bearer: session.token });
      expect(codeOf(response)).toEqual([404, 'NOT_FOUND', 'session']);
    }
    expect((await send({ method: 'DELETE', path: session.path, bearer: session.token })).status).toBe(401);
  });

  test('startLivenessSession 401: rejects invalid tokens and API keys', async () => {
    const { path, token, account } = await newSession();
    const changed = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    for (const bearer of ['x', changed, token.slice(1), account.apiKey, 'y'.repeat(200)]) {
      const response = await send({ path: `${path}/start`, bearer });
      expect(codeOf(response)).toEqual([401, 'INVALID_API_KEY', 'token']);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await send({ path: `${path}/start` })).status).toBe(401);
  });

  test('all operations 410: a token expires with its session, which the key can still read', async () => {
    const at = await serve(shortLived());
    const { account, path, token } = await newSession({}, at);
    for (const call of [{ method: 'GET', path }, { path: `${path}/start` }, { path: `${path}/cancel` }]) {
      expect(codeOf(await send({ at, bearer: token, ...call }))).toEqual([410, 'SESSION_EXPIRED', undefined]);
    }
    const { body } = await send({ at, method: 'GET', path, bearer: account.apiKey });
    expect(body.data.status).toBe('expired');
    expect(await eventsOf(account.id)).toEqual(['session.expired']);
  });

  test('startLivenessSession 403: rejects a suspended account', async () => {
    const { account, path, token } = await newSession();
    await services.keys.updateAccount(account.id, { suspended: true });
    expect(codeOf(await send({ path: `${path}/start`, bearer: token }))).toEqual([
      403,
      'PERMISSION_DENIED',
      'account',
    ]);
  });

  test('getLivenessSession 429: limits the calls about one session', async () => {
    const { path, token } = await newSession();
    // Its clock stands still, so that the limit does not recover in the meantime.
    const calls = new LocalLimiter(1, () => 0);
    const at = await serve({ liveness: { ...realLiveness(redis, tier).liveness, calls } });
    const replies = await Promise.all(
      Array.from({ length: limits.liveness.calls.limit + 10 }, () =>
        send({ method: 'GET', path, bearer: token, at }),
      ),
    );
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const reply of refused) {
      expect(codeOf(reply)).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'sessionCalls']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('createLivenessSession 429: rejects a free account whose quota is reserved before analyzing its image', async () => {
    const { id, apiKey } = await newAccount('free');
    await services.keys.updateAccount(id, { overrides: { quota: { livenessDetection: 1 } } });
    expect((await send({ bearer: apiKey })).status).toBe(200);
    const detect = jest.fn();
    const inference = tierThatDetects(async () => detect() as never);
    const at = await serve({ liveness: realLiveness(redis, inference).liveness });
    const over = await send({ at, bearer: apiKey, body: { imageToCompare: imageUri } });
    expect(codeOf(over)).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'reservedBySessions']);
    expect(detect).not.toHaveBeenCalled();
  });

  test('createLivenessSession 400: rejects a reference image without a face and refunds the unit', async () => {
    const inference = tierThatDetects(async () => ({ faces: [] }) as never);
    const at = await serve({ liveness: realLiveness(redis, inference).liveness });
    const { apiKey } = await newAccount();
    const response = await send({ at, bearer: apiKey, body: { imageToCompare: imageUri } });
    expect(codeOf(response)).toEqual([400, 'NO_FACE_DETECTED', 'reference']);
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
  });

  test('createLivenessSession 400: rejects a reference image whose largest face is unclear', async () => {
    const inference = tierThatDetects(async () => ({ faces: [{ isConfirmed: false }, {}] }) as never);
    const at = await serve({ liveness: realLiveness(redis, inference).liveness });
    const { apiKey } = await newAccount();
    const response = await send({ at, bearer: apiKey, body: { imageToCompare: imageUri } });
    expect(codeOf(response)).toEqual([400, 'NO_FACE_DETECTED', 'reference']);
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 0 });
  });

  test('createLivenessSession 429: limits the memory of all sessions, which erasing them frees', async () => {
    const { id, apiKey } = await newAccount();
    await services.keys.updateAccount(id, { overrides: { sessionBytes: 2 * image.length } });
    const create = () => send({ bearer: apiKey, body: { imageToCompare: imageUri } });
    const made = await create();
    expect(made.status).toBe(200);
    const refused = await create();
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'sessionBytes']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await usageOf(apiKey)).toEqual({ used: 0, reserved: 1 });
    await send({ method: 'DELETE', path: `/liveness/${made.body.data.sessionId}`, bearer: apiKey });
    expect((await create()).status).toBe(200);
  });

  test.each([
    ['{"__proto__":{"isAdmin":true}}', 'metadata.__proto__'],
    ['{"user":{"constructor":1}}', 'metadata.user.constructor'],
    ['{"a":[{"prototype":null}]}', 'metadata.a.0.prototype'],
  ])('createLivenessSession 400: rejects the metadata %s', async (text, param) => {
    const { apiKey: bearer } = await newAccount();
    const { error } = (await send({ bearer, body: { metadata: JSON.parse(text) } })).body;
    expect(error).toMatchObject({ code: 'INVALID_PARAMETERS', reason: 'name', param });
    expect(error.message).toContain('__proto__, constructor and prototype');
  });

  test('createLivenessSession 400: limits the bytes of metadata', async () => {
    const { apiKey } = await newAccount();
    const fits = { text: 'x'.repeat(limits.metadata.maxBytes - '{"text":""}'.length) };
    expect((await send({ bearer: apiKey, body: { metadata: fits } })).status).toBe(200);
    const over = await send({ bearer: apiKey, body: { metadata: { text: `${fits.text}x` } } });
    expect(codeOf(over)).toEqual([400, 'INVALID_PARAMETERS', 'size']);
  });
});

describe('CORS', () => {
  const preflight = (path: string, origin: string, method = 'POST') =>
    send({ method: 'OPTIONS', path, headers: { origin, 'access-control-request-method': method } });

  test('allows the pages of the verification site to call session operations', async () => {
    const { path, token } = await newSession();
    const allowed = await preflight(`${path}/start`, verifyOrigin);
    expect([allowed.status, allowed.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    const header = (name: string) => allowed.headers.get(`access-control-${name}`);
    expect([header('allow-origin'), header('allow-methods')]).toEqual([verifyOrigin, 'POST']);
    expect(header('allow-headers')).toContain('X-Frame-Nonce');
    expect(header('allow-credentials')).toBeNull();
    const response = await send({ path: `${path}/start`, bearer: token, headers: { origin: verifyOrigin } });
    expect(response.headers.get('access-control-allow-origin')).toBe(verifyOrigin);
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'Deprecation, Presenza-Version, Retry-After, Sunset, X-Request-Id',
    );
    expect(response.headers.get('vary')).toBe('Origin');
    // Pages can also read errors.
    const refused = await send({ path: `${path}/start`, headers: { origin: verifyOrigin } });
    expect(refused.headers.get('access-control-allow-origin')).toBe(verifyOrigin);
  });

  test('allows the configured origins and no others', async () => {
    const config = { GATEWAY_CORS_ORIGINS: 'https://app.example.com, https://other.example.com' };
    const at = await serve({ liveness: realLiveness(redis, tier, { config }).liveness });
    const { path } = await newSession({}, at);
    const allowedFrom = async (origin: string) =>
      (await send({ at, path: `${path}/start`, headers: { origin } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowedFrom('https://app.example.com')).toBe('https://app.example.com');
    expect(await allowedFrom('https://evil.example.com')).toBeNull();
    expect(await allowedFrom('null')).toBeNull();
    expect(await allowedFrom('http://evil.example.com')).toBeNull();
    const insecure = await preflight(`${path}/start`, 'http://evil.example.com');
    expect(insecure.headers.get('access-control-allow-origin')).toBeNull();
    // Nobody knows the account of a call without a token, and it may allow the page. The page cannot read the response.
    expect((await preflight(`${path}/start`, 'https://evil.example.com')).status).toBe(204);
  });

  test('a page of another origin changes nothing, and reads the same refusal whatever the session is', async () => {
    const { path, token, account } = await newSession({ metadata });
    const origin = 'https://evil.example';
    const call = (more: Partial<Sent> = {}) =>
      send({ path: `${path}/start`, bearer: token, headers: { origin }, ...more });
    const calls = () =>
      Promise.all([
        call(),
        call({ path: `${path}/cancel` }),
        call({ path: `${path}/leave` }),
        call({ path, method: 'GET' }),
        call({ path: `${path}/attempts`, body: { consent: true, device: { id: 'd'.repeat(16) } } }),
        // The path does not reveal which sessions exist.
        call({ path: `/liveness/ses_${'0'.repeat(24)}/start` }),
      ]);
    const refusal = {
      success: false,
      error: {
        code: 'PERMISSION_DENIED',
        reason: 'origin',
        message: 'The account of this liveness session does not allow pages of this origin.',
        docUrl: expect.any(String),
      },
      requestId: expect.any(String),
    };
    const refused = async () => {
      for (const { status, headers, body } of await calls()) {
        expect([status, body]).toEqual([403, refusal]);
        expect(headers.get('access-control-allow-origin')).toBe(origin);
      }
    };
    await refused();
    expect(await eventsOf(account.id)).toEqual([]);
    expect((await send({ path: `${path}/start`, bearer: token })).status).toBe(200);
    await refused();
    expect((await send({ path: `${path}/cancel`, bearer: token })).body.data.status).toBe('cancelled');
    await refused();
    expect(await eventsOf(account.id)).toEqual(['session.started', 'session.cancelled']);
  });

  test('a page can read that nobody issued its token, and nothing about an API key', async () => {
    const { path, account } = await newSession();
    const origin = 'https://evil.example';
    const token = `ses_${'0'.repeat(24)}-${'a'.repeat(80)}`;
    const unknown = await send({ path: `${path}/start`, bearer: token, headers: { origin } });
    expect(codeOf(unknown)).toEqual([401, 'INVALID_API_KEY', 'token']);
    expect(unknown.headers.get('access-control-allow-origin')).toBe(origin);
    for (const bearer of [account.apiKey, `${account.apiKey}x`, 'presenza_live_none']) {
      for (const call of [{ path, method: 'GET' }, { path: `${path}/cancel` }]) {
        const { headers } = await send({ ...call, bearer, headers: { origin } });
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  const local = ['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:8080', 'https://localhost'];
  test.each(local)('pages of %s may use the sessions of test keys, and no others', async (origin) => {
    const { path, token, account } = await newSession();
    const foreign = await send({ path: `${path}/start`, bearer: token, headers: { origin } });
    expect(codeOf(foreign)).toEqual([403, 'PERMISSION_DENIED', 'origin']);
    expect((await preflight(`${path}/start`, origin)).headers.get('access-control-allow-origin')).toBe(
      origin,
    );
    const { apiKey } = await services.keys.createKey(account.id, 'test');
    const { sessionId, accessToken } = (await send({ bearer: apiKey })).body.data;
    const start = { path: `/liveness/${sessionId}/start`, bearer: accessToken, headers: { origin } };
    const started = await send(start);
    expect([started.status, started.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    // The token of a test session opens no live one.
    expect(codeOf(await send({ ...start, path: `${path}/start` }))).toEqual([404, 'NOT_FOUND', 'session']);
  });

  test.each([
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example:3000',
    'http://evil.example:3000',
    'https://evil.example',
    'http://shop.localhost:3000',
  ])('a page of %s may not use the session of a test key', async (origin) => {
    const { account } = await newSession();
    const { apiKey } = await services.keys.createKey(account.id, 'test');
    const { sessionId, accessToken } = (await send({ bearer: apiKey })).body.data;
    const call = { path: `/liveness/${sessionId}/start`, bearer: accessToken, headers: { origin } };
    expect(codeOf(await send(call))).toEqual([403, 'PERMISSION_DENIED', 'origin']);
  });

  test.each(['http://localhost:80@evil.example', 'http://localhost, http://evil.example', 'null'])(
    'no page can read the response to a call with the origin %s, which browsers send for no page',
    async (origin) => {
      const { account } = await newSession();
      const { apiKey } = await services.keys.createKey(account.id, 'test');
      const { sessionId, accessToken } = (await send({ bearer: apiKey })).body.data;
      const call = { path: `/liveness/${sessionId}/start`, bearer: accessToken, headers: { origin } };
      expect((await send(call)).headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('the verification site on this machine has two names', async () => {
    const { path, token } = await newSession();
    const origin = 'http://localhost:8000';
    const response = await send({ path: `${path}/start`, bearer: token, headers: { origin } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });

  test('allows no operation that takes an API key', async () => {
    const { path } = await newSession();
    for (const other of ['/liveness', '/detect', '/usage']) {
      const response = await preflight(other, verifyOrigin);
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    }
    expect((await preflight(path, verifyOrigin, 'DELETE')).headers.get('access-control-allow-methods')).toBe(
      'GET',
    );
  });
});

describe('startLivenessSession with synchronous webhooks', () => {
  const asked: SessionEvent[] = [];
  const deciding = (decision: object) =>
    serve({
      liveness: realLiveness(redis, tier, {
        webhooks: {
          events: { notify: () => {} },
          sync: {
            decide: async (event) => {
              asked.push(event);
              return decision as never;
            },
          },
        },
      }).liveness,
    });

  test('cancels a session that they reject', async () => {
    const at = await deciding({ decision: 'reject' });
    const { account, path, token, sessionId } = await newSession({}, at);
    const { body } = await send({ at, path: `${path}/start`, bearer: token });
    expect(body.data.status).toBe('cancelled');
    expect(await eventsOf(account.id)).toEqual(['session.started', 'session.cancelled']);
    const event = asked.at(-1);
    expect(event).toMatchObject({ accountId: account.id, sessionId, eventType: 'session.started' });
    const [[, fields] = ['', []]] = await redis.xrange(outboxKey(account.id), '-', '+', 'COUNT', 1);
    expect([fields[1], Number(fields[7])]).toEqual([event?.eventId, event?.timestamp]);
  });

  test('asks again with the same event if their decision was lost', async () => {
    const at = await deciding(Promise.reject(new Error('lost')));
    const { account, path, token, sessionId } = await newSession({}, at);
    expect((await send({ at, path: `${path}/start`, bearer: token })).status).toBe(500);
    const first = asked.at(-1);
    const begin = {
      path: `${path}/attempts`,
      bearer: token,
      body: { consent: true, device: { id: 'd'.repeat(16) } },
    };
    expect(codeOf(await send({ at, ...begin }))).toEqual([409, 'SESSION_STATE_CONFLICT', 'notStarted']);
    const again = await deciding({ decision: 'reject' });
    const { body } = await send({ at: again, path: `${path}/start`, bearer: token });
    expect(body.data.status).toBe('cancelled');
    expect(asked.at(-1)).toEqual(first);
    expect(first?.sessionId).toBe(sessionId);
    expect(await eventsOf(account.id)).toEqual(['session.started', 'session.cancelled']);
  });

  test('redirects the user', async () => {
    const at = await deciding({ decision: 'redirect', redirectUrl: 'https://app.example.com/wait' });
    const { path, token } = await newSession({}, at);
    const { body } = await send({ at, path: `${path}/start`, bearer: token });
    expect(body.data).toMatchObject({ status: 'started', redirectUrl: 'https://app.example.com/wait' });
    const again = await send({
      at: await deciding({ decision: 'continue' }),
      path: `${path}/start`,
      bearer: token,
    });
    expect(again.body.data).toMatchObject({ status: 'started', redirectUrl: 'https://app.example.com/wait' });
  });
});

test('createLivenessSession 200: accepts the returnUrl of an app whose scheme the account allows', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  await services.keys.updateAccount(account.id, { returnSchemes: ['myapp'] });
  const create = (returnUrl: string, { apiKey } = account) => send({ bearer: apiKey, body: { returnUrl } });
  const refused = await create('myapp://done', other);
  expect(codeOf(refused)).toEqual([400, 'INVALID_PARAMETERS', 'value']);
  expect(refused.body.error.message).toContain('with a scheme that the account allows');
  const made = await create('myapp://done?user=1');
  const { sessionId, accessToken: bearer } = made.body.data;
  const started = await send({ path: `/liveness/${sessionId}/start`, bearer });
  expect(started.body.data.returnUrl).toBe('myapp://done?user=1');
  expect(schemas.validate('liveness-start-response.json', started.body)).toBe(true);
  for (const right of ['MyApp://done', 'HTTPS://app.example.com/done', 'HTTP://localhost:3000/done'])
    expect((await create(right)).status).toBe(200);
  for (const wrong of [
    'yourapp://done',
    'JavaScript://done',
    'shop://done',
    'javascript://done',
    'myapp:done',
    'myapp://a b',
  ])
    expect((await create(wrong)).status).toBe(400);
});

test('startLivenessSession 200: shows language, comparison, controller and the other way', async () => {
  const { account, path, token } = await newSession({ locale: 'pt', imageToCompare: imageUri });
  const page = {
    controller: { name: 'Bank AG', privacyUrl: 'https://bank.example/privacy', contact: 'dpo@bank.example' },
    alternative: { text: 'Visit a branch.', url: 'https://bank.example/branches' },
  };
  await services.keys.updateAccount(account.id, page);
  const { body } = await send({ path: `${path}/start`, bearer: token });
  expect(body.data).toMatchObject({ locale: 'pt', hasReference: true, ...page });
  expect(schemas.validate('liveness-start-response.json', body)).toBe(true);
  const { apiKey } = account;
  const refused = await send({ bearer: apiKey, body: { locale: 'xx' } });
  expect(refused.body.error.message).toBe(
    'The field locale must be one of en, es, fr, de, pt, ar, hi, ja, zh-Hans.',
  );
});

test('getLivenessSession 200: shows the page where to send the user, and the account nothing new', async () => {
  const { account, path, token } = await newSession({ returnUrl });
  const read = async (bearer: string) => (await send({ method: 'GET', path, bearer })).body.data;
  expect(await read(token)).toMatchObject({ returnUrl });
  expect(await read(account.apiKey)).not.toHaveProperty('returnUrl');
});

test('startLivenessSession 200: shows branding on plans that include it', async () => {
  const { account, path, token } = await newSession();
  const branding = { name: 'Example Bank', colors: { accent: '#0b57d0' } };
  await services.keys.updateAccount(account.id, { branding });
  const start = { path: `${path}/start`, bearer: token };
  expect((await send(start)).body.data.branding).toEqual(branding);
  await services.keys.updateAccount(account.id, { plan: 'basic' });
  expect((await send(start)).body.data.branding).toBeUndefined();
});

test('getLivenessSession, deleteLivenessSession 404: hide the session from a key of the other mode', async () => {
  const { account, path } = await newSession({ metadata });
  const { apiKey } = await services.keys.createKey(account.id, 'test');
  for (const method of ['GET', 'DELETE']) {
    expect(codeOf(await send({ method, path, bearer: apiKey }))).toEqual([404, 'NOT_FOUND', 'session']);
  }
  expect((await send({ method: 'GET', path, bearer: account.apiKey })).status).toBe(200);
});

describe('the sweeper', () => {
  test('expires the overdue sessions of all accounts once', async () => {
    const parts = shortLived();
    const at = await serve(parts);
    const made = await Promise.all([newSession({}, at), newSession({}, at), newSession({}, at)]);
    const kept = await newSession();
    await parts.sweeper.sweep(0.002);
    await parts.sweeper.sweep(0.002);
    for (const { account } of made) {
      expect(await eventsOf(account.id)).toEqual(['session.expired']);
      expect(await usageOf(account.apiKey)).toEqual({ used: 0, reserved: 0 });
    }
    expect(await eventsOf(kept.account.id)).toEqual([]);
  });

  test('cancels abandoned sessions, unless the user returned on the same or another page', async () => {
    const parts = realLiveness(redis, tier);
    const at = await serve(parts);
    const made = await Promise.all([newSession({}, at), newSession({}, at), newSession({}, at)]);
    const [back, elsewhere, gone] = made as [Made, Made, Made];
    // Simulates the end of the grace period.
    const passed = async ({ account, sessionId }: Made) => {
      const { session } = sessionKeys({ accountId: account.id, sessionId });
      const before = String(Date.now() - 1);
      if (await redis.hexists(session, 'leaveAt')) await redis.hset(session, 'leaveAt', before);
      await redis.zadd(dueKey(account.id), before, sessionId);
    };
    for (const { path, token } of made) {
      await send({ path: `${path}/start`, bearer: token, at });
      const { status, body } = await send({ path: `${path}/leave`, bearer: token, at });
      expect([status, body.data]).toEqual([200, { status: 'started' }]);
    }
    await send({ path: `${back.path}/start`, bearer: back.token, at });
    const { session } = sessionKeys({ accountId: elsewhere.account.id, sessionId: elsewhere.sessionId });
    await redis.hdel(session, 'leaveAt');
    for (const session of made) await passed(session);
    await parts.sweeper.sweep(0.002);
    expect(await eventsOf(gone.account.id)).toEqual(['session.started', 'session.cancelled']);
    expect(await usageOf(gone.account.apiKey)).toEqual({ used: 0, reserved: 0 });
    for (const { account, sessionId } of [back, elsewhere]) {
      expect(await eventsOf(account.id)).toEqual(['session.started']);
      // The session stays open until its own time has passed.
      expect(Number(await redis.zscore(dueKey(account.id), sessionId))).toBeGreaterThan(Date.now());
    }
  });

  test('runs on one gateway at a time', async () => {
    const parts = shortLived();
    const hour = 3_600_000;
    await redis.del('presenza:session-sweeper');
    await parts.sweeper.sweep(hour);
    const { account } = await newSession({}, await serve(parts));
    await parts.sweeper.sweep(hour);
    expect(await eventsOf(account.id)).toEqual([]);
    await redis.del('presenza:session-sweeper');
  });

  test('repeats a check whose gateway is gone, and continues with other sessions after a failure', async () => {
    const rejudged: string[] = [];
    const failures: string[] = [];
    const store = new RedisSessionStore(redis);
    const sweeper = new SessionSweeper({
      store,
      sessions: services.liveness.sessions,
      rejudge: async ({ sessionId }) => {
        rejudged.push(sessionId);
        throw new Error('the check failed');
      },
      advance: () => Promise.reject(new Error('not expected')),
      onError: ({ message }) => failures.push(message),
    });
    const { account, path, token, sessionId } = await newSession();
    await send({ path: `${path}/start`, bearer: token });
    const address = { accountId: account.id, sessionId };
    await store.beginAttempt(address, { attemptId: 'a', device: 'd', maxBegun: 9, fields: { id: 'a' } });
    await store.beginCheck(address, { attemptId: 'a', checker: 'c', leaseMs: -1 });
    await sweeper.sweep(0.002);
    await sweeper.idle();
    expect(failures).toEqual(['the check failed']);
    expect(rejudged).toEqual([sessionId]);
    expect(codeOf(await send({ path: `${path}/cancel`, bearer: token }))).toEqual([
      409,
      'SESSION_STATE_CONFLICT',
      'checking',
    ]);
    // The account may erase a session whose check has lost its lease.
    expect((await send({ method: 'DELETE', path, bearer: account.apiKey })).status).toBe(200);
    expect(await eventsOf(account.id)).toEqual(['session.started', 'session.cancelled']);
  });
});

test('neither Redis nor the log contains readable metadata, images, URLs or tokens', async () => {
  const { account, path, token } = await newSession({ metadata, returnUrl, imageToCompare: imageUri });
  await send({ path: `${path}/start`, bearer: token });
  await send({ method: 'GET', path, bearer: account.apiKey });
  const secrets = [metadata.secret, metadata.userId, 'private=1', token, account.apiKey];
  const readable = [...secrets.map((text) => Buffer.from(text)), image.subarray(100, 140)];
  const stored: Buffer[] = [];
  for (const key of await redis.keys('*')) {
    stored.push(Buffer.from(key), (await redis.dumpBuffer(key)) ?? Buffer.alloc(0));
  }
  const everything = [...stored, ...log.map((line) => Buffer.from(line))];
  expect(stored.length).toBeGreaterThan(20);
  expect(log.length).toBeGreaterThan(20);
  // The search finds text that is not secret.
  expect(stored.some((bytes) => bytes.includes('sessions of this account'))).toBe(true);
  for (const secret of readable) {
    expect(everything.filter((bytes) => bytes.includes(secret))).toEqual([]);
  }
});

/** Liveness services whose sessions expire as soon as they are created. */
function shortLived() {
  return realLiveness(redis, tier, { config: { LIVENESS_SESSION_SECONDS: -1 } });
}
