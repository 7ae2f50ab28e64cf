/**
 * The gateway refuses to read some requests, and limits how many it handles at once.
 *
 * Slow: bodies arrive slowly, as those of slow clients do.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../harness/index.mjs';
import { ApiError, ClientGone } from '../src/errors';
import type { Services } from '../src/http/app';
import { AdaptiveLimit } from '../src/services/inference/adaptive-limit';
import type { Principal } from '../src/services/keys/keys';
import { Admission } from '../src/services/limits/admission';
import { termsOf } from '../src/services/plans/terms';
import { Connection, expectEnvelope, imageBody, json, principal, StandIn, tierThatDetects } from './stand-in';

const MB = 1024 * 1024;
const declared = (bytes: number) => ({ ...json, 'Content-Length': bytes });

let standIn: StandIn;
afterEach(() => standIn.stop());

async function overloadedBy(admission: Admission) {
  standIn = await StandIn.start({ admission });
  const first = standIn.connect().send('POST /detect HTTP/1.1', {
    ...json,
    Expect: '100-continue',
    'Content-Length': imageBody.length,
  });
  // The body is asked for: the request is in.
  expect((await first.reply()).status).toBe(100);
  return first;
}

test('requests above the limit get SERVICE_UNAVAILABLE at once, until one ends', async () => {
  const first = await overloadedBy(new Admission({ maxRequests: 1, maxBodyBytes: MB }));
  const refused = await standIn.connect().detect().reply();
  expectEnvelope(refused, 'SERVICE_UNAVAILABLE', 'overload');
  expect(refused.head).toMatch(/^retry-after: 1$/im);
  first.socket.write(imageBody);
  expect((await first.reply()).status).toBe(200);
  expect((await standIn.connect().detect().reply()).status).toBe(200);
});

const chunked = { ...json, 'Transfer-Encoding': 'chunked' };
const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

test('bytes in flight count by the declared length, or as they arrive without one', async () => {
  await overloadedBy(new Admission({ maxRequests: 9, maxBodyBytes: 16 * MB }));
  const growing = standIn.connect().send('POST /detect HTTP/1.1', chunked, chunkOf(MB));
  for (let i = 0; i < 15; i++) growing.socket.write(chunkOf(MB));
  expectEnvelope(await growing.reply(), 'RATE_LIMIT_EXCEEDED', 'concurrency');
  const large = standIn.connect().send('POST /detect HTTP/1.1', declared(16 * MB));
  expectEnvelope(await large.reply(), 'SERVICE_UNAVAILABLE', 'overload');
  expect((await standIn.connect().detect().reply()).status).toBe(200);
});

/** Each key is its account. */
const accounts: Services['keys'] = {
  authenticate: async (key) =>
    key === ''
      ? undefined
      : { accountId: key, keyId: key, mode: 'live', plan: 'business', terms: termsOf('business') },
};

test('one account holds at most half of the bytes in flight, or one largest body', async () => {
  const admission = new Admission({ maxRequests: 99, maxBodyBytes: 256 * MB });
  standIn = await StandIn.start({ admission, keys: accounts });
  const upload = (key: string, path: string, headers: object) =>
    standIn.connect().send(`POST ${path} HTTP/1.1`, {
      ...json,
      Authorization: `Bearer ${key}`,
      Expect: '100-continue',
      ...headers,
    });
  // Chunked bodies of which nothing has come hold nothing.
  for (let i = 0; i < 8; i++) {
    const trickle = upload('greedy', '/batch', { 'Transfer-Encoding': 'chunked' });
    expect((await trickle.reply()).status).toBe(100);
  }
  expect(admission.inFlight).toEqual({ requests: 8, bodyBytes: 0 });
  for (let i = 0; i < 2; i++) {
    const largest = upload('greedy', '/batch', { 'Content-Length': 64 * MB });
    expect((await largest.reply()).status).toBe(100);
  }
  const refused = await upload('greedy', '/detect', { 'Content-Length': MB }).reply();
  expectEnvelope(refused, 'RATE_LIMIT_EXCEEDED', 'concurrency');
  expect(refused.head).toMatch(/^retry-after: 1$/im);
  expect((await upload('other', '/batch', { 'Content-Length': 64 * MB }).reply()).status).toBe(100);
});

