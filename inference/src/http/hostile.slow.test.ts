/**
 * Broken images, hostile headers and bytes that are not HTTP, between requests that must get their own responses.
 *
 * Slow: hundreds of damaged requests reach a server with real models.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import catalogue from '@presenza/contract/errors.json';
import pino from 'pino';
import sharp from 'sharp';
import { keepOpen } from '../../../gateway/harness/keep-open.mjs';
import { type Form, forms, otherFiles } from '../../test/corpus/forms';
import { mutate } from '../../test/corpus/mutate';
import { Random } from '../../test/corpus/random';
import { settle } from '../../test/manual-dispatcher';
import { facesIn, photo } from '../../test/photos';
import { startServing } from '../../test/setup';
import type { DetectReply } from '../wire';
import { createApp } from './app';

const seed = Number(process.env.FUZZ_SEED ?? 1);

let serving: Awaited<ReturnType<typeof startServing>>;
let server: Server;
let port: number;
let corpus: readonly Form[];

beforeAll(async () => {
  [serving, corpus] = await Promise.all([startServing(), forms()]);
  server = createServer(
    keepOpen,
    createApp({ ...serving, logger: pino({ level: 'silent' }), accepting: () => true }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await serving.scheduler.drain();
  await serving.pool.close();
});

interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Writes pieces to a connection of their own and reads whole responses until the server closes it, or leaves it. */
async function talk(pieces: readonly (string | Buffer)[], leave = false): Promise<RawResponse[]> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) socket.write(piece);
  if (leave) socket.end('', () => socket.destroy());
  await closed;
  return responsesIn(Buffer.concat(received).toString('utf8'));
}

function responsesIn(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest.includes('\r\n\r\n'); ) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(head.split(' ')[1]), head, body });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

const type = 'Content-Type: application/octet-stream';

