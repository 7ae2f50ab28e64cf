/** The client against a tier that misbehaves in each way. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../errors';
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
  const error = (await work.catch((thrown) => thrown)) as AppError;
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

test('the tier is told the request and what is left of the deadline', async () => {
  let headers: unknown;
  await tierThat((req, res) => {
    headers = req.headers;
    ok(req, res);
  });
  await detect();
  expect(headers).toMatchObject({ 'x-request-id': 'req_1', 'x-deadline-ms': '1234' });
});

test('a tier that ends connections after some requests, so that they spread over pods, loses none', async () => {
  await tierThat(ok);
  tier.maxRequestsPerSocket = 2;
  let connections = 0;
  tier.on('connection', () => {
    connections += 1;
  });
  for (let request = 0; request < 5; request++) expect(await detect()).toEqual({ faces: [] });
  expect(connections).toBe(3);
});

test('every request reaches the tier, which sheds by itself', async () => {
  const waiting: (() => void)[] = [];
  let all: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    all = resolve;
  });
  await tierThat((req, res) => {
    waiting.push(() => ok(req, res));
    if (waiting.length === 300) all();
  });
  const answers = Array.from({ length: 300 }, () => detect());
  await arrived;
  for (const answer of waiting) answer();
  await Promise.all(answers);
});

test.each([
  ['a code that is not the wire’s', { error: { code: 'WEIRD' } }],
  ['a code of the public API only', { error: { code: 'QUOTA_EXCEEDED' } }],
  ['a name that objects have', { error: { code: 'constructor' } }],
  ['a code that is no text', { error: { code: { a: 1 } } }],
  ['nothing', null],
  ['a text', 'text'],
])('%s is INTERNAL_ERROR', async (_name, body) => {
  await tierThat(faulty(500, body));
  expect((await failure(detect())).code).toBe('INTERNAL_ERROR');
});

test('a reason that the catalogue lacks is dropped', async () => {
  await tierThat(faulty(422, { error: { code: 'INVALID_IMAGE', reason: 'constructor' } }));
  expect(await failure(detect())).toMatchObject({ code: 'INVALID_IMAGE', reason: undefined });
});

test('SERVICE_UNAVAILABLE without a reason is overload', async () => {
  await tierThat(faulty(503, { error: { code: 'SERVICE_UNAVAILABLE' } }, { 'retry-after': '3' }));
  expect(await failure(detect())).toEqual({ ...unavailable, reason: 'overload', retryAfterSeconds: 3 });
});

test('a connection that is silent until a deadline is not trusted any more, nor are the idle ones beside it', async () => {
  const kept = new Set<unknown>();
  const held: (() => void)[] = [];
  let silent = false;
  await tierThat((req, res) => {
    if (silent && kept.has(req.socket)) held.push(() => ok(req, res));
    else ok(req, res);
    kept.add(req.socket);
  });
  await Promise.all([detect(), detect(), detect()]);
  // From now on nothing comes back on any of the three.
  silent = true;
  const late = new AbortController();
  const lost = detect(late.signal);
  await once(tier, 'request');
  const waiting = detect();
  await once(tier, 'request');
  late.abort(new AppError('DEADLINE_EXCEEDED'));
  expect((await failure(lost)).code).toBe('DEADLINE_EXCEEDED');
  // The third was idle and would have been used.
  expect(await detect()).toEqual({ faces: [] });
  expect(held).toHaveLength(2);
  // What is in flight beside it is not cut.
  held[1]?.();
  expect(await waiting).toEqual({ faces: [] });
});

test('a kept connection that was lost is replaced by a fresh one', async () => {
  const kept = new Set<unknown>();
  await tierThat((req, res) => {
    if (kept.has(req.socket)) req.socket.destroy();
    else ok(req, res);
    kept.add(req.socket);
  });
  // Several kept connections, so that a second attempt from the pool would be lost as well.
  await Promise.all([detect(), detect(), detect()]);
  expect(await detect()).toEqual({ faces: [] });
});

test('a tier that dies while it works is SERVICE_UNAVAILABLE', async () => {
  let alive = true;
  await tierThat((req, res) => {
    if (alive) ok(req, res);
    else req.socket.destroy();
  });
  await Promise.all([detect(), detect(), detect()]);
  alive = false;
  expect(await Promise.all([failure(detect()), failure(detect())])).toEqual([unavailable, unavailable]);
});

test('a reply that is cut midway is SERVICE_UNAVAILABLE', async () => {
  await tierThat((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    res.write('{"faces":', () => res.destroy());
  });
  expect(await failure(detect())).toEqual(unavailable);
});

test('a reply that is no JSON is INTERNAL_ERROR', async () => {
  await tierThat((_req, res) => void res.setHeader('content-type', 'application/json').end('{"faces":'));
  expect((await failure(detect())).code).toBe('INTERNAL_ERROR');
});

test('the signal ends the call, also while the reply trickles in, and closes its connection', async () => {
  const abort = new AbortController();
  let closed: Promise<unknown> = Promise.resolve();
  await tierThat((req, res) => {
    closed = new Promise((resolve) => req.socket.once('close', resolve));
    res.writeHead(200, { 'content-type': 'application/json' });
    res.write('{', () => abort.abort(new AppError('DEADLINE_EXCEEDED')));
  });
  expect((await failure(detect(abort.signal))).code).toBe('DEADLINE_EXCEEDED');
  await closed;
});

test('nothing is sent for a caller who has already left', async () => {
  let received = 0;
  await tierThat((req, res) => {
    received++;
    ok(req, res);
  });
  const left = AbortSignal.abort(new AppError('DEADLINE_EXCEEDED'));
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

test('an unreachable tier returns SERVICE_UNAVAILABLE, and at once when the outage is known', async () => {
  await tierThat(ok);
  tier.close();
  await once(tier, 'close');
  expect(await failure(detect())).toEqual(unavailable);
  const begin = performance.now();
  expect(await failure(detect())).toEqual(unavailable);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test('a request keeps connecting while the tier refuses connections for a moment', async () => {
  await tierThat(ok);
  const { port } = tier.address() as AddressInfo;
  tier.close();
  await once(tier, 'close');
  const answer = detect();
  // Refused at least once by now, since the connection was tried before this.
  await new Promise(setImmediate);
  tier = createServer(ok).listen(port, '127.0.0.1');
  expect(await answer).toEqual({ faces: [] });
});

test('a request that breaks each connection is sent twice and no more', async () => {
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

  test('both images travel in one body, with the length of each', async () => {
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
  ])('without a face in the %s the error says so', async (part, message) => {
    await tierThat(faulty(422, { error: { code: 'NO_FACE_DETECTED', reason: part, part } }));
    await expect(compare()).rejects.toMatchObject({
      body: { code: 'NO_FACE_DETECTED', reason: part, message },
    });
  });

  test.each([
    ['source', 'sourceImage'],
    ['target', 'targetImage'],
  ])('a damaged %s is told as the field %s', async (part, field) => {
    await tierThat(faulty(422, { error: { code: 'INVALID_IMAGE', reason: 'corrupt', part } }));
    const message = `The image in the field ${field} is damaged and cannot be decoded.`;
    await expect(compare()).rejects.toMatchObject({ body: { reason: 'corrupt', message } });
  });
});

test('a tier that hangs is not ready, within about a second', async () => {
  await tierThat(() => {});
  const begin = performance.now();
  expect(await client.ready()).toBe(false);
  expect(performance.now() - begin).toBeLessThan(2_000);
});
