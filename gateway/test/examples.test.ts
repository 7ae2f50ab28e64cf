/**
 * The examples of the API description against the real gateway, with a real Redis and the real inference tier: each request
 * that an API key or a session's token can send works, and its response is like the example beside it. Errors are in
 * catalogue.test.ts; frames of a camera and the end of an attempt are in liveness/verification.test.ts.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { type RunningServer, startInference, startRedis } from '../../deploy/local/harness/index.mjs';
import { createApp } from '../src/http/app';
import { readContract } from '../src/services/contract/contract';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { schemas, testImageBytes } from './contract';
import { realServices } from './services';

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared with examples
type Doc = any;

const example = (name: string): Doc => readContract(`examples/${name}.json`);

let processes: RunningServer[];
let redis: RedisClient;
let inference: HttpInferenceClient;
let server: Server;
let live: string;
let trial: string;

beforeAll(async () => {
  processes = await Promise.all([startRedis(), startInference()]);
  const [redisServer, inferenceServer] = processes as [RunningServer, RunningServer];
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  inference = new HttpInferenceClient(inferenceServer.url);
  const services = realServices(redis, inference);
  server = createServer(createApp(services));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const account = await services.keys.createAccount('Examples', 'growth');
  const keyOf = async (mode: 'live' | 'test') => (await services.keys.createKey(account.id, mode)).apiKey;
  [live, trial] = [await keyOf('live'), await keyOf('test')];
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  inference.close();
  redis.disconnect();
  await Promise.all(processes.map((one) => one.stop()));
});

interface Call {
  /** An API key or a session's token. */
  readonly token: string;
  readonly body?: Doc;
  /** In place of JSON. */
  readonly frame?: Buffer;
  readonly nonce?: string;
}

/** Sends a request. The response has the schema of the named example. @returns the response and the example */
async function send(name: string, line: string, { token, body, frame, nonce }: Call): Promise<[Doc, Doc]> {
  const [method, path] = line.split(' ') as [string, string];
  const { port } = server.address() as AddressInfo;
  const content = frame ?? (body && JSON.stringify(body));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(content && { 'content-type': frame ? 'image/jpeg' : 'application/json' }),
      ...(nonce && { 'x-frame-nonce': nonce }),
    },
    ...(content && { body: content }),
  });
  const received: Doc = await response.json();
  expect([response.status, received.error]).toEqual([200, undefined]);
  expect(schemas.validate(`${name.split('--')[0]}.json`, received)).toBe(true);
  return [received, example(name)];
}

/** All but texts, which are ids, times and secrets of their own. */
function formOf(value: Doc): Doc {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}

/** Paths of all fields. The entries of a list count as one. */
function fieldsOf(value: Doc, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([key, one]) =>
    fieldsOf(one, isList ? path : `${path}.${key}`),
  );
  return [...new Set(inner)];
}

async function expectLike(name: string, line: string, call: Call): Promise<void> {
  const [received, shown] = await send(name, line, call);
  expect(formOf(received)).toEqual(formOf(shown));
}

/** The example shows each field that was received, and perhaps others. */
async function expectShown(name: string, line: string, call: Call): Promise<Doc> {
  const [received, shown] = await send(name, line, call);
  expect(fieldsOf(shown)).toEqual(expect.arrayContaining(fieldsOf(received)));
  return received.data;
}

// The images of these requests are test images, whose results do not depend on a model.
test.each([
  ['POST /detect', 'detect-request', 'detect-response'],
  ['POST /detect', 'detect-request--attributes', 'detect-response--attributes'],
  ['POST /compare', 'compare-request', 'compare-response'],
  ['POST /moderate', 'moderate-request', 'moderate-response'],
  ['POST /batch', 'batch-request', 'batch-response'],
])('%s with %s and a test key returns %s', (call, request, response) =>
  expectLike(response, call, { token: trial, body: example(request) }),
);

test('the other results of an analysis have their examples as well', async () => {
  const imageOf = (name: string) => `data:image/png;base64,${testImageBytes(name).toString('base64')}`;
  const [face, other, none] = ['face', 'other-face', 'no-face'].map(imageOf);
  const results: [string, string, object][] = [
    ['detect-response--no-face', 'POST /detect', { image: none }],
    ['compare-response--no-match', 'POST /compare', { sourceImage: face, targetImage: other }],
    ['moderate-response--clean', 'POST /moderate', { image: none }],
  ];
  for (const [name, line, body] of results) await expectLike(name, line, { token: trial, body });
});

test('the calls about a session return what their examples show', async () => {
  await expectLike('liveness-response', 'POST /liveness', {
    token: live,
    body: example('liveness-request--match'),
  });
  const { sessionId, accessToken: token } = await expectShown('liveness-response', 'POST /liveness', {
    token: live,
    body: example('liveness-request'),
  });
  const session = `/liveness/${sessionId}`;
  const body = example('empty-request');
  await expectShown('liveness-session-response--created', `GET ${session}`, { token: live });
  await expectShown('liveness-start-response', `POST ${session}/start`, { token, body });
  const attempt = await expectShown('liveness-attempt-response', `POST ${session}/attempts`, {
    token,
    body: example('liveness-attempt-request'),
  });
  const [nonce] = attempt.nonces;
  const portrait = Buffer.from(example('liveness-request--match').imageToCompare.split(',')[1], 'base64');
  const frame = await sharp(portrait).resize(640, 480).jpeg().toBuffer();
  const frames = `POST ${session}/attempts/${attempt.attemptId}/frames`;
  await expectShown('liveness-frame-response', frames, { token, frame, nonce });
  await expectShown('liveness-leave-response', `POST ${session}/leave`, { token, body });
  await expectShown('liveness-cancel-response', `POST ${session}/cancel`, { token, body });
  await expectShown('liveness-list-response', 'GET /liveness', { token: live });
  const { items } = await expectShown('event-list-response', 'GET /events', { token: live });
  await expectShown('event-response', `GET /events/${items[0].eventId}`, { token: live });
  await expectLike('liveness-delete-response', `DELETE ${session}`, { token: live });
});

test('the calls about an account return what their examples show', async () => {
  const token = live;
  await expectLike('health-response', 'GET /health', { token });
  await expectShown('usage-response', 'GET /usage', { token });
  const { webhookId } = await expectShown('webhook-create-response', 'POST /webhooks', {
    token,
    body: example('webhook-create-request'),
  });
  await expectShown('webhook-list-response', 'GET /webhooks', { token });
  await expectShown('webhook-delivery-list-response', `GET /webhooks/${webhookId}/deliveries`, { token });
  await expectLike('webhook-delete-response', `DELETE /webhooks/${webhookId}`, { token });
  const { keyId } = await expectShown('key-create-response', 'POST /keys', {
    token,
    body: example('key-create-request'),
  });
  await expectShown('key-list-response', 'GET /keys', { token });
  await expectLike('key-delete-response', `DELETE /keys/${keyId}`, { token });
});