test('a running request keeps its permit after its client has disconnected', async () => {
  const admission = new Admission({ maxRequests: 9, maxBodyBytes: 16 * MB });
  let finish = () => {};
  const working = new Promise<void>((begun) => {
    const work = () =>
      new Promise<never>((resolve) => {
        finish = () => resolve({ faces: [], timings: {} } as never);
        begun();
      });
    void StandIn.start({ admission, inference: tierThatDetects(work) }).then((started) => {
      standIn = started;
      standIn.connect().detect();
    });
  });
  await working;
  const closed = new Promise((resolve) =>
    standIn.server.getConnections(() => resolve(standIn.server.closeAllConnections())),
  );
  await closed;
  await new Promise(setImmediate);
  expect(admission.inFlight.requests).toBe(1);
  finish();
  await admission.empty();
  expect(admission.inFlight).toEqual({ requests: 0, bodyBytes: 0 });
});

test('a client that disconnects frees capacity', async () => {
  const admission = new Admission({ maxRequests: 1, maxBodyBytes: MB });
  const first = await overloadedBy(admission);
  first.socket.destroy();
  await first.closed;
  const permit = await waitUntil('the request has left', () => admission.enter(MB));
  permit.release();
});

test('requests that a full tier would reject are rejected unread, with its Retry-After, and not billed', async () => {
  const adaptiveLimit = new AdaptiveLimit();
  /** Ends one that the tier holds. */
  const holding: (() => void)[] = [];
  let asked = 0;
  const tier = tierThatDetects(() => {
    asked++;
    if (holding.length >= 40)
      throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 7 });
    return new Promise((resolve) => holding.push(() => resolve({ faces: [], timings: {} } as never)));
  });
  standIn = await StandIn.start({ adaptiveLimit, inference: tier });
  const waiting = Array.from({ length: 40 }, () => standIn.connect().detect());
  await waitUntil('the tier has 40 calls', () => asked === 40);
  // Rejections teach the gateway the tier's limit.
  for (let before = 0; before < asked; ) {
    before = asked;
    expectEnvelope(await standIn.connect().detect().reply(), 'SERVICE_UNAVAILABLE', 'overload');
  }
  const most = asked;

  // Its body never comes.
  const unread = await standIn.connect().send('POST /detect HTTP/1.1', declared(MB)).reply();
  expectEnvelope(unread, 'SERVICE_UNAVAILABLE', 'overload');
  expect(unread.head).toMatch(/^retry-after: 7$/im);
  const unknown = { ...declared(MB), Authorization: 'Bearer wrong' };
  expectEnvelope(await standIn.connect().send('POST /detect HTTP/1.1', unknown).reply(), 'INVALID_API_KEY');
  expect(asked).toBe(most);

  for (const finish of holding.splice(0)) finish();
  for (const request of waiting) expect((await request.reply()).status).toBe(200);
  const next = standIn.connect().detect();
  await waitUntil('the tier has the next call', () => holding.length > 0);
  holding[0]?.();
  expect((await next.reply()).status).toBe(200);
});

/** A tier that does not respond before the caller disconnects, and a function that waits for a number of calls. */
function tierThatHolds() {
  let asked = 0;
  const tier = tierThatDetects((_image, { deadline }) => {
    asked++;
    return new Promise((_, reject) =>
      deadline.signal.addEventListener('abort', () => reject(new ClientGone())),
    );
  });
  const holds = (count: number) => waitUntil(`the tier has ${count} calls`, () => asked >= count);
  return { tier, holds };
}

test('a client that disconnects frees capacity at the inference tier', async () => {
  const adaptiveLimit = new AdaptiveLimit();
  const { tier, holds } = tierThatHolds();
  standIn = await StandIn.start({ adaptiveLimit, inference: tier });
  const clients = Array.from({ length: 16 }, () => standIn.connect().detect());
  await holds(16);
  const refusal = new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload' });
  for (let i = 0; i < 20; i++)
    await adaptiveLimit.run(`acc_${i}`, () => Promise.reject(refusal)).catch(() => {});
  expect(() => adaptiveLimit.check('acc_2')).toThrow(ApiError);
  clients[0]?.socket.destroy();
  const hasRoom = () => {
    try {
      adaptiveLimit.check('acc_2');
      return true;
    } catch {
      return false;
    }
  };
  await waitUntil('the tier has room', hasRoom);
});

