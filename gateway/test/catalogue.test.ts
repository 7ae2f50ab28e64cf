/** Every code of the error catalogue, provoked over HTTP on real parts, with the catalogue's status and text. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as createRequest, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import {
  freePort,
  type RunningServer,
  startInference,
  startRedis,
} from '../../deploy/local/harness/index.mjs';
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
import { schemas } from './contract';
import { keySecret, realLiveness, realServices } from './services';

const demo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');
const examples = join(dirname(require.resolve('@presenza/contract/brand.json')), 'examples');
const asUri = (bytes: Buffer, type: string) => `data:image/${type};base64,${bytes.toString('base64')}`;

let processes: RunningServer[];
let redis: RedisClient;
let feed: RedisChangeFeed;
let inference: HttpInferenceClient;
let services: ReturnType<typeof realServices>;
let nobody: string;
let people: string;
const open: ReturnType<typeof createServer>[] = [];

beforeAll(async () => {
  processes = await Promise.all([startRedis(), startInference()]);
  const [store, tier] = processes as [RunningServer, RunningServer];
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  feed = RedisChangeFeed.open(redis, () => {});
  inference = new HttpInferenceClient(tier.url);
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
  await Promise.all(processes.map((one) => one.stop()));
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

/** One of an account of its own. */
async function session(url?: string) {
  const { key } = await caller();
  const { body } = await send({ ...(url !== undefined && { url }), path: '/liveness', key, body: {} });
  return { key, path: `/liveness/${body.data.sessionId}`, token: body.data.accessToken };
}

/** The `docUrl` of each code in the contract's examples, which a test of the site follows. */
const documented = new Map<string, string>(
  readdirSync(examples)
    .filter((name) => name.startsWith('error-response--'))
    .map((name) => JSON.parse(readFileSync(join(examples, name), 'utf8')).error)
    .map(({ code, docUrl }) => [code, docUrl]),
);

