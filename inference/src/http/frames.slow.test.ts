/**
 * POST /frames through workers, as the gateway calls it.
 *
 * Slow: it serves sets of frames with every model of liveness.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { keepOpen } from '../../../gateway/harness/keep-open.mjs';
import { facesIn, photo } from '../../test/photos';
import { startServing } from '../../test/setup';
import type { Done } from '../pool/pool';
import type { Submission } from '../scheduling/scheduler';
import type { FaultReply, FramesReply } from '../wire';
import { type AppServices, createApp } from './app';
import { maxFramesBytes } from './frames-input';

let serving: Awaited<ReturnType<typeof startServing>>;
const servers: Server[] = [];

beforeAll(async () => {
  serving = await startServing();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await serving.scheduler.drain();
  await serving.pool.close();
});

async function serve(services: Partial<AppServices> = {}): Promise<string> {
  const logger = pino({ level: 'silent' });
  const server = createServer(
    keepOpen,
    createApp({ ...serving, logger, accepting: () => true, ...services }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, parts: readonly Buffer[], headers: Record<string, string>) =>
  fetch(`${url}/frames`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      connection: 'close',
      'x-part-lengths': parts.map(({ length }) => length).join(),
      ...headers,
    },
    body: Uint8Array.from(Buffer.concat(parts)),
  });

test('returns signals for frames, challenges and a reference, and isolates a corrupt frame', async () => {
  const response = await post(
    await serve(),
    [photo(5), Buffer.from('not an image'), photo(5), photo(6), photo(5)],
    { 'x-frame-times': '0,100,200,300', 'x-challenges': 'left@0-300' },
  );
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain('embedding');
  const reply = JSON.parse(text) as FramesReply;
  const seen = reply.frames.map((frame) => (frame.ok ? frame.face !== null : frame.reason));
  expect(seen).toEqual([true, 'format', true, true]);
  expect(reply.frames.map(({ timeMs }) => timeMs)).toEqual([0, 100, 200, 300]);
  expect(reply.duplicates).toEqual([2]);
  expect(reply.motion.challenges).toMatchObject([{ kind: 'left', reached: false }]);
  expect(reply.reference).toMatchObject({ ok: true, faceCount: facesIn[5] });
  expect(reply.timings.totalMs).toBeGreaterThan(0);
});

test('the weight of a set is its number of frames, without the reference', async () => {
  const weights: unknown[] = [];
  const scheduler = {
    async submit(_operation: string, _item: unknown, { weight }: Submission = {}): Promise<Done> {
      weights.push(weight);
      const timings = { serviceMs: 0, decodeMs: 0, priceMs: 0, models: {} };
      return { result: { ok: true, value: { frames: [] } }, timings, busyMs: 0 };
    },
  };
  const parts = ['one', 'two', 'three', 'reference'].map((name) => Buffer.from(name));
  const response = await post(await serve({ scheduler }), parts, { 'x-frame-times': '0,1,2' });
  expect(response.status).toBe(200);
  expect(weights).toEqual([3]);
});

test.each([
  ['without times', {}, 'header'],
  ['with a bad challenge', { 'x-frame-times': '0,1', 'x-challenges': 'left' }, 'header'],
])('a set %s is refused', async (_name, headers, reason) => {
  const response = await post(await serve(), [photo(5), photo(5)], headers as Record<string, string>);
  expect(response.status).toBe(400);
  expect(((await response.json()) as FaultReply).error).toEqual({ code: 'INVALID_PARAMETERS', reason });
});

test('refuses a single frame', async () => {
  expect((await post(await serve(), [photo(5)], { 'x-frame-times': '0' })).status).toBe(400);
});

test('sets are bounded as a whole', async () => {
  const eighth = Buffer.alloc(maxFramesBytes / 8 + 1);
  const response = await post(await serve(), Array(8).fill(eighth), { 'x-frame-times': '0,1,2,3,4,5,6,7' });
  expect(response.status).toBe(413);
});