test('pipelined requests free their capacity when their client disconnects', async () => {
  const admission = new Admission({ maxRequests: 10, maxBodyBytes: MB });
  const { tier, holds } = tierThatHolds();
  standIn = await StandIn.start({ admission, inference: tier });
  const client = standIn.connect();
  for (let i = 0; i < 5; i++) client.detect();
  await holds(5);
  expect(admission.inFlight.requests).toBe(5);
  client.socket.destroy();
  await admission.empty();
  expect(admission.inFlight).toEqual({ requests: 0, bodyBytes: 0 });
  await waitUntil('each is logged', () => standIn.log.filter(({ status }) => status === 499).length >= 5);
});

describe('a body that is not wanted', () => {
  beforeEach(async () => {
    standIn = await StandIn.start();
  });

  test.each([
    ['too large by its length', declared(16 * MB + 1), 'IMAGE_TOO_LARGE'],
    ['with an unknown key', { ...declared(16 * MB), Authorization: 'Bearer wrong' }, 'INVALID_API_KEY'],
    ['without a key', { 'Content-Length': MB }, 'INVALID_API_KEY'],
    ['that is no JSON', { ...declared(MB), 'Content-Type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const)('%s is served without waiting for it', async (_name, headers, code) => {
    const reply = await standIn.connect().send('POST /detect HTTP/1.1', headers).reply();
    expectEnvelope(reply, code);
    expect(reply.head).toMatch(/^connection: close$/im);
  });

  const brief = { Authorization: 'Bearer wrong', 'Content-Length': 64 * 1024 };

  test('a short unread body leaves its connection for the next request', async () => {
    const client = standIn.connect().send('POST /detect HTTP/1.1', brief);
    const reply = await client.reply();
    expectEnvelope(reply, 'INVALID_API_KEY');
    expect(reply.head).toMatch(/^connection: keep-alive$/im);
    client.socket.write(' '.repeat(64 * 1024));
    expect((await client.detect().reply()).status).toBe(200);
  });

  test('a short body that never arrives does not hold its connection', async () => {
    const client = standIn.connect().send('POST /detect HTTP/1.1', brief);
    const reply = await client.reply();
    expect(reply.head).toMatch(/^connection: keep-alive$/im);
    await client.closed;
  });

  test.each([
    ['small', brief],
    ['large', { ...brief, 'Content-Length': MB }],
  ])('a client gets its response while it slowly sends the rest of a %s body', async (_name, headers) => {
    const socket = connect({ port: standIn.port, host: '127.0.0.1', allowHalfOpen: true });
    const client = new Connection(socket).send('POST /detect HTTP/1.1', headers);
    expectEnvelope(await client.reply(), 'INVALID_API_KEY');
    // Together, these pauses are longer than one may be.
    for (let i = 0; i < 6; i++) {
      socket.write(' ');
      await delay(500);
    }
    socket.end(' '.repeat(headers['Content-Length'] - 6));
    await client.closed;
    expect(client.error).toBeUndefined();
    expect(socket.bytesWritten).toBeGreaterThan(headers['Content-Length']);
  });

  test('a short unread body may end before its connection closes, so that the client gets the response', async () => {
    const client = standIn.connect();
    client.socket.pause();
    client.send('POST /detect HTTP/1.1', { ...brief, Connection: 'close' }, ' '.repeat(32 * 1024));
    await new Promise((resolve) => standIn.server.once('request', resolve));
    client.socket.write(' '.repeat(32 * 1024));
    client.socket.resume();
    expectEnvelope(await client.reply(), 'INVALID_API_KEY');
    await client.closed;
    expect(client.error).toBeUndefined();
  });

  test.each([
    ['one byte over the limit', { ...brief, 'Content-Length': 64 * 1024 + 1 }],
    ['announced by Expect: 100-continue', { ...brief, Expect: '100-continue' }],
    ['in chunks', { ...json, Authorization: 'Bearer wrong', 'Transfer-Encoding': 'chunked' }],
  ])('a rejected body %s ends its connection', async (_name, headers) => {
    const client = standIn.connect().send('POST /detect HTTP/1.1', headers);
    const reply = await client.reply();
    expectEnvelope(reply, 'INVALID_API_KEY');
    expect(reply.head).toMatch(/^connection: close$/im);
    await client.closed;
  });

  test('a chunked body that is too large gets its response before its end', async () => {
    const client = standIn
      .connect()
      .send('POST /detect HTTP/1.1', { ...json, 'Transfer-Encoding': 'chunked' });
    const chunk = `${MB.toString(16)}\r\n${' '.repeat(MB)}\r\n`;
    for (let i = 0; i < 17; i++) client.socket.write(chunk);
    const reply = await client.reply();
    expectEnvelope(reply, 'IMAGE_TOO_LARGE', 'body');
    expect(reply.head).toMatch(/^connection: close$/im);
  });

  test.each([
    ['POST /detect HTTP/1.1', 401],
    ['GET /health HTTP/1.1', 200],
  ])('an unwanted body is not read by the gigabyte: %s', async (head, status) => {
    const client = standIn.connect().send(head, { 'Content-Length': 10_000 * MB });
    const block = Buffer.alloc(MB);
    const pour = () => {
      while (!client.socket.destroyed && client.socket.write(block));
    };
    client.socket.on('drain', pour);
    pour();
    expect((await client.reply()).status).toBe(status);
    await client.closed;
    expect(client.socket.bytesWritten).toBeLessThan(200 * MB);
  });

  test('an unread body of usual size may end, so that a client that reads late gets its response', async () => {
    const client = standIn.connect();
    client.socket.pause();
    client.send('POST /detect HTTP/1.1', { 'Content-Length': 8 * MB }, ' '.repeat(8 * MB));
    if (client.socket.writableLength > 0)
      await new Promise((resolve) => client.socket.once('drain', resolve));
    client.socket.resume();
    expectEnvelope(await client.reply(), 'INVALID_API_KEY');
    await client.closed;
  });

  test('100 Continue is sent for a body that is wanted only', async () => {
    const expecting = { ...declared(imageBody.length), Expect: '100-continue' };
    const client = standIn.connect().send('POST /detect HTTP/1.1', expecting);
    expect((await client.reply()).status).toBe(100);
    client.socket.write(imageBody);
    expect((await client.reply()).status).toBe(200);
    const refused = { ...expecting, Authorization: 'Bearer wrong' };
    expect((await standIn.connect().send('POST /detect HTTP/1.1', refused).reply()).status).toBe(401);
  });
});

test.each([
  ['requests', { maxRequests: 64, maxBodyBytes: 256 * MB }, imageBody.length],
  ['bytes', { maxRequests: 999, maxBodyBytes: 256 * MB }, 16 * MB],
])('a few accounts cannot take the whole capacity of %s together', async (_title, limits, bytes) => {
  standIn = await StandIn.start({
    admission: new Admission(limits),
    keys: { authenticate: async (name) => ({ ...principal, accountId: name }) },
  });
  const statusOf = async (account: string) => {
    const headers = { ...declared(bytes), Expect: '100-continue', Authorization: `Bearer ${account}` };
    return (await standIn.connect().send('POST /detect HTTP/1.1', headers).reply()).status;
  };
  for (const account of ['first', 'second', 'third', 'fourth']) {
    let status = 0;
    do status = await statusOf(account);
    while (status === 100);
    expect([account, status]).toEqual([account, 429]);
  }
  expect(await statusOf('another')).toBe(100);
});

test('a small body that arrives too slowly gives its capacity back', async () => {
  const admission = new Admission({ maxRequests: 1, maxBodyBytes: MB });
  const slow = await overloadedBy(admission);
  expectEnvelope(await slow.reply(), 'REQUEST_TIMEOUT');
  await slow.closed;
  expect((await standIn.connect().detect().reply()).status).toBe(200);
});

test('one account cannot take the whole capacity; it gets its own concurrency error', async () => {
  const key = (accountId: string): Principal => ({
    accountId,
    keyId: 'key',
    mode: 'live',
    plan: 'business',
    terms: { ...termsOf('business'), concurrency: 2 },
  });
  standIn = await StandIn.start({
    admission: new Admission({ maxRequests: 10, maxBodyBytes: 16 * MB }),
    keys: { authenticate: async (name) => key(name) },
  });
  const open = { ...declared(imageBody.length), Expect: '100-continue' };
  for (let i = 0; i < 2; i++) {
    expect((await standIn.connect().send('POST /detect HTTP/1.1', open).reply()).status).toBe(100);
  }
  const third = await standIn.connect().send('POST /detect HTTP/1.1', open).reply();
  expectEnvelope(third, 'RATE_LIMIT_EXCEEDED', 'concurrency');
  const other = { ...open, Authorization: 'Bearer other' };
  expect((await standIn.connect().send('POST /detect HTTP/1.1', other).reply()).status).toBe(100);
});
