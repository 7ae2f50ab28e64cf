/**
 * Files that are made to take long cost no more than a large photograph, and are refused with a reason or decoded.
 *
 * Slow: it draws files of up to 5 MB for a server with real models.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import sharp from 'sharp';
import { keepOpen } from '../../../gateway/harness/keep-open.mjs';
import { bombs } from '../../test/corpus/bombs';
import { writeHeif } from '../../test/corpus/heif';
import { photo } from '../../test/photos';
import { rolesOfDetection, startServing } from '../../test/setup';
import { createApp } from './app';

let serving: Awaited<ReturnType<typeof startServing>>;
let server: Server;
let url: string;

beforeAll(async () => {
  serving = await startServing({
    roles: [...rolesOfDetection, 'embedding', 'moderation', 'objects', 'description'],
  });
  server = createServer(
    keepOpen,
    createApp({ ...serving, logger: pino({ level: 'silent' }), accepting: () => true }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await serving.scheduler.drain();
  await serving.pool.close();
});

interface Cost {
  readonly outcome: string;
  /** Processor time of all threads in milliseconds, which other programs on the machine hardly change. */
  readonly ms: number;
  /** Value of the header `x-work`. */
  readonly work: number;
}

/** Animations are drawn only for moderation. */
const pathFor = (name: string) => (name.startsWith('GIF') ? '/moderate?categories=Explicit' : '/detect');

/** Limit in units of a photograph's processor time. Without bounds, bombs took up to 40 s. */
const mostPhotographs = 2.5;
/** Other work on the machine only adds to the processor time of a request, so the least of several is its cost. */
const measurements = 3;
/** A HEIC of 25 megapixels takes its decoder more than a second, also one that shows a photograph. */
const mostWork = (name: string) => (name.startsWith('HEIC') ? 13 : 5);

async function costOf(path: string, body: Buffer): Promise<Cost> {
  const begin = process.cpuUsage();
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await fetch(url + path, { method: 'POST', headers, body: Uint8Array.from(body) });
  const reply = (await response.json()) as { error?: { reason: string } };
  const { user, system } = process.cpuUsage(begin);
  const work = Number(response.headers.get('x-work'));
  return { outcome: reply.error?.reason ?? 'decoded', ms: (user + system) / 1_000, work };
}

/** @param most milliseconds that need no further measurement */
async function leastCostOf(path: string, body: Buffer, most = 0): Promise<Cost> {
  let least = await costOf(path, body);
  for (let count = 1; count < measurements && least.ms > most; count++) {
    const cost = await costOf(path, body);
    if (cost.ms < least.ms) least = cost;
  }
  return least;
}

/** A progressive photograph of 25 megapixels, as cameras and editors write it. */
const photograph = () =>
  sharp(photo(4)).resize(5_000, 5_000, { fit: 'fill' }).jpeg({ progressive: true, quality: 85 }).toBuffer();

test('each bomb costs at most as much as a few photographs, and has its outcome', async () => {
  const honest = await photograph();
  // The first image of each kind also starts threads and compiles code.
  for (const bytes of [honest, writeHeif(), photo(4)]) await costOf('/detect', bytes);
  const honestCost = await leastCostOf('/detect', honest);
  expect(honestCost).toMatchObject({ outcome: 'decoded' });
  const mostMs = mostPhotographs * honestCost.ms;
  const wrong: object[] = [];
  const costs: string[] = [];
  for (const { name, outcome, make } of bombs) {
    const cost = await leastCostOf(pathFor(name), await make(), mostMs);
    costs.push(`${name}: ${Math.round(cost.ms)} ms, work ${cost.work}, ${cost.outcome}`);
    const isDear = cost.ms > mostMs || cost.work > mostWork(name);
    if (cost.outcome !== outcome || isDear) wrong.push({ name, ...cost });
  }
  if (process.env.BOMB_COSTS)
    console.info([`photograph: ${Math.round(honestCost.ms)} ms`, ...costs].join('\n'));
  expect(wrong).toEqual([]);
});

test('the price of an image depends on its bytes alone, and is that of an operation for an ordinary photograph', async () => {
  const works = async (bytes: Buffer) => {
    const costs = await Promise.all([1, 2, 3].map(() => costOf('/detect', bytes)));
    return new Set(costs.map(({ work }) => work));
  };
  expect(await works(photo(1))).toEqual(new Set([1]));
  const large = sharp({ create: { width: 4_000, height: 5_000, channels: 3, background: '#777' } });
  expect(await works(await large.png().toBuffer())).toEqual(new Set([4]));
});
