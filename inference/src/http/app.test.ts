import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { facesIn, photo } from '../../test/photos';
import { workerSetup } from '../../test/setup';
import { area } from '../pipeline/boxes';
import { OverloadError, WorkerPool } from '../pool/pool';
import { type AppServices, createApp } from './app';
import { createMetrics } from './metrics';
import type { DetectReply } from './protocol';

let pool: WorkerPool;
let server: Server;
let url: string;
let accepting = true;
const log: string[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => log.push(line) });

async function serve(services: Partial<AppServices>): Promise<Server> {
  const app = createApp({
    pool,
    metrics: createMetrics(pool),
    logger,
    accepting: () => accepting,
    ...services,
  });
  const started = createServer(app);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return started;
}

const urlOf = (started: Server) => `http://127.0.0.1:${(started.address() as AddressInfo).port}`;

beforeAll(async () => {
  pool = await WorkerPool.start({ setup: await workerSetup(), workers: 1, maxQueue: 8 });
  server = await serve({});
  url = urlOf(server);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await pool.close();
});

const post = (body: Uint8Array | undefined, base = url) =>
  fetch(`${base}/detect`, { method: 'POST', ...(body ? { body: Uint8Array.from(body) } : {}) });

test('finds the faces of a photograph, largest first, in proportions of the picture', async () => {
  const response = await post(photo(4));
  expect(response.status).toBe(200);
  const { faces, timings } = (await response.json()) as DetectReply;
  expect(faces).toHaveLength(facesIn[4] as number);
  const areas = faces.map(({ boundingBox }) => area(boundingBox));
  expect(areas).toEqual([...areas].sort((a, b) => b - a));
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
  expect(await response.json()).toEqual({ error: { code: 'INVALID_IMAGE', reason, values: {} } });
});

test('a body beyond the largest image is refused', async () => {
  expect((await post(new Uint8Array(5 * 1024 * 1024 + 1))).status).toBe(413);
});

test('a full queue answers 503 with Retry-After', async () => {
  const full = { ...pool, run: () => Promise.reject(new OverloadError('full')), device: 'cpu', workers: 1 };
  const overloaded = await serve({ pool: full });
  const response = await post(photo(4), urlOf(overloaded));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ error: { code: 'SERVICE_UNAVAILABLE' } });
  await new Promise((resolve) => overloaded.close(resolve));
});

test('a broken worker answers 500 and logs the request id, nothing of the image', async () => {
  const broken = {
    ...pool,
    run: () => Promise.reject(new Error('session failed')),
    device: 'cpu',
    workers: 1,
  };
  const failing = await serve({ pool: broken });
  const response = await fetch(`${urlOf(failing)}/detect`, {
    method: 'POST',
    body: Buffer.from('secret pixels'),
    headers: { 'x-request-id': 'req_broken' },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: { code: 'INTERNAL_ERROR' } });
  expect(log.join('')).toContain('req_broken');
  expect(log.join('')).not.toContain('secret pixels');
  await new Promise((resolve) => failing.close(resolve));
});

test('health, readiness and metrics', async () => {
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready', device: 'cpu', workers: 1 });
  accepting = false;
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  accepting = true;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/presenza_inference_requests_total\{operation="detect",outcome="ok"\} \d/);
  expect(metrics).toContain('presenza_inference_workers{device="cpu"} 1');
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
});
