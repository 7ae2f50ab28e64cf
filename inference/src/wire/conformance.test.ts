/** The tier's side of the wire: the app gets the recorded requests and must make the recorded responses. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { keepOpen } from '../../../gateway/harness/keep-open.mjs';
import { deadlineMs, type Exchange, exchanges, type Item, requestId } from '../../test/wire/exchanges';
import type { Calibration } from '../catalogue/manifest-parts';
import { type AppServices, createApp } from '../http/app';
import { BytesInFlight } from '../http/bytes-in-flight';
import { createMetrics } from '../http/metrics';
import type { ManifestData } from '../pipeline/operations';
import { wireVersion } from './version';

let server: Server;
let url: string;
/** Items that the workers are expected to get. */
let items: Item[] = [];
let accepting = true;
const logged: { msg: string; reason?: string }[] = [];

const scheduler = {
  async submit(operation: string, input: object, submission: object) {
    const item = items.find((candidate) => candidate.operation === operation && same(candidate.input, input));
    if (!item) throw new Error(`unexpected item of ${operation}: ${JSON.stringify(input)}`);
    items = items.filter((candidate) => candidate !== item);
    expect(submission).toMatchObject({ priority: 'interactive', deadlineMs });
    if (item.result instanceof Error) throw item.result;
    return { result: item.result, timings: { serviceMs: 0, decodeMs: 0, models: {} }, busyMs: 0 };
  },
};
const calibration: Calibration = {
  source: 'none',
  curve: [
    [0, 1],
    [1, 0],
  ],
};
const same = (a: unknown, b: unknown) => JSON.stringify(bytesAsText(a)) === JSON.stringify(bytesAsText(b));
/** Buffer and Uint8Array of the same bytes differ in JSON. */
const bytesAsText = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(bytesAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, bytesAsText(inner)]));
};

beforeAll(async () => {
  const app = createApp({
    pool: { backend: 'onnx', device: 'cpu', precision: 'float32', embedding: 'sface', workers: 1 },
    scheduler: scheduler as unknown as AppServices['scheduler'],
    bytesInFlight: new BytesInFlight(1e6),
    metrics: createMetrics(),
    manifestData: {
      alignments: [],
      calibration,
      background: { version: 7, mean: new Float32Array(2), deviation: new Float32Array(2), spread: 0.1 },
      occlusionProbe: { weights: [], bias: 0 },
      accessoryProbes: {} as ManifestData['accessoryProbes'],
    },
    logger: pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) }),
    accepting: () => accepting,
  });
  server = createServer(keepOpen, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const send = ({ path, headers, body }: Exchange['request'], version?: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-request-id': requestId,
      'x-deadline-ms': String(deadlineMs),
      ...(version && { 'x-wire-version': version }),
      ...headers,
    },
    body,
  });

test.each(exchanges)('$name', async ({ request, response, items: expected }) => {
  items = [...expected];
  const actual = await send(request, wireVersion);
  const { timings, ...body } = (await actual.json()) as { timings?: object };
  const { timings: recorded, ...rest } = response.body as { timings?: object };
  expect(body).toEqual(rest);
  expect(actual.status).toBe(response.status);
  if (recorded)
    expect(timings).toEqual({
      totalMs: expect.any(Number),
      queueMs: expect.any(Number),
      decodeMs: 0,
      modelMs: 0,
    });
  expect(actual.headers.get('retry-after')).toBe(response.retryAfter ? String(response.retryAfter) : null);
  expect(actual.headers.get('content-type')).toContain('application/json');
  expect(actual.headers.get('x-wire-version')).toBe(wireVersion);
  expect(items).toEqual([]);
});

describe('versions', () => {
  const [detect] = exchanges as readonly [Exchange];

  test.each([undefined, '1.0', '1.99'])('a gateway of version %s is served', async (version) => {
    items = [...detect.items];
    expect((await send(detect.request, version)).status).toBe(200);
  });

  test('a gateway of another major version gets 503, and the log says why', async () => {
    const response = await send(detect.request, '2.0');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: { code: 'SERVICE_UNAVAILABLE', reason: 'inference' } });
    expect(response.headers.get('x-wire-version')).toBe(wireVersion);
    expect(logged.at(-1)).toMatchObject({
      msg: 'request refused',
      reason: `The gateway speaks version 2.0 of the wire and this process ${wireVersion}: upgrade one of them to the same major version`,
    });
  });

  test('the tier is ready for gateways of its major version and for probes', async () => {
    const status = async (headers = {}) => (await fetch(`${url}/readyz`, { headers })).status;
    expect(await status()).toBe(200);
    expect(await status({ 'x-wire-version': wireVersion })).toBe(200);
    expect(await status({ 'x-wire-version': '2.0' })).toBe(503);
    accepting = false;
    expect(await status({ 'x-wire-version': wireVersion })).toBe(503);
    accepting = true;
  });
});
