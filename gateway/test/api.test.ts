/** The public API over HTTP, with a real Redis and the real inference tier behind it. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import pino from 'pino';
import sharp from 'sharp';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import type { ErrorCode } from '../src/errors';
import { createApp } from '../src/http/app';
import { createOperationsApp } from '../src/http/operations-app';
import { createMetrics } from '../src/observability/metrics';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { generateKey } from '../src/services/keys/api-key';
import { KeyService } from '../src/services/keys/keys';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { schemas, testImageBytes } from './contract';
import { keepOpen, keySecret, realServices } from './services';
import { sharedTierUrl } from './shared-tier';

const photo = readFileSync(
  join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo', 'sample4.jpg'),
);

/** A drawing, encoded as phones encode photos. */
const heic = readFileSync(join(__dirname, '../../inference/test/corpus/portrait.heic'));

let redisServer: RunningServer;
let redis: RedisClient;
let keys: KeyService;
let inference: HttpInferenceClient;
let server: Server;
let url: string;
let apiKey: string;
const log: string[] = [];
const metrics = createMetrics();

async function listen(app: Parameters<typeof createServer>[1]): Promise<Server> {
  const started = createServer(keepOpen, app as never);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return started;
}
const urlOf = (started: Server) => `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
const close = (started: Server) => new Promise((resolve) => started.close(resolve));

const appServices = () => ({
  ...realServices(redis, inference),
  logger: pino({ level: 'info' }, { write: (line: string) => log.push(line) }),
  metrics,
});

beforeAll(async () => {
  redisServer = await startRedis();
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  keys = new KeyService(new RedisKeyStore(redis), keySecret);
  inference = new HttpInferenceClient(sharedTierUrl());
  server = await listen(createApp(appServices()));
  url = urlOf(server);
  const account = await keys.createAccount('Tests', 'business');
  apiKey = (await keys.createKey(account.id, 'test')).apiKey;
});
afterAll(async () => {
  await close(server);
  inference.close();
  redis.disconnect();
  await redisServer.stop();
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  readonly body: any;
}

async function send(path: string, init: RequestInit = {}, base = url): Promise<Reply> {
  const response = await fetch(base + path, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return send(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as string) : JSON.stringify(body),
  });
}

const dataUri = (bytes: Uint8Array, type = 'jpeg') =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
const detect = (bytes: Uint8Array, type?: string) => post('/detect', { image: dataUri(bytes, type) });

/** The body is the contract's: code, status and text of the catalogue, in the envelope. */
function expectError(reply: Reply, code: ErrorCode, reason?: string): void {
  expect(reply.body).toMatchObject({ success: false, error: { code, ...(reason ? { reason } : {}) } });
  expect(reply.status).toBe(errors[code].status);
  expect(schemas.validate('error-response.json', reply.body)).toBe(true);
  const { reasons } = errors[code] as { reasons?: Record<string, string> };
  const text = (reason ? reasons?.[reason] : undefined) ?? errors[code].message;
  const pattern = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  expect(reply.body.error.message).toMatch(new RegExp(`^${pattern}$`));
  expect(reply.body.requestId).toBe(reply.headers.get('x-request-id'));
}

describe('GET /health', () => {
  test.each(['/health', '/v1/health'])('%s responds without a key', async (path) => {
    const { status, body } = await send(path);
    expect(status).toBe(200);
    expect(schemas.validate('health-response.json', body)).toBe(true);
  });

  test.each([
    ['inference', 'inference'],
    ['draining', undefined],
  ])('without %s it is SERVICE_UNAVAILABLE', async (part, reason) => {
    const unavailable = await listen(createApp({ ...appServices(), unready: async () => [part] }));
    const reply = await send('/health', {}, urlOf(unavailable));
    await close(unavailable);
    expectError(reply, 'SERVICE_UNAVAILABLE', reason);
    expect(reply.headers.get('retry-after')).toBe('1');
  });
});

test('a live key gets a test image analyzed, and a test key gets its documented response', async () => {
  const account = await keys.createAccount('Live', 'business');
  const live = (await keys.createKey(account.id, 'live')).apiKey;
  const image = dataUri(testImageBytes('several-faces'), 'png');
  const documented = await post('/detect', { image });
  expect(documented.body.data.faceCount).toBe(3);
  const analyzed = await post('/detect', { image }, { authorization: `Bearer ${live}` });
  expect(analyzed.status).toBe(200);
  expect(analyzed.body.data.faces).not.toEqual(documented.body.data.faces);
});

describe('POST /detect', () => {
  test.each(['/detect', '/v1/detect'])('%s finds the four faces of a photograph', async (path) => {
    const { status, body } = await post(path, { image: dataUri(photo) });
    expect(status).toBe(200);
    expect(schemas.validate('detect-response.json', body)).toBe(true);
    expect(body.data).toMatchObject({ hasFace: true, faceCount: 4 });
    // Middles of the faces as seen in the image, left to right.
    const seen = [
      [0.174, 0.214],
      [0.393, 0.13],
      [0.558, 0.205],
      [0.703, 0.18],
    ];
    for (const [x, y] of seen as [number, number][]) {
      const around = body.data.faces.filter(
        ({ boundingBox: b }: { boundingBox: Record<'left' | 'top' | 'width' | 'height', number> }) =>
          b.left < x && x < b.left + b.width && b.top < y && y < b.top + b.height,
      );
      expect(around).toHaveLength(1);
    }
  });

  test('the same faces in a photograph that is sent as JSON, in a form and as it is', async () => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const form = new FormData();
    form.append('image', new File([Uint8Array.from(photo)], 'photo.jpg', { type: 'image/jpeg' }));
    const replies = [
      await post('/detect', { image: dataUri(photo) }),
      await send('/detect', { method: 'POST', headers, body: form }),
      await post('/detect', photo, { 'content-type': 'image/jpeg' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies[0]?.body.data.faceCount).toBe(4);
    for (const { body } of replies) expect(body.data).toEqual(replies[0]?.body.data);
  });

  test('every face has all attributes when all are asked for', async () => {
    const { status, body } = await post('/detect', { image: dataUri(photo), attributes: 'all' });
    expect(status).toBe(200);
    expect(schemas.validate('detect-response.json', body)).toBe(true);
    expect(body.data.faceCount).toBe(4);
    for (const { attributes, occluded } of body.data.faces) {
      expect(Object.keys(attributes)).toEqual([
        'landmarks',
        'pose',
        'emotions',
        'ageRange',
        'gender',
        'accessories',
      ]);
      expect(attributes.landmarks).toHaveLength(36);
      expect(attributes.emotions).toHaveLength(8);
      expect(typeof occluded.value).toBe('boolean');
    }
  });

  test('only the attributes asked for are served, in the order of the contract', async () => {
    const { body } = await post('/detect', { image: dataUri(photo), attributes: ['gender', 'pose'] });
    expect(schemas.validate('detect-response.json', body)).toBe(true);
    for (const { attributes } of body.data.faces) expect(Object.keys(attributes)).toEqual(['pose', 'gender']);
    const plain = await post('/detect', { image: dataUri(photo) });
    for (const face of plain.body.data.faces) expect(face).not.toHaveProperty('attributes');
  });

  test('an image without a face gets a successful response', async () => {
    const sky = sharp({ create: { width: 300, height: 200, channels: 3, background: '#8cf' } });
    const { status, body } = await detect(await sky.png().toBuffer(), 'png');
    expect(status).toBe(200);
    expect(body.data).toEqual({ hasFace: false, faceCount: 0, faces: [] });
  });

  test('the same face in a HEIC as in its source, in every operation', async () => {
    const source = readFileSync(join(__dirname, '../../inference/test/corpus/portrait.webp'));
    const [first, second] = await Promise.all([detect(heic, 'heic'), detect(source, 'webp')]);
    expect(first.body.data.faceCount).toBe(1);
    const [box, expected] = [first, second].map(({ body }) => body.data.faces[0].boundingBox);
    for (const side of ['left', 'top', 'width', 'height']) expect(box[side]).toBeCloseTo(expected[side], 1);
    const compared = await post('/compare', {
      sourceImage: dataUri(heic, 'heic'),
      targetImage: dataUri(source),
    });
    expect(compared.body.data.matchedFaces[0].similarity).toBeGreaterThan(0.95);
    const batch = { operation: 'moderate', body: { image: dataUri(heic, 'heic') } };
    const { body } = await post('/batch', { operations: [batch] });
    expect(body.data.results[0]).toMatchObject({ status: 200 });
  });

  test('a similarity threshold of 1 matches identical files', async () => {
    const folder = join(__dirname, '../../web/gatsby/demos/images');
    const files = readdirSync(folder).filter((name) => /^(ada|ben|group|hopper)/.test(name));
    expect(files.length).toBeGreaterThan(8);
    for (const name of files) {
      const image = dataUri(readFileSync(join(folder, name)), 'webp');
      const body = { sourceImage: image, targetImage: image, similarityThreshold: 1 };
      const { matchedFaces } = (await post('/compare', body)).body.data;
      const similarities = matchedFaces.map(({ similarity }: { similarity: number }) => similarity);
      expect([name, similarities]).toEqual([name, [1]]);
    }
  });

  test('the same faces in a GIF, and in the first frame of an animation', async () => {
    const small = await sharp(photo).resize(960).toBuffer();
    const blank = await sharp(small).resize(960).modulate({ brightness: 0 }).toBuffer();
    const counts = await Promise.all(
      [[small], [small, blank], [blank, small]].map(async (frames) => {
        const file = frames.length > 1 ? sharp(frames, { join: { animated: true } }) : sharp(frames[0]);
        const { body } = await detect(await file.gif({ effort: 1 }).toBuffer(), 'gif');
        return body.data.faceCount;
      }),
    );
    expect(counts).toEqual([4, 4, 0]);
  });

  test.each([
    'data:image/png;base64,',
    'data:application/octet-stream;base64,',
    'data:;base64,',
    'DATA:;BASE64,',
  ])('the bytes decide the format, not the prefix %s', async (prefix) => {
    const image = prefix + photo.toString('base64');
    expect((await post('/detect', { image })).body.data.faceCount).toBe(4);
  });

  test('base64 may be in lines', async () => {
    const image = dataUri(photo).replace(/.{76}/g, '$&\r\n');
    expect((await post('/detect', { image })).body.data.faceCount).toBe(4);
  });

  test('a JPEG of 36 megapixels', async () => {
    const large = await sharp(photo).resize(7360, 4906, { fit: 'fill' }).jpeg({ quality: 50 }).toBuffer();
    expect(large.length).toBeLessThan(limits.image.maxBytes);
    expect((await detect(large)).body.data.faceCount).toBe(4);
  });

  test('a well-formed X-Request-Id is returned; a malformed one is replaced', async () => {
    const kept = await post('/detect', {}, { 'x-request-id': 'order-17:a' });
    expect(kept.body.requestId).toBe('order-17:a');
    const replaced = await post('/detect', {}, { 'x-request-id': 'a b' });
    expect(replaced.body.requestId).toMatch(/^req_[0-9A-Za-z]{24}$/);
  });
});

describe('INVALID_API_KEY', () => {
  const headers = (authorization?: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    body: '{}',
  });

  test('all of a missing, malformed, unknown and expired key, with one and the same body', async () => {
    const account = await keys.createAccount('Expired', 'free');
    const expired = await keys.createKey(account.id, 'live');
    await keys.rollKey(account.id, expired.keyId, 0);
    const secrets: Record<string, string | undefined> = {
      missing: undefined,
      'another scheme': 'Basic YTpi',
      malformed: 'Bearer presenza_live_short',
      'wrong checksum': `Bearer ${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`,
      unknown: `Bearer ${generateKey('live')}`,
      expired: `Bearer ${expired.apiKey}`,
    };
    for (const authorization of Object.values(secrets)) {
      const reply = await send('/detect', headers(authorization));
      expectError(reply, 'INVALID_API_KEY');
      const { message } = errors.INVALID_API_KEY;
      const docUrl = '/docs/api-reference#invalid-api-key';
      expect(reply.body.error).toEqual({ code: 'INVALID_API_KEY', message, docUrl });
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('a key that expires later works until then', async () => {
    const account = await keys.createAccount('Soon', 'free');
    const soon = await keys.createKey(account.id, 'live', { expiresAt: Date.now() + 60_000 });
    expectError(
      await post('/detect', {}, { authorization: `Bearer ${soon.apiKey}` }),
      'INVALID_PARAMETERS',
      'missing',
    );
  });
});

describe('INVALID_PARAMETERS', () => {
  test.each([
    ['json', 'not JSON'],
    ['json', '{"image":'],
    ['body', ''],
    ['json', Buffer.from([0x22, 0xff, 0x22])],
    ['body', []],
    ['body', '"text"'],
    ['missing', {}],
    ['type', { image: 5 }],
    ['type', { image: null }],
    ['unknown', { image: 'x', images: [] }],
    ['value', { image: 'x', attributes: 'some' }],
    ['value', { image: 'x', attributes: ['pose', 'pose'] }],
    ['value', { image: 'x', attributes: ['hair'] }],
  ])('%s: %j', async (reason, body) => {
    expectError(await post('/detect', body), 'INVALID_PARAMETERS', reason);
  });

  test('the message names the field', async () => {
    expect((await post('/detect', { images: 'x' })).body.error.message).toContain('image');
    expect((await post('/detect', { image: 'x', color: 1 })).body.error.message).toContain('color');
  });

  test('a name that the client made up is quoted to 64 characters', async () => {
    const { body } = await post('/detect', { image: 'x', ['n'.repeat(10_000)]: 1 });
    expect(body.error.message).toBe(`This operation has no field ${'n'.repeat(64)}.`);
  });

  test('no body at all and an empty one are the same', async () => {
    const authorization = `Bearer ${apiKey}`;
    const json = { authorization, 'content-type': 'application/json' };
    const text = { authorization, 'content-type': 'text/plain' };
    for (const headers of [{ authorization }, json, text]) {
      const reply = await send('/detect', { method: 'POST', headers });
      expectError(reply, 'INVALID_PARAMETERS', 'body');
    }
  });
});

describe('INVALID_IMAGE', () => {
  test.each([
    ['dataUri', 'no data URI'],
    ['format', 'data:text/plain;base64,aGk='],
    ['empty', ''],
    ['dataUri', 'https://example.com/face.jpg'],
    ['base64', 'data:image/jpeg;base64,/9j/4A$$'],
    ['empty', 'data:image/jpeg;base64,'],
    ['format', `data:image/jpeg;base64,${Buffer.from('not an image').toString('base64')}`],
  ])('%s: %s', async (reason, image) => {
    expectError(await post('/detect', { image }), 'INVALID_IMAGE', reason);
  });

  test('a TIFF', async () => {
    const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .tiff()
      .toBuffer();
    expectError(await detect(tiff, 'tiff'), 'INVALID_IMAGE', 'format');
    expectError(await detect(tiff, 'gif'), 'INVALID_IMAGE', 'format');
  });

  test('a HEIC cut short, and one that says that it is huge', async () => {
    expectError(await detect(heic.subarray(0, heic.length / 2), 'heic'), 'INVALID_IMAGE', 'truncated');
    const huge = Buffer.from(heic);
    huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 8);
    expectError(await detect(huge, 'heic'), 'INVALID_IMAGE', 'dimensions');
    const other = Buffer.from(heic);
    other.write('avif', 8, 'latin1');
    expectError(await detect(other, 'heic'), 'INVALID_IMAGE', 'format');
  });

  test('a GIF cut short, and one of a giant canvas', async () => {
    const gif = await sharp(photo).resize(300).gif({ effort: 1 }).toBuffer();
    expectError(await detect(gif.subarray(0, gif.length / 2), 'gif'), 'INVALID_IMAGE', 'truncated');
    gif.writeUInt16LE(65_535, 6);
    gif.writeUInt16LE(65_535, 8);
    const reply = await detect(gif, 'gif');
    expectError(reply, 'INVALID_IMAGE', 'dimensions');
    expect(reply.body.error.message).toContain('65535 x 65535');
  });

  test('a JPEG cut short', async () => {
    expectError(await detect(photo.subarray(0, photo.length / 2)), 'INVALID_IMAGE', 'truncated');
  });

  test('a damaged PNG', async () => {
    const png = await sharp(photo).resize(300).png().toBuffer();
    expectError(await detect(png.fill(0x55, 3000, 3200), 'png'), 'INVALID_IMAGE', 'corrupt');
  });

  test('a PNG bomb, with its size named', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const reply = await detect(bomb, 'png');
    expectError(reply, 'INVALID_IMAGE', 'dimensions');
    expect(reply.body.error.message).toContain('9000 x 9000');
  });
});

describe('sizes', () => {
  const padded = (size: number) => {
    const bytes = Buffer.alloc(size);
    photo.copy(bytes);
    return bytes;
  };

  test('an image of exactly 5 MB is accepted, one byte more is IMAGE_TOO_LARGE', async () => {
    expect((await detect(padded(limits.image.maxBytes))).status).toBe(200);
    expectError(await detect(padded(limits.image.maxBytes + 1)), 'IMAGE_TOO_LARGE', 'field');
  });

  test('a body above that of any valid image is IMAGE_TOO_LARGE as well', async () => {
    expectError(await detect(padded(12 * 1024 * 1024)), 'IMAGE_TOO_LARGE', 'body');
  });

  test('a body without images above any valid request is PAYLOAD_TOO_LARGE', async () => {
    expectError(await post('/webhooks', { url: 'x'.repeat(64 * 1024) }), 'PAYLOAD_TOO_LARGE');
  });
});

describe('the protocol', () => {
  test('UNSUPPORTED_MEDIA_TYPE', async () => {
    const body = JSON.stringify({ image: 'x' });
    expectError(
      await post('/detect', body, { 'content-type': 'text/plain' }),
      'UNSUPPORTED_MEDIA_TYPE',
      'contentType',
    );
    const utf16 = { 'content-type': 'application/json; charset=utf-16le' };
    expectError(
      await post('/detect', Buffer.from(body, 'utf16le'), utf16),
      'UNSUPPORTED_MEDIA_TYPE',
      'contentType',
    );
    const utf8 = { 'content-type': 'application/json; charset="UTF-8"; profile=x' };
    expectError(await post('/detect', body, utf8), 'INVALID_IMAGE', 'dataUri');
    const gzip = { 'content-encoding': 'gzip' };
    expectError(await post('/detect', body, gzip), 'UNSUPPORTED_MEDIA_TYPE', 'contentEncoding');
  });

  test('METHOD_NOT_ALLOWED names the methods', async () => {
    const reply = await send('/detect');
    expectError(reply, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe('POST, OPTIONS');
    expectError(await send('/v1/health', { method: 'DELETE' }), 'METHOD_NOT_ALLOWED');
  });

  test.each(['/', '/nothing', '/v2/detect', '/%ff'])('NOT_FOUND: %s', async (path) => {
    expectError(await send(path), 'NOT_FOUND', 'operation');
  });

  test('responses forbid framing, sniffing and scripts', async () => {
    const { headers } = await send('/health');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('breakage', () => {
  const image = dataUri(photo);

  async function detectWith(services: Partial<ReturnType<typeof appServices>>): Promise<Reply> {
    const broken = await listen(createApp({ ...appServices(), ...services }));
    try {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      return await send(
        '/detect',
        { method: 'POST', headers, body: JSON.stringify({ image }) },
        urlOf(broken),
      );
    } finally {
      await close(broken);
    }
  }

  test('no inference tier is SERVICE_UNAVAILABLE with Retry-After', async () => {
    const gone = new HttpInferenceClient('http://127.0.0.1:1');
    const reply = await detectWith({ inference: gone });
    expectError(reply, 'SERVICE_UNAVAILABLE', 'inference');
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await gone.ready()).toBe(false);
  });

  test('no Redis is SERVICE_UNAVAILABLE', async () => {
    const stopped = await startRedis();
    const connection = await connectRedis({ url: stopped.url, cluster: false }, () => {});
    await stopped.stop();
    const unavailable = new KeyService(new RedisKeyStore(connection), '5a'.repeat(32));
    const reply = await detectWith({ keys: unavailable });
    connection.disconnect();
    expectError(reply, 'SERVICE_UNAVAILABLE', 'store');
  });

  test('an unknown error is INTERNAL_ERROR, logged with the request id and without its secrets', async () => {
    const failing = {
      ...inference,
      detect: () => Promise.reject(Object.assign(new Error('boom'), { image })),
    };
    const reply = await detectWith({ inference: failing as never });
    expectError(reply, 'INTERNAL_ERROR');
    const line = log.find((entry) => entry.includes('boom')) as string;
    expect(line).toContain(reply.body.requestId);
    expect(line).not.toContain('base64');
  });
});

test('no log line holds a key or an image', async () => {
  const before = log.length;
  await detect(photo);
  await post('/detect', `{"image":"${dataUri(photo).slice(0, 500)}`);
  await post('/detect', { image: 'data:image/jpeg;base64,AAAA' });
  expect(log.length).toBe(before + 3);
  expect(log.join('')).not.toContain(apiKey);
  expect(log.join('')).not.toContain('base64,');
});

test('the operators’ port: health, readiness by part, metrics by operation', async () => {
  let waitingFor: string[] = [];
  let degraded: string[] = [];
  const operations = await listen(
    createOperationsApp({ metrics, unready: async () => waitingFor, degraded: async () => degraded }),
  );
  const base = urlOf(operations);
  expect((await send('/livez', {}, base)).status).toBe(200);
  expect((await send('/readyz', {}, base)).status).toBe(200);
  await detect(photo);
  await send('/nowhere');
  degraded = ['store'];
  expect(await send('/readyz', {}, base)).toMatchObject({ status: 200, body: { degraded, waitingFor: [] } });
  waitingFor = ['inference'];
  expect(await send('/readyz', {}, base)).toMatchObject({ status: 503, body: { waitingFor, degraded } });
  const text = await (await fetch(`${base}/metrics`)).text();
  expect(text).toMatch(
    /presenza_gateway_request_seconds_count\{operation="detect",status="200",plan="business"\} \d/,
  );
  expect(text).not.toContain('acc_');
  expect(text).not.toContain('nowhere');
  await close(operations);
});
