/** The client against a tier that misbehaves. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../errors';
import { HttpInferenceClient } from './inference-client';

let tier: Server;
let client: HttpInferenceClient;

async function tierThat(listener: RequestListener): Promise<void> {
  tier = createServer(listener).listen(0, '127.0.0.1');
  await once(tier, 'listening');
  client = new HttpInferenceClient(`http://127.0.0.1:${(tier.address() as AddressInfo).port}`);
}
afterEach(() => {
  client.close();
  tier.close();
  tier.closeAllConnections();
});

const detect = (signal = new AbortController().signal) =>
  client.detect(Buffer.from('image'), {
    requestId: 'req_1',
    field: 'image',
    deadline: { signal, leftMs: () => 1234.5 },
  });
const failure = async (work: Promise<unknown>) => {
  const error = (await work.catch((thrown) => thrown)) as ApiError;
  return { code: error.code, reason: error.body.reason, retryAfterSeconds: error.retryAfterSeconds };
};
const unavailable = { code: 'SERVICE_UNAVAILABLE', reason: 'inference', retryAfterSeconds: 1 };
const ok: RequestListener = (req, res) => {
  req.resume().on('end', () => res.setHeader('content-type', 'application/json').end('{"faces":[]}'));
};
const faulty =
  (status: number, body: unknown, headers = {}): RequestListener =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

test('sends the request id and the time left until the deadline', async () => {
  let headers: unknown;
  await tierThat((req, res) => {
    headers = req.headers;
    ok(req, res);
  });
  await detect();
  expect(headers).toMatchObject({ 'x-request-id': 'req_1', 'x-deadline-ms': '1234' });
});

test('loses no request when the tier closes connections to spread them over pods', async () => {
  await tierThat(ok);
  tier.maxRequestsPerSocket = 2;
  let connections = 0;
  tier.on('connection', () => {
    connections += 1;
  });
  for (let request = 0; request < 5; request++) expect(await detect()).toEqual({ faces: [] });
  expect(connections).toBe(3);
});

test('sends every request to the tier, which sheds load itself', async () => {
  const waiting: (() => void)[] = [];
  let all: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    all = resolve;
  });
  await tierThat((req, res) => {
    waiting.push(() => ok(req, res));
    if (waiting.length === 300) all();
  });
  const replies = Array.from({ length: 300 }, () => detect());
  await arrived;
  for (const finish of waiting) finish();
  await Promise.all(replies);
});

test.each([
  ['a code that the wire lacks', { error: { code: 'WEIRD' } }],
  ['a code of the public API only', { error: { code: 'QUOTA_EXCEEDED' } }],
  ['the name of an object property', { error: { code: 'constructor' } }],
  ['a code that is not a string', { error: { code: { a: 1 } } }],
  ['nothing', null],
  ['a string', 'text'],
])('%s becomes INTERNAL_ERROR', async (_name, body) => {
  await tierThat(faulty(500, body));
  expect((await failure(detect())).code).toBe('INTERNAL_ERROR');
});

test('drops a reason that the catalogue lacks', async () => {
  await tierThat(faulty(422, { error: { code: 'INVALID_IMAGE', reason: 'constructor' } }));
  expect(await failure(detect())).toMatchObject({ code: 'INVALID_IMAGE', reason: undefined });
});

test('SERVICE_UNAVAILABLE without a reason is overload', async () => {
  await tierThat(faulty(503, { error: { code: 'SERVICE_UNAVAILABLE' } }, { 'retry-after': '3' }));
  expect(await failure(detect())).toEqual({ ...unavailable, reason: 'overload', retryAfterSeconds: 3 });
});

test('replaces a connection that is silent until a deadline, and the idle ones beside it', async () => {
  const kept = new Set<unknown>();
  const held: (() => void)[] = [];
  let silent = false;
  await tierThat((req, res) => {
    if (silent && kept.has(req.socket)) held.push(() => ok(req, res));
    else ok(req, res);
    kept.add(req.socket);
  });
  await Promise.all([detect(), detect(), detect()]);
  // From now on the three connections stay silent.
  silent = true;
  const late = new AbortController();
  const lost = detect(late.signal);
  await once(tier, 'request');
  const waiting = detect();
  await once(tier, 'request');
  late.abort(new ApiError('DEADLINE_EXCEEDED'));
  expect((await failure(lost)).code).toBe('DEADLINE_EXCEEDED');
  // The third connection is idle and would be next.
  expect(await detect()).toEqual({ faces: [] });
  expect(held).toHaveLength(2);
  // The other request in flight goes on.
  held[1]?.();
  expect(await waiting).toEqual({ faces: [] });
});

test('replaces a lost connection with a new one', async () => {
  const kept = new Set<unknown>();
  await tierThat((req, res) => {
    if (kept.has(req.socket)) req.socket.destroy();
    else ok(req, res);
    kept.add(req.socket);
  });
  // Several connections in the pool, so that a retry on another of them would be lost as well.
  await Promise.all([detect(), detect(), detect()]);
  expect(await detect()).toEqual({ faces: [] });
});

test('a tier that dies during requests is SERVICE_UNAVAILABLE', async () => {
  let alive = true;
  await tierThat((req, res) => {
    if (alive) ok(req, res);
    else req.socket.destroy();
  });
  await Promise.all([detect(), detect(), detect()]);
  alive = false;
  expect(await Promise.all([failure(detect()), failure(detect())])).toEqual([unavailable, unavailable]);
});

test('a reply that breaks off is SERVICE_UNAVAILABLE', async () => {
  await tierThat((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    res.write('{"faces":', () => res.destroy());
  });
  expect(await failure(detect())).toEqual(unavailable);
});

test('a reply that is not JSON is INTERNAL_ERROR', async () => {
  await tierThat((_req, res) => void res.setHeader('content-type', 'application/json').end('{"faces":'));
  expect((await failure(detect())).code).toBe('INTERNAL_ERROR');
});

test('the signal aborts the call while the reply arrives, and closes its connection', async () => {
  const abort = new AbortController();
  let closed: Promise<unknown> = Promise.resolve();
  await tierThat((req, res) => {
    closed = new Promise((resolve) => req.socket.once('close', resolve));
    res.writeHead(200, { 'content-type': 'application/json' });
    res.write('{', () => abort.abort(new ApiError('DEADLINE_EXCEEDED')));
  });
  expect((await failure(detect(abort.signal))).code).toBe('DEADLINE_EXCEEDED');
  await closed;
});

test('sends nothing for a client that has disconnected', async () => {
  let received = 0;
  await tierThat((req, res) => {
    received++;
    ok(req, res);
  });
  const left = AbortSignal.abort(new ApiError('DEADLINE_EXCEEDED'));
  expect((await failure(detect(left))).code).toBe('DEADLINE_EXCEEDED');
  await detect();
  expect(received).toBe(1);
});

test('a reply that is too large is INTERNAL_ERROR', async () => {
  const block = Buffer.alloc(1024 * 1024, ' ');
  await tierThat((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const pour = () => {
      while (!res.destroyed && res.write(block));
    };
    res.on('drain', pour);
    pour();
  });
  expect((await failure(detect())).code).toBe('INTERNAL_ERROR');
});

test('an unreachable tier is SERVICE_UNAVAILABLE, immediately once the outage is known', async () => {
  await tierThat(ok);
  tier.close();
  await once(tier, 'close');
  expect(await failure(detect())).toEqual(unavailable);
  const begin = performance.now();
  expect(await failure(detect())).toEqual(unavailable);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test('retries while the tier refuses connections for a moment', async () => {
  await tierThat(ok);
  const { port } = tier.address() as AddressInfo;
  tier.close();
  await once(tier, 'close');
  const reply = detect();
  // The connection has been refused at least once by now.
  await new Promise(setImmediate);
  tier = createServer(ok).listen(port, '127.0.0.1');
  expect(await reply).toEqual({ faces: [] });
});

test('sends a request that breaks every connection twice and no more', async () => {
  let received = 0;
  await tierThat((req) => {
    received += 1;
    req.socket.destroy();
  });
  expect(await failure(detect())).toEqual(unavailable);
  expect(received).toBe(2);
});

describe('compare', () => {
  const compare = () =>
    client.compare(Buffer.from('source'), Buffer.from('image'), {
      requestId: 'req_1',
      deadline: { signal: new AbortController().signal, leftMs: () => 1234.5 },
    });

  test('sends both images in one body with their lengths', async () => {
    let received: unknown;
    await tierThat((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        received = [req.method, req.url, req.headers['x-part-lengths'], body];
      });
      ok(req, res);
    });
    await compare();
    expect(received).toEqual(['POST', '/compare', '6,5', 'sourceimage']);
  });

  test.each([
    ['source', 'No face was found in the source image.'],
    ['target', 'No face was found in the target image.'],
  ])('the error names the %s without a face', async (part, message) => {
    await tierThat(faulty(422, { error: { code: 'NO_FACE_DETECTED', reason: part, part } }));
    await expect(compare()).rejects.toMatchObject({
      body: { code: 'NO_FACE_DETECTED', reason: part, message },
    });
  });

  test.each([
    ['source', 'sourceImage'],
    ['target', 'targetImage'],
  ])('a damaged %s is reported as the field %s', async (part, field) => {
    await tierThat(faulty(422, { error: { code: 'INVALID_IMAGE', reason: 'corrupt', part } }));
    const message = `The image in the field ${field} is damaged and cannot be decoded.`;
    await expect(compare()).rejects.toMatchObject({ body: { reason: 'corrupt', message } });
  });
});

test('a tier that hangs is not ready', async () => {
  await tierThat(() => {});
  expect(await client.ready()).toBe(false);
});

test('a tier is ready whose response the gateway had no time to read', async () => {
  await tierThat((_req, res) => {
    res.writeHead(200).end('{}');
    // Longer than a probe waits, before the response is read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  });
  expect(await client.ready()).toBe(true);
});
