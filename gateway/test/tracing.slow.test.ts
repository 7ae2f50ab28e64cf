/**
 * Traces through both tiers, as a collector of OTLP over HTTP receives them; and calls to Redis as metrics.
 *
 * Slow: it starts both tiers with a trace collector.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import {
  type RunningGateway,
  type RunningServer,
  startGateway,
  startInference,
  startRedis,
} from '../harness/index.mjs';
import { KeyService } from '../src/services/keys/keys';
import { connectRedis } from '../src/stores/redis';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { keepOpen } from './services';

interface SpanJson {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}
interface Received extends SpanJson {
  readonly service: unknown;
}

const photo = readFileSync(
  join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo', 'sample4.jpg'),
);
const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const untraced = 'c'.repeat(32);

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(keepOpen, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A collector that keeps the spans that it receives. */
function collecting(spans: Received[], bodies: string[]): RequestListener {
  return async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    bodies.push(req.url + body);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = attributesOf(resource)['service.name'];
      for (const { spans: sent } of scopeSpans) {
        spans.push(...sent.map((span: SpanJson) => ({ ...span, service })));
      }
    }
    res.setHeader('content-type', 'application/json').end('{}');
  };
}

const attributesOf = ({ attributes }: Pick<SpanJson, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const KEY_SECRET = '5a'.repeat(32);
const spans: Received[] = [];
const bodies: string[] = [];
let collector: Server;
let redisServer: RunningServer;
let gateway: RunningGateway;
let apiKey: string;
let replied: Response;
let metrics: string;

const post = (base: string, body: string, headers: Record<string, string>, query = '') =>
  fetch(`${base}/v1/detect${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body,
  });

async function createKey(): Promise<string> {
  const redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  const keys = new KeyService(new RedisKeyStore(redis), KEY_SECRET);
  const { id } = await keys.createAccount('Tests', 'business');
  const key = await keys.createKey(id, 'test');
  redis.disconnect();
  return key.apiKey;
}

beforeAll(async () => {
  collector = await listen(collecting(spans, bodies));
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector) };
  let inference: RunningServer;
  [redisServer, inference] = await Promise.all([
    startRedis(),
    startInference({ ...traced, OTEL_SERVICE_NAME: 'faces' }),
  ]);
  apiKey = await createKey();
  const behind = { KEY_SECRET, REDIS_URL: redisServer.url, INFERENCE_URL: inference.url };
  gateway = await startGateway({ ...behind, ...traced, OTEL_SERVICE_NAME: 'edge' });
  const image = JSON.stringify({ image: `data:image/jpeg;base64,${photo.toString('base64')}` });
  replied = await post(gateway.url, image, { traceparent: `00-${traceId}-${callerSpan}-01` });
  const malformed = { traceparent: `00-${traceId}-${'0'.repeat(16)}-01` };
  await post(gateway.url, '{}', malformed, '?person=ada');
  await post(gateway.url, image, { traceparent: `00-${untraced}-${callerSpan}-00` });
  metrics = await (await fetch(`${gateway.operationsUrl}/metrics`)).text();
  // A process sends its remaining spans before it exits.
  await gateway.stop();
  await inference.stop();
});
afterAll(async () => {
  await redisServer.stop();
  collector.close();
});

const find = (name: string, service: string) => {
  const matches = spans.filter(
    (span) => span.name === name && span.service === service && span.traceId === traceId,
  );
  expect(matches).toHaveLength(1);
  return matches[0] as Received;
};

test('a request is one trace through both tiers, below the caller’s span', () => {
  const request = find('POST /detect', 'edge');
  expect(request.parentSpanId).toBe(callerSpan);
  for (const stage of ['auth', 'read', 'infer']) {
    expect(find(stage, 'edge').parentSpanId).toBe(request.spanId);
  }
  const work = find('POST /detect', 'faces');
  expect(work.parentSpanId).toBe(find('infer', 'edge').spanId);
  expect(find('queue', 'faces').parentSpanId).toBe(work.spanId);
  const inWorker = find('work', 'faces');
  expect(inWorker.parentSpanId).toBe(work.spanId);
  for (const part of ['decode', 'models']) expect(find(part, 'faces').parentSpanId).toBe(inWorker.spanId);
});

test('spans of one tier lie inside their parents, and the tier starts after the gateway', () => {
  const ms = (nanos: string) => Number(BigInt(nanos) / 1000n) / 1000;
  const startsWithin = (inner: Received, outer: Received, skewMs: number) =>
    expect(ms(inner.startTimeUnixNano)).toBeGreaterThanOrEqual(ms(outer.startTimeUnixNano) - skewMs);
  const inside = (inner: Received, outer: Received, skewMs = 0) => {
    startsWithin(inner, outer, skewMs);
    expect(ms(inner.endTimeUnixNano)).toBeLessThanOrEqual(ms(outer.endTimeUnixNano) + skewMs);
  };
  // Spans of the gateway start at whole milliseconds.
  inside(find('infer', 'edge'), find('POST /detect', 'edge'), 2);
  // The ends of spans in two processes have no order: the gateway's span ends when the response arrives, and the tier's
  // when its process notices that the response is sent.
  startsWithin(find('POST /detect', 'faces'), find('infer', 'edge'), 5);
  inside(find('work', 'faces'), find('POST /detect', 'faces'));
  inside(find('decode', 'faces'), find('work', 'faces'));
});

test('attributes describe the work', () => {
  expect(attributesOf(find('POST /detect', 'edge'))).toEqual({
    'http.request.method': 'POST',
    'http.route': '/detect',
    'http.response.status_code': 200,
    'presenza.plan': 'business',
  });
  expect(attributesOf(find('work', 'faces'))).toMatchObject({
    'presenza.operation': 'detect',
    'presenza.model.near_ms': expect.any(Number),
  });
});

test('a malformed traceparent begins a trace of the gateway’s own', () => {
  const refused = spans.filter((span) => attributesOf(span)['error.type'] === 'INVALID_PARAMETERS');
  expect(refused).toHaveLength(1);
  expect(refused[0]?.traceId).not.toBe(traceId);
  expect(refused[0]?.parentSpanId ?? '').toBe('');
});

test('a request that its caller does not sample is not traced, but its trace id is logged', () => {
  expect(spans.filter((span) => span.traceId === untraced)).toEqual([]);
  const requests = gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const anyTraceId = expect.stringMatching(/^[\da-f]{32}$/);
  expect(requests.map((line) => line.traceId)).toEqual([traceId, anyTraceId, untraced]);
});

test('exported spans do not identify the caller', () => {
  expect(bodies.length).toBeGreaterThan(1);
  expect(bodies.every((body) => body.startsWith('/v1/traces'))).toBe(true);
  const sent = bodies.join();
  for (const secret of [
    apiKey,
    apiKey.slice(-12),
    'acc_',
    'key_',
    'person=',
    'base64',
    '/9j/',
    '127.0.0.1',
  ]) {
    expect(sent).not.toContain(secret);
  }
});

test('Server-Timing holds the tier’s own stages', () => {
  const header = replied.headers.get('server-timing') ?? '';
  const stages = header.split(', ').map((stage) => stage.split(';')[0]);
  expect(stages).toEqual(['auth', 'read', 'meter', 'queue', 'decode', 'model', 'infer', 'total']);
  const ms = Object.fromEntries(header.split(', ').map((stage) => stage.split(';dur='))) as Record<
    string,
    number
  >;
  expect(Number(ms.model)).toBeGreaterThan(1);
  const tier = Number(ms.queue) + Number(ms.decode) + Number(ms.model);
  expect(tier).toBeLessThanOrEqual(Number(ms.infer));
  expect(Number(ms.infer)).toBeLessThanOrEqual(Number(ms.total));
});

test('calls of Redis and of the tier are measured', () => {
  const count = (labels: string) =>
    Number(metrics.split(`presenza_gateway_dependency_seconds_count{${labels}} `)[1]?.split('\n')[0]);
  expect(count('dependency="redis",operation="get",outcome="ok"')).toBeGreaterThanOrEqual(2);
  expect(count('dependency="inference",operation="detect",outcome="ok"')).toBe(2);
});

test('an unavailable collector is reported once and delays neither requests nor the shutdown', async () => {
  const dead = await listen(() => {});
  const endpoint = urlOf(dead);
  dead.close();
  await once(dead, 'close');
  const lonely = await startGateway({
    KEY_SECRET,
    REDIS_URL: redisServer.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  for (let i = 0; i < 600; i++) await fetch(`${lonely.url}/nothing`);
  const begin = performance.now();
  await lonely.stop();
  expect(performance.now() - begin).toBeLessThan(10_000);
  const warnings = lonely.log.filter((line) => line.includes('traces could not be sent'));
  expect(warnings).toHaveLength(1);
});
