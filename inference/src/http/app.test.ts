import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import limits from '@presenza/contract/limits.json';
import pino from 'pino';
import sharp from 'sharp';
import { waitUntil } from '../../../gateway/harness/index.mjs';
import { keepOpen } from '../../../gateway/harness/keep-open.mjs';
import { manyScansJpeg } from '../../test/corpus/bombs';
import { ManualDispatcher } from '../../test/manual-dispatcher';
import { facesIn, photo } from '../../test/photos';
import { startServing } from '../../test/setup';
import { area } from '../pipeline/image/boxes';
import type { Done } from '../pool/pool';
import { systemClock } from '../scheduling/clock';
import { Scheduler } from '../scheduling/scheduler';
import type { CompareReply, DetectReply, FaultReply, ModerateReply, PrototypeReply } from '../wire';
import { type AppServices, createApp } from './app';
import { BytesInFlight } from './bytes-in-flight';
import { createMetrics } from './metrics';

let serving: Awaited<ReturnType<typeof startServing>>;
let server: Server;
let url: string;
let accepting = true;
const log: string[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => log.push(line) });

async function serve(services: Partial<AppServices> = {}): Promise<Server> {
  const app = createApp({ ...serving, logger, accepting: () => accepting, ...services });
  const started = createServer(keepOpen, app);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return started;
}

