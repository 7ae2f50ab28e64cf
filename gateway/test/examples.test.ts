/**
 * The examples of the API description against the real gateway, with a real Redis and the real inference tier: each request
 * that an API key or a session's token can send works, and its response is like the example beside it. Errors are in
 * catalogue.test.ts; frames of a camera and the end of an attempt are in liveness/verification.test.ts.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningServer, startInference, startRedis } from '../../deploy/local/harness/index.mjs';
import { createApp } from '../src/http/app';
import { readContract } from '../src/services/contract/contract';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { schemas } from './contract';
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

/** Sends a request, and checks the response against the schema of an example and against the example itself. */
async function expectLike(name: string, call: string, key: string, body?: Doc): Promise<void> {
  const [method, path] = call.split(' ') as [string, string];
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const received: Doc = await response.json();
  expect([response.status, received.error]).toEqual([200, undefined]);
  expect(schemas.validate(`${name.split('--')[0]}.json`, received)).toBe(true);
  expect(formOf(received)).toEqual(formOf(example(name)));
}

/** All but texts, which are ids, times and secrets of their own. */
function formOf(value: Doc): Doc {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}

// The images of these requests are test images, whose results do not depend on a model.
test.each([
  ['POST /detect', 'detect-request', 'detect-response'],
  ['POST /detect', 'detect-request--attributes', 'detect-response--attributes'],
  ['POST /compare', 'compare-request', 'compare-response'],
  ['POST /moderate', 'moderate-request', 'moderate-response'],
  ['POST /batch', 'batch-request', 'batch-response'],
])('%s with %s and a test key returns %s', (call, request, response) =>
  expectLike(response, call, trial, example(request)),
);

test.each([
  ['POST /liveness', 'liveness-request', 'liveness-response'],
  ['POST /liveness', 'liveness-request--match', 'liveness-response'],
  ['POST /webhooks', 'webhook-create-request', 'webhook-create-response'],
  ['POST /keys', 'key-create-request', 'key-create-response'],
])('%s with %s returns %s', (call, request, response) => expectLike(response, call, live, example(request)));

test('GET /health returns health-response', () => expectLike('health-response', 'GET /health', live));