const request = (path: string, headers: readonly string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: localhost', type, ...headers].join('\r\n')}\r\n\r\n`;

const imageOf = (bytes: Buffer, headers: readonly string[] = []) => [
  request('/detect', [`Content-Length: ${bytes.length}`, 'Connection: close', ...headers]),
  bytes,
];

const hostileHeaders = [
  ...['0', '1', '600000', '600001', '-1', '1e3', '0x10', 'NaN', '', '9'.repeat(400), '1, 1', '\x80'].map(
    (value) => `x-deadline-ms: ${value}`,
  ),
  ...['batch', 'BATCH', 'urgent', '', 'constructor'].map((value) => `x-priority: ${value}`),
  ...['0', '1', ',', '1,', '999999999', `${'1,'.repeat(3000)}1`, '-1,2', 'NaN'].map(
    (value) => `x-part-lengths: ${value}`,
  ),
  ...['', 'a b', '{"a":1}', '\xff\xfe', 'r'.repeat(8000), '../../x'].map((value) => `x-request-id: ${value}`),
  ...['gzip', 'deflate', 'br', 'gzip, gzip', 'identity', 'zz'].map((value) => `Content-Encoding: ${value}`),
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Content-Type: application/json; charset=utf-16',
  `Cookie: ${'c'.repeat(6000)}`,
];

const chunked = request('/detect', ['Transfer-Encoding: chunked']);
const both = ['Content-Length: 4', 'Transfer-Encoding: chunked'];
/** Requests that the parser refuses. */
const malformed: readonly (readonly string[])[] = [
  ['\x16\x03\x01\x02\0\x01\0'],
  ['GET / HTTP/9.9\r\n\r\n'],
  ['POST /detect\r\n\r\n'],
  [`${request('/detect', both)}abcd`],
  [request('/detect', ['Content-Length: 4', 'Content-Length: 5']), 'abcd'],
  [request('/detect', ['Content-Length: -4'])],
  [request('/detect', ['Content-Length: 18446744073709551616'])],
  [request('/detect', [`X: ${'x'.repeat(20_000)}`])],
  [request('/detect', ['Bad Header: 1'])],
  [request('/detect', ['Transfer-Encoding: gzip'])],
  [chunked, 'zz\r\n'],
  [chunked, `4\r\nabcd\r\n${'f'.repeat(17)}\r\n`],
  [chunked, `4;${'e'.repeat(20_000)}\r\nabcd\r\n0\r\n\r\n`],
];
/** Requests that never end. */
const endless: readonly (readonly string[])[] = [
  ['\r\n\r\n'],
  ['POST /det'],
  [request('/detect', ['Content-Length: 100']), 'cut short'],
  [chunked, '4\r\nabcd\r\n'],
];

const codes = new Set(Object.keys(catalogue));

/** A request that the app reads gets a JSON response: a result, or a code of the catalogue. */
function expectResponse({ status, body }: RawResponse, isHttp: boolean): void {
  // Interim responses, and Node's own to malformed requests.
  if (status === 100 || (!isHttp && body === '' && [400, 413, 431].includes(status))) return;
  const reply = JSON.parse(body);
  if (status === 200) expect(reply.faces).toBeInstanceOf(Array);
  else {
    expect(codes).toContain(reply.error.code);
    expect(reply.error.code).not.toBe('INTERNAL_ERROR');
    expect([400, 404, 413, 415, 422, 503, 504]).toContain(status);
  }
}

async function attack(random: Random): Promise<void> {
  const { bytes } = mutate(random.pick(corpus).bytes, random, random.pick(corpus).bytes);
  const kind = random.below(5);
  if (kind === 0) await talk(random.pick(endless), true);
  if (kind === 1) for (const response of await talk(random.pick(malformed))) expectResponse(response, false);
  if (kind < 2) return;
  const headers = Array.from({ length: random.below(3) }, () => random.pick(hostileHeaders));
  const [head, body] = imageOf(bytes, headers) as [string, Buffer];
  if (kind === 2) await talk([head, body.subarray(0, random.below(body.length + 1))], true);
  else for (const response of await talk([head, body])) expectResponse(response, true);
}

const facesOf = async (responses: Promise<RawResponse[]>) =>
  (await responses).map(({ body }) => (JSON.parse(body) as DetectReply).faces);

/** Waits until the tier has no request in progress and holds no bytes. */
async function idle(): Promise<void> {
  const busy = () => serving.bytesInFlight.bytes > 0 || Object.values(serving.scheduler.queued).some(Boolean);
  while (busy()) await settle();
}

test('good requests between hostile ones get their own responses, and nothing is left behind', async () => {
  const numbers = [1, 2, 3, 4, 5, 6];
  const alone = new Map<number, DetectReply['faces']>();
  for (const number of numbers) {
    const [faces] = await facesOf(talk(imageOf(photo(number))));
    expect(faces).toHaveLength(facesIn[number] as number);
    alone.set(number, faces as DetectReply['faces']);
  }
  const lane = async (laneNumber: number) => {
    const random = new Random(seed * 1009 + laneNumber);
    for (let i = 0; i < 45; i++) {
      if (i % 15 !== 7) {
        await attack(random);
        continue;
      }
      const number = random.pick(numbers);
      const [faces = []] = await facesOf(talk(imageOf(photo(number), ['x-deadline-ms: 60000'])));
      const expected = alone.get(number) as DetectReply['faces'];
      expect(faces).toHaveLength(expected.length);
      faces.forEach(({ boundingBox }, k) => {
        expect(boundingBox.left).toBeCloseTo(expected[k]?.boundingBox.left as number, 3);
        expect(boundingBox.top).toBeCloseTo(expected[k]?.boundingBox.top as number, 3);
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, laneNumber) => lane(laneNumber)));
  await idle();
  expect(await facesOf(talk(imageOf(photo(4))))).toHaveLength(1);
});

test('pipelined requests get their responses in order', async () => {
  const order = [5, 1, 4];
  const pieces = order.flatMap((number) => {
    const bytes = photo(number);
    return [request('/detect', [`Content-Length: ${bytes.length}`]), bytes];
  });
  const broken = imageOf(Buffer.from('not an image'));
  const responses = await talk([...pieces, ...broken]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 422]);
  const faces = await facesOf(Promise.resolve(responses.slice(0, 3)));
  expect(faces.map(({ length }) => length)).toEqual(order.map((number) => facesIn[number]));
});

test.each(['/detect', '/compare', '/moderate', '/frames', '/prototype'])(
  'a compressed body for %s is refused unread: it would weigh more than what was counted',
  async (path) => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const headers = [`Content-Length: ${bomb.length}`, 'Content-Encoding: gzip', 'Connection: close'];
    const [response] = await talk([request(path, headers), bomb]);
    expect(response?.status).toBe(400);
    expect(JSON.parse(response?.body ?? '')).toEqual({
      error: { code: 'INVALID_PARAMETERS', reason: 'header' },
    });
  },
);

test('an undecodable path is not a defect', async () => {
  const [response] = await talk([request('/%ff', ['Content-Length: 0', 'Connection: close'])]);
  expect(response?.status).toBe(404);
});

test('whole, broken and foreign images of a batch each get their own response', async () => {
  const files = await otherFiles();
  const responses = await Promise.all([
    ...files.map(({ bytes }) => talk(imageOf(bytes))),
    ...[1, 5].map((number) => talk(imageOf(photo(number)))),
  ]);
  const statuses = responses.map(([response]) => response?.status);
  expect(statuses).toEqual([...files.map(() => 422), 200, 200]);
});

describe('images of one row or one column', () => {
  test.each([
    [20_000, 1],
    [1, 20_000],
    [1, 1],
    [3, 65_535],
  ])('%i x %i shows no face and nothing to moderate', async (width, height) => {
    const image = sharp({ create: { width, height, channels: 3, background: '#987' } });
    const bytes = await image.png().toBuffer();
    expect(await facesOf(talk(imageOf(bytes)))).toEqual([[]]);
    const moderate = request('/moderate', [`Content-Length: ${bytes.length}`, 'Connection: close']);
    const [response] = await talk([moderate, bytes]);
    const { elements } = JSON.parse(response?.body ?? '') as { elements: { confidence: number }[] };
    expect(Math.max(...elements.map(({ confidence }) => confidence))).toBeLessThan(0.5);
  });
});