const urlOf = (started: Server) => `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
const close = (started: Server) => new Promise((resolve) => started.close(resolve));

beforeAll(async () => {
  serving = await startServing();
  server = await serve();
  url = urlOf(server);
});
afterAll(async () => {
  await close(server);
  await serving.scheduler.drain();
  await serving.pool.close();
});

const bytes = { 'content-type': 'application/octet-stream' };

const post = (body: Uint8Array | undefined, base = url, headers: Record<string, string> = {}) =>
  fetch(`${base}/detect`, {
    method: 'POST',
    headers: { ...bytes, connection: 'close', ...headers },
    ...(body ? { body: Uint8Array.from(body) } : {}),
  });

/** A server whose workers respond when the test lets them. */
async function serveByHand(maxQueue = 8, clock = systemClock) {
  const dispatcher = new ManualDispatcher();
  const metrics = createMetrics();
  const scheduler = new Scheduler<Done>({
    dispatcher,
    maxQueue,
    observer: metrics.schedulerObserver,
    clock,
  });
  const started = await serve({ scheduler, metrics });
  return { dispatcher, scheduler, metrics, started, base: urlOf(started) };
}

const until = (holds: () => boolean) => waitUntil('the tier has the expected work', holds, { intervalMs: 1 });

const noFaces = { ok: true, value: { faces: [] } };

test('finds the faces of a photograph, the largest first, in proportions of the image', async () => {
  // The detector's boxes decide about the order. The two largest faces of photograph 4 have almost equal ones.
  const response = await post(photo(6));
  expect(response.status).toBe(200);
  const { faces, timings } = (await response.json()) as DetectReply;
  expect(faces).toHaveLength(facesIn[6] as number);
  const areas = faces.map(({ boundingBox }) => area(boundingBox));
  expect(areas[0]).toBe(Math.max(...areas));
  for (const { confidence, boundingBox } of faces) {
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
    expect(boundingBox.left + boundingBox.width).toBeLessThanOrEqual(1);
    expect(boundingBox.top + boundingBox.height).toBeLessThanOrEqual(1);
  }
  expect(timings.totalMs).toBeGreaterThan(0);
});

test.each([
  ['no body', undefined, 'format'],
  ['text', Buffer.from('not an image'), 'format'],
  ['a JPEG cut short', photo(4).subarray(0, 9000), 'truncated'],
])('%s is refused with a reason', async (_name, body, reason) => {
  const response = await post(body);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_IMAGE', reason } });
});

test('a body larger than the largest image is refused', async () => {
  const response = await post(new Uint8Array(limits.image.maxBytes + 1));
  expect(response.status).toBe(413);
  expect(((await response.json()) as FaultReply).error.code).toBe('IMAGE_TOO_LARGE');
});

test.each([
  ['x-deadline-ms', '0'],
  ['x-deadline-ms', '600001'],
  ['x-deadline-ms', '1.5'],
  ['x-priority', 'urgent'],
  ['x-part-lengths', '3'],
  ['x-part-lengths', '2,2'],
  ['x-attributes', 'hair'],
  ['x-attributes', 'pose,pose'],
  ['x-attributes', 'pose,all'],
  ['x-attributes', ''],
  ['x-limits', 'photograph'],
])('the header %s: %s is refused', async (name, value) => {
  const response = await post(Buffer.from('abcd'), url, { [name]: value });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: { code: 'INVALID_PARAMETERS', reason: 'header' } });
});

test('a full queue gives 503 with Retry-After', async () => {
  const { dispatcher, started, base } = await serveByHand(0);
  const first = post(photo(4), base);
  await until(() => dispatcher.runs.length === 1);
  const response = await post(photo(4), base);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ error: { code: 'SERVICE_UNAVAILABLE', reason: 'overload' } });
  await dispatcher.run(0).finish(noFaces);
  expect((await first).status).toBe(200);
  await close(started);
});

test('refuses more bytes in flight than allowed with 503, before it reads them', async () => {
  const bytesInFlight = new BytesInFlight(1000);
  bytesInFlight.bytes = 990;
  const started = await serve({ bytesInFlight });
  expect((await post(Buffer.from('twelve bytes'), urlOf(started))).status).toBe(503);
  bytesInFlight.bytes = 0;
  expect((await post(Buffer.from('twelve bytes'), urlOf(started))).status).toBe(422);
  await close(started);
  expect(bytesInFlight.bytes).toBe(0);
});

test('a deadline that passes in the queue gives 504 and takes no worker', async () => {
  let passedMs = 0;
  const clock = { ...systemClock, now: () => passedMs };
  const { dispatcher, scheduler, metrics, started, base } = await serveByHand(8, clock);
  const first = post(photo(4), base);
  await until(() => dispatcher.runs.length === 1);
  const late = post(photo(4), base, { 'x-deadline-ms': '1' });
  await until(() => scheduler.queued.detect === 1);
  passedMs = 2;
  await dispatcher.run(0).finish(noFaces);
  expect((await late).status).toBe(504);
  expect((await first).status).toBe(200);
  expect(dispatcher.runs).toHaveLength(1);
  const text = await metrics.registry.metrics();
  expect(text).toContain('presenza_inference_dropped_total{operation="detect",reason="expired"} 1');
  expect(text).toContain('presenza_inference_requests_total{operation="detect",outcome="expired"} 1');
  await close(started);
});

test('interactive requests go before bulk ones', async () => {
  const { dispatcher, scheduler, started, base } = await serveByHand();
  const bodies = ['first', 'bulk', 'person'].map((text) => Buffer.from(text));
  const pending = [post(bodies[0], base)];
  await until(() => dispatcher.runs.length === 1);
  pending.push(post(bodies[1], base, { 'x-priority': 'batch' }));
  await until(() => scheduler.queued.detect === 1);
  pending.push(post(bodies[2], base, { 'x-priority': 'interactive' }));
  await until(() => scheduler.queued.detect === 2);
  for (let i = 0; i < 3; i++) await dispatcher.run(i).finish(noFaces);
  const items = dispatcher.runs.slice(1).map(({ item }) => item) as { image: Uint8Array }[];
  expect(items.map(({ image }) => Buffer.from(image).toString())).toEqual(['person', 'bulk']);
  for (const response of pending) expect((await response).status).toBe(200);
  await close(started);
});

test('drops the queued image of a disconnected client', async () => {
  const { dispatcher, scheduler, metrics, started, base } = await serveByHand();
  const first = post(photo(4), base);
  await until(() => dispatcher.runs.length === 1);
  const leaver = request(`${base}/detect`, { method: 'POST', headers: bytes });
  leaver.on('error', () => {});
  leaver.end('an image');
  await until(() => scheduler.queued.detect === 1);
  leaver.destroy();
  await until(() => scheduler.queued.detect === 0);
  await dispatcher.run(0).finish(noFaces);
  expect((await first).status).toBe(200);
  expect(dispatcher.runs).toHaveLength(1);
  expect(await metrics.registry.metrics()).toContain('{operation="detect",outcome="abandoned"} 1');
  await close(started);
});

test('a broken worker gives 500 and logs the request id, but nothing of the image', async () => {
  const { dispatcher, started, base } = await serveByHand();
  const pending = post(Buffer.from('secret pixels'), base, { 'x-request-id': 'req_broken' });
  await until(() => dispatcher.runs.length === 1);
  await dispatcher.run(0).fail(new Error('session failed'));
  const response = await pending;
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: { code: 'INTERNAL_ERROR' } });
  expect(log.join('')).toContain('req_broken');
  expect(log.join('')).not.toContain('secret pixels');
  await close(started);
});

test('concurrent requests share batches and get their own results', async () => {
  const numbers = [1, 2, 3, 4, 5, 6, 4, 5];
  const responses = await Promise.all(numbers.map((number) => post(photo(number))));
  const replies = (await Promise.all(responses.map((response) => response.json()))) as DetectReply[];
  expect(replies.map(({ faces }) => faces.length)).toEqual(numbers.map((number) => facesIn[number]));
  // Batched and single results are identical to the last digit.
  expect(replies[6]?.faces).toEqual(replies[3]?.faces);
});

test('returns the attributes that the header names', async () => {
  const facesWith = async (headers: Record<string, string>) => {
    const response = await post(photo(4), url, headers);
    return ((await response.json()) as DetectReply).faces;
  };
  for (const { attributes } of await facesWith({ 'x-attributes': 'gender, pose' })) {
    expect(Object.keys(attributes ?? {})).toEqual(['pose', 'gender']);
  }
  for (const { attributes } of await facesWith({ 'x-attributes': 'all' })) {
    expect(Object.keys(attributes ?? {})).toHaveLength(6);
  }
  for (const face of await facesWith({})) expect(face).not.toHaveProperty('attributes');
});

test('a frame of a capture has lower limits than a photograph, because a person sends hundreds', async () => {
  const tall = await sharp({ create: { width: 1_280, height: 7_040, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  const scans = manyScansJpeg({ width: 1_280, height: 720, scans: 300 });
  for (const [image, reason] of [
    [tall, 'dimensions'],
    [scans, 'scans'],
  ] as const) {
    expect((await post(image)).status).toBe(200);
    const response = await post(image, url, { 'x-limits': 'frame' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_IMAGE', reason } });
  }
  const response = await post(photo(4), url, { 'x-limits': 'frame' });
  expect(((await response.json()) as DetectReply).faces).toHaveLength(facesIn[4] as number);
});

const compare = (source: Buffer, target: Buffer, base = url, headers: Record<string, string> = {}) =>
  fetch(`${base}/compare`, {
    method: 'POST',
    headers: { ...bytes, 'x-part-lengths': `${source.length},${target.length}`, ...headers },
    body: Buffer.concat([source, target]),
  });

test('compares the largest face of a source with every face of a target, without returning embeddings', async () => {
  const response = await compare(photo(4), photo(4));
  expect(response.status).toBe(200);
  const reply = (await response.json()) as CompareReply;
  expect(reply.targets).toHaveLength(facesIn[4] as number);
  expect(reply.targets[0]?.boundingBox).toEqual(reply.source.boundingBox);
  expect(reply.targets[0]?.similarity).toBeGreaterThan(0.99);
  expect(JSON.stringify(reply)).not.toContain('embedding');
});

test('a comparison names the unusable image and requires two images', async () => {
  const response = await compare(photo(4), Buffer.from('not an image'));
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { code: 'INVALID_IMAGE', reason: 'format', part: 'target' },
  });
  const sky = sharp({ create: { width: 99, height: 99, channels: 3, background: '#8cf' } });
  const empty = await sky.png().toBuffer();
  expect(await (await compare(empty, photo(4))).json()).toEqual({
    error: { code: 'NO_FACE_DETECTED', reason: 'source', part: 'source' },
  });
  expect(await (await compare(photo(4), empty)).json()).toEqual({
    error: { code: 'NO_FACE_DETECTED', reason: 'target', part: 'target' },
  });
  const single = await fetch(`${url}/compare`, { method: 'POST', headers: bytes, body: photo(4) });
  expect(single.status).toBe(400);
});

describe('POST /moderate', () => {
  const send = (path: string, parts: readonly Uint8Array[]) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...bytes, 'x-part-lengths': parts.map(({ length }) => length).join() },
      body: Buffer.concat(parts),
    });
  const moderate = async (query = '', ...prototypes: Uint8Array[]) => {
    const response = await send(`/moderate${query}`, [photo(4), ...prototypes]);
    expect(response.status).toBe(200);
    return (await response.json()) as ModerateReply;
  };

  test('returns categories, most confident first, and raw probabilities', async () => {
    const { elements, probabilities, custom } = await moderate();
    expect(elements.map(({ type }) => type).sort()).toEqual(['Explicit', 'Suggestive', 'Violence']);
    const confidences = elements.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
    expect(Object.keys(probabilities ?? {})).toEqual(['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy']);
    expect(custom).toEqual([]);
  });

  test('looks only for the requested categories, with the same results', async () => {
    const all = await moderate();
    const elementOf = (reply: ModerateReply, type: string) =>
      reply.elements.find((element) => element.type === type);
    const violence = await moderate('?categories=Violence');
    expect(violence.elements).toEqual([elementOf(all, 'Violence')]);
    expect(violence.probabilities).toBeUndefined();
    const suggestive = await moderate('?categories=Suggestive');
    expect(suggestive.elements).toEqual([elementOf(all, 'Suggestive')]);
    expect((await moderate('?categories=')).elements).toEqual([]);
  });

  test('makes a prototype from examples and moderates with it', async () => {
    const examples = await Promise.all(
      [0, 20, 40, 60, 80].map((cut) =>
        sharp(photo(4))
          .resize(800, 600, { fit: 'fill' })
          .extract({ left: cut, top: cut / 2, width: 800 - cut, height: 600 - cut })
          .jpeg()
          .toBuffer(),
      ),
    );
    const made = await send('/prototype', examples);
    expect(made.status).toBe(200);
    const { prototype, outliers } = (await made.json()) as PrototypeReply;
    expect(outliers).toEqual([]);
    const bytes = Buffer.from(prototype, 'base64');
    const { custom, elements } = await moderate('?categories=', bytes);
    expect(elements).toEqual([]);
    expect(custom[0]).toBeGreaterThan(0.5);
  });

  test.each([
    ['an unknown category', '/moderate?categories=Gore', [photo(4)], 'query'],
    ['a prototype of nothing', '/moderate', [photo(4), Buffer.alloc(7)], 'prototypes'],
    ['too few examples', '/prototype', Array(4).fill(photo(4)), 'header'],
  ])('%s is refused', async (_name, path, parts, reason) => {
    const response = await send(path, parts);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code: 'INVALID_PARAMETERS', reason } });
  });

  test('an image that cannot be decoded is refused once', async () => {
    const response = await send('/moderate', [Buffer.from('not an image')]);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_IMAGE', reason: 'format' } });
  });
});

test('health, readiness and metrics', async () => {
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: 'ready',
    backend: 'onnx',
    device: 'cpu',
    precision: 'float32',
    embedding: 'sface',
    workers: 1,
  });
  accepting = false;
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  accepting = true;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/presenza_inference_requests_total\{operation="detect",outcome="ok"\} \d/);
  // The series exists before the first error, or its increase would not be seen.
  for (const operation of ['detect', 'compare', 'moderate', 'prototype', 'frames'])
    expect(metrics).toContain(
      `presenza_inference_requests_total{operation="${operation}",outcome="error"} 0`,
    );
  expect(metrics).toContain('presenza_inference_workers{device="cpu"} 1');
  expect(metrics).toContain('presenza_inference_model_threads 1');
  expect(metrics).toContain(
    'presenza_inference_info{backend="onnx",device="cpu",precision="float32",embedding="sface"} 1',
  );
  expect(metrics).toContain('presenza_inference_queue_length{operation="detect"} 0');
  expect(metrics).toContain('presenza_inference_queue_oldest_seconds{operation="detect"} 0');
  expect(metrics).toMatch(/presenza_inference_model_items_total\{model="near"\} \d/);
  expect(metrics).toMatch(/presenza_inference_model_runs_total\{model="near"\} \d/);
  for (const stage of ['queue', 'service', 'model', 'total']) {
    expect(metrics).toMatch(
      new RegExp(`presenza_inference_stage_seconds_count\\{operation="detect",stage="${stage}"\\} [1-9]`),
    );
  }
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
});