/** How to get each code, and each reason that a client can bring about. */
const ways: Partial<Record<ErrorCode, Record<string, () => Promise<Reply>>>> = {
  INVALID_API_KEY: {
    '': async () => send({ key: 'presenza_live_none', body: {} }),
    token: async () => send({ path: `${(await session()).path}/start`, key: 'none', body: {} }),
  },
  INVALID_IMAGE: {
    format: async () => send({ key: (await caller()).key, body: { image: 'data:image/gif;base64,R0lG' } }),
    dataUri: async () => send({ key: (await caller()).key, body: { image: 'photo.jpg' } }),
    base64: async () => send({ key: (await caller()).key, body: { image: 'data:image/jpeg;base64,%%%' } }),
    empty: async () => send({ key: (await caller()).key, body: { image: 'data:image/jpeg;base64,' } }),
    corrupt: async () => {
      const bytes = Buffer.from(nobody.slice(nobody.indexOf(',')), 'base64');
      bytes.fill(0xa5, bytes.indexOf('IDAT') + 6, bytes.indexOf('IEND') - 8);
      return send({ key: (await caller()).key, body: { image: asUri(bytes, 'png') } });
    },
    truncated: async () =>
      send({ key: (await caller()).key, body: { image: people.slice(0, people.indexOf(',') + 20_001) } }),
    dimensions: async () => {
      const create = { width: 9_000, height: 9_000, channels: 3, background: '#000' } as const;
      const image = asUri(await sharp({ create }).png().toBuffer(), 'png');
      return send({ key: (await caller()).key, body: { image } });
    },
    side: async () => {
      const create = { width: 65_536, height: 1, channels: 3, background: '#000' } as const;
      const image = asUri(await sharp({ create }).png().toBuffer(), 'png');
      return send({ key: (await caller()).key, body: { image } });
    },
  },
  IMAGE_TOO_LARGE: {
    field: async () => {
      const image = asUri(Buffer.alloc(limits.image.maxBytes + 1, 0xff), 'jpeg');
      return send({ key: (await caller()).key, body: { image } });
    },
  },
  NO_FACE_DETECTED: {
    source: async () =>
      send({
        key: (await caller()).key,
        path: '/compare',
        body: { sourceImage: nobody, targetImage: people },
      }),
    target: async () =>
      send({
        key: (await caller()).key,
        path: '/compare',
        body: { sourceImage: people, targetImage: nobody },
      }),
    reference: async () =>
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
  },
  INVALID_PARAMETERS: {
    json: async () => send({ key: (await caller()).key, body: '{' }),
    body: async () => send({ key: (await caller()).key, body: '[]' }),
    depth: async () =>
      send({ key: (await caller()).key, body: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` }),
    repeated: async () => send({ key: (await caller()).key, body: '{"image":"x","image":"y"}' }),
    number: async () => send({ key: (await caller()).key, body: '{"image":1e309}' }),
    query: async () => send({ key: (await caller()).key, path: '/detect?limit=5', body: { image: nobody } }),
    missing: async () => send({ key: (await caller()).key, body: {} }),
    unknown: async () => send({ key: (await caller()).key, body: { image: nobody, extra: 1 } }),
    type: async () => send({ key: (await caller()).key, body: { image: 5 } }),
    value: async () => send({ key: (await caller()).key, body: { image: nobody, attributes: ['height'] } }),
    size: async () => {
      const metadata = { text: 'x'.repeat(limits.metadata.maxBytes) };
      return send({ key: (await caller()).key, path: '/liveness', body: { metadata } });
    },
    testOnly: async () =>
      send({ key: (await caller()).key, path: '/liveness', body: { testOutcome: 'live' } }),
    duplicate: async () => {
      const entry = { id: 'a', operation: 'detect', body: {} };
      return send({ key: (await caller()).key, path: '/batch', body: { operations: [entry, entry] } });
    },
    header: async () =>
      send({
        key: (await caller()).key,
        body: { image: nobody },
        headers: { 'idempotency-key': 'x'.repeat(300) },
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
      const { key } = await caller('free', { overrides: { quota: { imageAnalysis: 0 } } });
      return send({ key, body: { image: nobody } });
    },
    livenessDetection: async () => {
      const { key } = await caller('free', { overrides: { quota: { livenessDetection: 0 } } });
      return send({ key, path: '/liveness', body: {} });
    },
  },
  PERMISSION_DENIED: {
    product: async () =>
      send({
        key: (await caller('basic', {}, { products: ['imageModeration'] })).key,
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
    final: async () => {
      const { path, token } = await session();
      await send({ path: `${path}/cancel`, key: token, body: {} });
      return send({ path: `${path}/start`, key: token, body: {} });
    },
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
    contentType: async () =>
      send({ key: (await caller()).key, body: 'image', headers: { 'content-type': 'text/plain' } }),
    contentEncoding: async () =>
      send({ key: (await caller()).key, body: '{}', headers: { 'content-encoding': 'gzip' } }),
  },
  PAYLOAD_TOO_LARGE: {
    '': async () => send({ key: (await caller()).key, body: `"${'x'.repeat(20 * 1024 * 1024)}"` }),
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
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const headers = new Headers(response.headers as Record<string, string>);
      return { status: response.statusCode as number, headers, body: await json(response) };
    },
  },
  IDEMPOTENCY_CONFLICT: {
    mismatch: async () => {
      const { key } = await caller();
      const headers = { 'idempotency-key': 'k' };
      await send({ key, body: { image: nobody }, headers });
      return send({ key, body: { image: people }, headers });
    },
    inProgress: async () => {
      const { key } = await caller();
      const [url, headers] = [await serve(), { 'idempotency-key': 'k' }];
      const both = await Promise.all([1, 2].map(() => send({ url, key, body: { image: people }, headers })));
      return both.find(({ status }) => status !== 200) as Reply;
    },
  },
  SERVICE_UNAVAILABLE: {
    overload: async () => {
      const url = await serve({ admission: new Admission({ maxRequests: 0, maxBodyBytes: 2 ** 28 }) });
      return send({ url, key: (await caller()).key, body: { image: nobody } });
    },
    inference: async () => {
      const nowhere = new HttpInferenceClient(`http://127.0.0.1:${await freePort()}`);
      const url = await serve(realServices(redis, nowhere));
      return send({ url, key: (await caller()).key, body: { image: nobody } }).finally(() => nowhere.close());
    },
    store: async () => {
      const { key } = await caller();
      const gone = await connectRedis({ url: (processes[0] as RunningServer).url, cluster: false }, () => {});
      gone.disconnect();
      return send({ url: await serve(realServices(gone, inference)), key, body: { image: nobody } });
    },
  },
  DEADLINE_EXCEEDED: {
    '': async () =>
      send({ url: await serve({ deadlineMs: 1 }), key: (await caller()).key, body: { image: people } }),
  },
};

/** The parameter at fault, where one is known. */
const params: Partial<Record<ErrorCode, Record<string, string>>> = {
  INVALID_IMAGE: Object.fromEntries(Object.keys(errors.INVALID_IMAGE.reasons).map((name) => [name, 'image'])),
  IMAGE_TOO_LARGE: { field: 'image' },
  NO_FACE_DETECTED: { source: 'sourceImage', target: 'targetImage', reference: 'imageToCompare' },
  INVALID_PARAMETERS: {
    ...{ repeated: 'image', number: 'image', query: 'limit', missing: 'image', unknown: 'extra' },
    ...{ type: 'image', value: 'attributes', size: 'metadata', duplicate: 'operations.1.id' },
    ...{ header: 'Idempotency-Key', testOnly: 'testOutcome' },
  },
  UNSUPPORTED_MEDIA_TYPE: { contentType: 'Content-Type', contentEncoding: 'Content-Encoding' },
  IDEMPOTENCY_CONFLICT: { mismatch: 'Idempotency-Key', inProgress: 'Idempotency-Key' },
};

const cases = Object.entries(ways).flatMap(([code, reasons]) =>
  Object.entries(reasons).map(([reason, provoke]) => ({ code: code as ErrorCode, reason, provoke })),
);

test.each(cases)('$code $reason', async ({ code, reason, provoke }) => {
  const { status, headers, body } = await provoke();
  const { error, requestId } = body;
  expect({ status, code: error.code, reason: error.reason ?? '' }).toEqual({
    ...{ status: errors[code].status, code, reason },
  });
  expect(schemas.validate('error-response.json', body)).toBe(true);
  expect(error.param).toBe(params[code]?.[reason]);
  expect(error.docUrl).toBe(documented.get(code));
  const { message, reasons = {} } = errors[code] as { message: string; reasons?: Record<string, string> };
  const words = (reasons[reason] ?? message).replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  expect(error.message).toMatch(new RegExp(`^${words}$`));
  expect(headers.get('x-request-id')).toBe(requestId);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
});

test('no code is left out', () => {
  expect(Object.keys(ways).sort()).toEqual(Object.keys(errors).sort());
});
