/**
 * Every code of the error catalogue, provoked over HTTP on real parts, with the catalogue's status and text.
 *
 * Slow: it provokes each error of the catalogue, timeouts among them.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import {
  type ClientRequest,
  request as createRequest,
  createServer,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import brand from '@presenza/contract/brand.json';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import sharp from 'sharp';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import type { ErrorCode } from '../src/errors';
import { createApp, type Services } from '../src/http/app';
import { createApiServer } from '../src/http/server';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { Authenticator } from '../src/services/keys/authenticator';
import { FailedAttempts } from '../src/services/keys/failed-attempts';
import { KeyCache } from '../src/services/keys/key-cache';
import type { Account } from '../src/services/keys/keys';
import { Admission } from '../src/services/limits/admission';
import type { Overrides, PlanTier } from '../src/services/plans/terms';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisAttemptStore } from '../src/stores/redis-attempt-store';
import { RedisChangeFeed } from '../src/stores/redis-change-feed';
import { schemas, testImageBytes } from './contract';
import { Phone } from './liveness/phone';
import { keySecret, realLiveness, realServices } from './services';
import { sharedTierUrl } from './shared-tier';

const demo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');
const examples = join(dirname(require.resolve('@presenza/contract/brand.json')), 'examples');
const asUri = (bytes: Buffer, type: string) => `data:image/${type};base64,${bytes.toString('base64')}`;

let store: RunningServer;
let redis: RedisClient;
let feed: RedisChangeFeed;
let inference: HttpInferenceClient;
let services: ReturnType<typeof realServices>;
let nobody: string;
let people: string;
const open: ReturnType<typeof createServer>[] = [];

beforeAll(async () => {
  store = await startRedis();
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  feed = RedisChangeFeed.open(redis, () => {});
  inference = new HttpInferenceClient(sharedTierUrl());
  services = realServices(redis, inference);
  const grey = { width: 64, height: 64, channels: 3, background: '#888' } as const;
  nobody = asUri(await sharp({ create: grey }).png().toBuffer(), 'png');
  people = asUri(readFileSync(join(demo, 'sample4.jpg')), 'jpeg');
});
afterAll(async () => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  inference.close();
  feed.close();
  redis.disconnect();
  await store.stop();
});

/** A gateway that differs from the usual one in some of its parts. */
async function serve(parts: Partial<Services> = {}): Promise<string> {
  const all = { ...services, ...parts };
  const server = createApiServer(createApp(all), all.logger, all.metrics).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Caller {
  readonly account: Account;
  readonly key: string;
}
async function caller(
  plan: PlanTier = 'basic',
  change: { overrides?: Overrides; suspended?: boolean } = {},
  scope: { products?: string[]; cidrs?: string[] } = {},
): Promise<Caller> {
  const account = await services.keys.createAccount('Tests', plan);
  if (Object.keys(change).length > 0) await services.keys.updateAccount(account.id, change);
  const { apiKey: key } = await services.keys.createKey(account.id, 'live', scope as object);
  return { account, key };
}

interface Sent {
  readonly url?: string;
  readonly path?: string;
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send({ url, path = '/detect', method = 'POST', key, body, headers = {} }: Sent) {
  const response = await fetch((url ?? (await serve())) + path, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
type Reply = Awaited<ReturnType<typeof send>>;

async function replyTo(request: ClientRequest): Promise<Reply> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const headers = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode as number, headers, body: await json(response) };
}

/** Creates a session of a new account. */
async function session(url?: string) {
  const { key } = await caller();
  const { body } = await send({ ...(url !== undefined && { url }), path: '/liveness', key, body: {} });
  return { key, path: `/liveness/${body.data.sessionId}`, token: body.data.accessToken };
}

/** The phone of a user who has started a session. */
async function startedPhone(url: string): Promise<Phone> {
  const { path, token } = await session(url);
  const phone = new Phone(url, path.slice('/liveness/'.length), token);
  await phone.start();
  return phone;
}

/** The phone of a session with a test outcome, which reaches a status without a camera. */
async function testedPhone(status: 'checking' | 'completed'): Promise<Phone> {
  let ahead = 0;
  const { liveness, sweeper } = realLiveness(redis, inference, { now: () => Date.now() + ahead });
  const url = await serve({ liveness });
  const { apiKey: key } = await services.keys.createKey((await caller()).account.id, 'test');
  const made = await send({ url, path: '/liveness', key, body: { testOutcome: 'live' } });
  const { sessionId, accessToken } = made.body.data;
  const read = () => send({ url, method: 'GET', path: `/liveness/${sessionId}`, key });
  while ((await read()).body.data.status !== status) {
    ahead += 1_000 * limits.liveness.testOutcome.stepSeconds + 1;
    await sweeper.sweep(0.002);
    await sweeper.idle();
  }
  return new Phone(url, sessionId, accessToken);
}

const labelOf = ({ reason = '', param = '' }: { reason?: string; param?: string }) =>
  `${reason} ${param}`.trim();

/** The errors that the contract shows as examples. A test of the site follows their `docUrl`. */
const shown = readdirSync(examples)
  .filter((name) => name.startsWith('error-response--'))
  .map((name) => ({ name, error: JSON.parse(readFileSync(join(examples, name), 'utf8')).error }));

/** How to get each code, each reason that a client can bring about, and each example: by reason and parameter at fault. */
const ways: Partial<Record<ErrorCode, Record<string, () => Promise<Reply>>>> = {
  INVALID_API_KEY: {
    '': async () => send({ key: 'presenza_live_none', body: {} }),
    token: async () => send({ path: `${(await session()).path}/start`, key: 'none', body: {} }),
  },
  INVALID_IMAGE: {
    'format image': async () =>
      send({ key: (await caller()).key, body: { image: 'data:image/bmp;base64,Qk0=' } }),
    'dataUri image': async () => send({ key: (await caller()).key, body: { image: 'photo.jpg' } }),
    'base64 image': async () =>
      send({ key: (await caller()).key, body: { image: 'data:image/jpeg;base64,%%%' } }),
    'empty image': async () =>
      send({ key: (await caller()).key, body: { image: 'data:image/jpeg;base64,' } }),
    'corrupt image': async () => {
      const bytes = Buffer.from(nobody.slice(nobody.indexOf(',')), 'base64');
      bytes.fill(0xa5, bytes.indexOf('IDAT') + 6, bytes.indexOf('IEND') - 8);
      return send({ key: (await caller()).key, body: { image: asUri(bytes, 'png') } });
    },
    'truncated image': async () =>
      send({ key: (await caller()).key, body: { image: people.slice(0, people.indexOf(',') + 20_001) } }),
    'dimensions image': async () => {
      const create = { width: 9_000, height: 9_000, channels: 3, background: '#000' } as const;
      const image = asUri(await sharp({ create }).png().toBuffer(), 'png');
      return send({ key: (await caller()).key, body: { image } });
    },
    'animation image': async () => {
      const create = { width: 2_000, height: 2_000, channels: 3, background: '#000' } as const;
      const still = await sharp({ create }).gif({ effort: 1 }).toBuffer();
      // The frame follows the size of the canvas and a table of colors.
      const start = 13 + 3 * (2 << ((still[10] as number) & 7));
      const frames = Array<Buffer>(65).fill(still.subarray(start, -1));
      const image = asUri(Buffer.concat([still.subarray(0, start), ...frames]), 'gif');
      return send({ path: '/moderate', key: (await caller()).key, body: { image } });
    },
    'side image': async () => {
      const create = { width: 65_536, height: 1, channels: 3, background: '#000' } as const;
      const image = asUri(await sharp({ create }).png().toBuffer(), 'png');
      return send({ key: (await caller()).key, body: { image } });
    },
  },
  IMAGE_TOO_LARGE: {
    'field image': async () => {
      const image = asUri(Buffer.alloc(limits.image.maxBytes + 1, 0xff), 'jpeg');
      return send({ key: (await caller()).key, body: { image } });
    },
    body: async () => {
      const image = asUri(Buffer.alloc(3 * limits.image.maxBytes, 0xff), 'jpeg');
      return send({ key: (await caller()).key, body: { image } });
    },
  },
  NO_FACE_DETECTED: {
    'source sourceImage': async () =>
      send({
        key: (await caller()).key,
        path: '/compare',
        body: { sourceImage: nobody, targetImage: people },
      }),
    'target targetImage': async () =>
      send({
        key: (await caller()).key,
        path: '/compare',
        body: { sourceImage: people, targetImage: nobody },
      }),
    'reference imageToCompare': async () =>
      send({ key: (await caller()).key, path: '/liveness', body: { imageToCompare: nobody } }),
  },
  RATE_LIMIT_EXCEEDED: {
    burst: async () => {
      const { key } = await caller('basic', { overrides: { burst: { limit: 1, windowSeconds: 60 } } });
      await send({ key, body: {} });
      return send({ key, body: {} });
    },
    concurrency: async () => {
      const { key } = await caller('basic', { overrides: { concurrency: 1 } });
      const url = await serve();
      const both = await Promise.all([1, 2].map(() => send({ url, key, body: { image: people } })));
      return both.find(({ status }) => status !== 200) as Reply;
    },
    authentication: async () => {
      const keys = new Authenticator(
        new KeyCache({ identify: (hash) => services.keys.identify(hash), feed }),
        new FailedAttempts(new RedisAttemptStore(redis), keySecret),
        keySecret,
      );
      const url = await serve({ keys });
      for (let i = 0; i < limits.failedAuthentication.limit; i++) await send({ url, key: 'wrong', body: {} });
      return send({ url, key: 'wrong', body: {} });
    },
    livenessAttempts: async () => {
      const config = { LIVENESS_FAILURES: 1 };
      const { liveness } = realLiveness(redis, inference, { config });
      const phone = await startedPhone(await serve({ liveness }));
      await phone.complete((await phone.begin()).body.data.attemptId);
      return phone.begin();
    },
  },
  INVALID_PARAMETERS: {
    json: async () => send({ key: (await caller()).key, body: '{' }),
    body: async () => send({ key: (await caller()).key, body: '[]' }),
    depth: async () =>
      send({ key: (await caller()).key, body: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` }),
    'repeated image': async () => send({ key: (await caller()).key, body: '{"image":"x","image":"y"}' }),
    'number image': async () => send({ key: (await caller()).key, body: '{"image":1e309}' }),
    'query limit': async () =>
      send({ key: (await caller()).key, path: '/detect?limit=5', body: { image: nobody } }),
    'missing image': async () => send({ key: (await caller()).key, body: {} }),
    'unknown extra': async () => send({ key: (await caller()).key, body: { image: nobody, extra: 1 } }),
    'type image': async () => send({ key: (await caller()).key, body: { image: 5 } }),
    'value attributes': async () =>
      send({ key: (await caller()).key, body: { image: nobody, attributes: ['height'] } }),
    'size metadata': async () => {
      const metadata = { text: 'x'.repeat(limits.metadata.maxBytes) };
      return send({ key: (await caller()).key, path: '/liveness', body: { metadata } });
    },
    'testOnly testOutcome': async () =>
      send({ key: (await caller()).key, path: '/liveness', body: { testOutcome: 'live' } }),
    'duplicate operations.1.id': async () => {
      const entry = { id: 'a', operation: 'detect', body: {} };
      return send({ key: (await caller()).key, path: '/batch', body: { operations: [entry, entry] } });
    },
    'value similarityThreshold': async () => {
      const body = { sourceImage: people, targetImage: people, similarityThreshold: 2 };
      return send({ key: (await caller()).key, path: '/compare', body });
    },
    'value cursor': async () =>
      send({ method: 'GET', path: '/liveness?cursor=x', key: (await caller()).key }),
    'header Idempotency-Key': async () =>
      send({
        key: (await caller()).key,
        body: { image: nobody },
        headers: { 'idempotency-key': 'x'.repeat(300) },
      }),
    'header Authorization': async () => {
      const headers = ['Host', 'test', 'Authorization', 'Bearer one', 'Authorization', 'Bearer two'];
      return replyTo(createRequest(`${await serve()}/usage`, { headers }).end());
    },
    'header Presenza-Version': async () =>
      send({
        method: 'GET',
        path: '/usage',
        key: (await caller()).key,
        headers: { [brand.versionHeader]: '2020-01-01' },
      }),
  },
  INTERNAL_ERROR: {
    '': async () => {
      const broken = createServer((_req, res) => res.writeHead(200).end('no reply of ours')).listen(
        0,
        '127.0.0.1',
      );
      open.push(broken);
      await once(broken, 'listening');
      const client = new HttpInferenceClient(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`);
      const url = await serve(realServices(redis, client));
      return send({ url, key: (await caller()).key, body: { image: nobody } }).finally(() => client.close());
    },
  },
  QUOTA_EXCEEDED: {
    imageAnalysis: async () => {
      const { account } = await caller('free');
      const { apiKey: key } = await services.keys.createKey(account.id, 'test');
      const url = await serve({ now: () => Date.parse('2026-01-15') });
      const body = { image: asUri(testImageBytes('face'), 'png') };
      const quota = plans[0]!.quota.productGroups.imageAnalysis;
      const operations = Array.from({ length: quota }, () => ({ operation: 'detect', body }));
      await send({ url, key, path: '/batch', body: { operations } });
      return send({ url, key, body });
    },
    livenessDetection: async () => {
      const { key } = await caller('free', { overrides: { quota: { livenessDetection: 0 } } });
      return send({ key, path: '/liveness', body: {} });
    },
  },
  PERMISSION_DENIED: {
    product: async () =>
      send({
        key: (await caller('basic', {}, { products: ['faceDetection'] })).key,
        path: '/moderate',
        body: { image: nobody },
      }),
    address: async () =>
      send({ key: (await caller('basic', {}, { cidrs: ['192.0.2.0/24'] })).key, body: { image: nobody } }),
    account: async () =>
      send({ key: (await caller('basic', { suspended: true })).key, body: { image: nobody } }),
    management: async () => {
      const { key } = await caller('basic', {}, { products: ['imageModeration'] });
      return send({ method: 'GET', path: '/keys', key });
    },
    wider: async () => {
      const { key } = await caller('basic', {}, { cidrs: ['127.0.0.1', '::1'] });
      return send({ path: '/keys', key, body: { cidrs: ['0.0.0.0/0'] } });
    },
    device: async () => {
      const body = { policy: { devices: ['phone'] } };
      const { sessionId, accessToken: key } = (
        await send({ path: '/liveness', key: (await caller()).key, body })
      ).body.data;
      await send({ path: `/liveness/${sessionId}/start`, key, body: {} });
      const attempt = { consent: true, device: { id: 'd'.repeat(16), type: 'desktop' } };
      return send({ path: `/liveness/${sessionId}/attempts`, key, body: attempt });
    },
    origin: async () => {
      const { sessionId, accessToken: key } = (
        await send({ path: '/liveness', key: (await caller()).key, body: {} })
      ).body.data;
      const headers = { origin: 'https://stranger.example' };
      return send({ path: `/liveness/${sessionId}/start`, key, headers, body: {} });
    },
    plan: async () => {
      const body = { url: 'https://shop.example/', type: 'sync' };
      return send({ path: '/webhooks', key: (await caller()).key, body });
    },
  },
  NOT_FOUND: {
    operation: async () => send({ path: '/faces', body: {} }),
    session: async () =>
      send({ method: 'GET', path: `/liveness/ses_${'0'.repeat(24)}`, key: (await caller()).key }),
    event: async () => send({ method: 'GET', path: '/events/evt_none', key: (await caller()).key }),
    webhook: async () => send({ method: 'DELETE', path: '/webhooks/none', key: (await caller()).key }),
    key: async () => send({ method: 'DELETE', path: '/keys/none', key: (await caller()).key }),
  },
  SESSION_STATE_CONFLICT: {
    frame: async () => {
      const phone = await startedPhone(await serve());
      const { attemptId } = (await phone.begin()).body.data;
      const background = '#888';
      const frame = sharp({ create: { width: 640, height: 480, channels: 3, background } }).jpeg();
      return phone.frame(attemptId, 'x'.repeat(22), await frame.toBuffer());
    },
    checking: async () => (await testedPhone('checking')).cancel(),
    final: async () => (await testedPhone('completed')).start(),
  },
  SESSION_EXPIRED: {
    '': async () => {
      const config = { LIVENESS_SESSION_SECONDS: -1 };
      const url = await serve({ liveness: realLiveness(redis, inference, { config }).liveness });
      const { path, token } = await session(url);
      return send({ url, path: `${path}/start`, key: token, body: {} });
    },
  },
  METHOD_NOT_ALLOWED: { '': async () => send({ method: 'PUT', body: {} }) },
  UNSUPPORTED_MEDIA_TYPE: {
    'contentType Content-Type': async () =>
      send({ key: (await caller()).key, body: 'image', headers: { 'content-type': 'text/plain' } }),
    'contentEncoding Content-Encoding': async () =>
      send({ key: (await caller()).key, body: '{}', headers: { 'content-encoding': 'gzip' } }),
  },
  PAYLOAD_TOO_LARGE: {
    '': async () => send({ key: (await caller()).key, path: '/keys', body: `"${'x'.repeat(64 * 1024)}"` }),
  },
  HEADERS_TOO_LARGE: {
    bytes: async () => send({ body: {}, headers: { 'x-padding': 'x'.repeat(limits.http.maxHeaderBytes) } }),
    count: async () => {
      const padding = Array.from({ length: limits.http.maxHeaders }, (_, i) => [`x-${i}`, '']);
      return send({ body: {}, headers: Object.fromEntries(padding) });
    },
  },
  REQUEST_TIMEOUT: {
    '': async () => {
      const url = await serve();
      (open.at(-1) as Server).requestTimeout = 500;
      const { key } = await caller();
      const request = createRequest(`${url}/detect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      request.write('{');
      return replyTo(request);
    },
  },
  IDEMPOTENCY_CONFLICT: {
    'mismatch Idempotency-Key': async () => {
      const { key } = await caller();
      const headers = { 'idempotency-key': 'k' };
      await send({ key, body: { image: nobody }, headers });
      return send({ key, body: { image: people }, headers });
    },
    'inProgress Idempotency-Key': async () => {
      const { key } = await caller();
      const [url, headers] = [await serve(), { 'idempotency-key': 'k' }];
      const both = await Promise.all([1, 2].map(() => send({ url, key, body: { image: people }, headers })));
      return both.find(({ status }) => status !== 200) as Reply;
    },
  },
  SERVICE_UNAVAILABLE: {
    starting: async () => {
      const url = await serve({ unready: async () => ['starting'] });
      return send({ url, method: 'GET', path: '/health' });
    },
    overload: async () => {
      const url = await serve({ admission: new Admission({ maxRequests: 0, maxBodyBytes: 2 ** 28 }) });
      return send({ url, key: (await caller()).key, body: { image: nobody } });
    },
    inference: async () => {
      // A port of our own, since another test's server could take a free one in the meantime.
      const deaf = createServer().on('connection', (socket) => socket.destroy());
      open.push(deaf.listen(0, '127.0.0.1'));
      await once(deaf, 'listening');
      const { port } = deaf.address() as AddressInfo;
      const nowhere = new HttpInferenceClient(`http://127.0.0.1:${port}`);
      const url = await serve(realServices(redis, nowhere));
      return send({ url, key: (await caller()).key, body: { image: nobody } }).finally(() => nowhere.close());
    },
    store: async () => {
      const { key } = await caller();
      const gone = await connectRedis({ url: store.url, cluster: false }, () => {});
      gone.disconnect();
      return send({ url: await serve(realServices(gone, inference)), key, body: { image: nobody } });
    },
  },
  DEADLINE_EXCEEDED: {
    '': async () =>
      send({ url: await serve({ deadlineMs: 1 }), key: (await caller()).key, body: { image: people } }),
  },
};

const cases = Object.entries(ways).flatMap(([code, labels]) =>
  Object.entries(labels).map(([label, provoke]) => ({ code: code as ErrorCode, label, provoke })),
);

test.each(cases)('$code $label', async ({ code, label, provoke }) => {
  const { status, headers, body } = await provoke();
  const { error, requestId } = body;
  expect({ status, code: error.code, label: labelOf(error) }).toEqual({
    status: errors[code].status,
    code,
    label,
  });
  expect(schemas.validate('error-response.json', body)).toBe(true);
  const ofCode = shown.filter((response) => response.error.code === code);
  expect(error.docUrl).toBe(ofCode[0]?.error.docUrl);
  for (const example of ofCode) {
    if (labelOf(example.error) === label) expect(error).toEqual(example.error);
  }
  const { message, reasons = {} } = errors[code] as { message: string; reasons?: Record<string, string> };
  const text = reasons[error.reason] ?? message;
  const pattern = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  expect(error.message).toMatch(new RegExp(`^${pattern}$`));
  expect(headers.get('x-request-id')).toBe(requestId);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
});

test('no code is left out', () => {
  expect(Object.keys(ways).sort()).toEqual(Object.keys(errors).sort());
});

test.each(shown)('$name is compared with a received error', ({ error }) => {
  expect(Object.keys(ways[error.code as ErrorCode] ?? {})).toContain(labelOf(error));
});
