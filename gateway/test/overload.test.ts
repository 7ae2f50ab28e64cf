/** What the gateway refuses to read, and how much it takes on at once. */

import type { Services } from '../src/app';
import { Admission } from '../src/services/admission';
import type { Principal } from '../src/services/keys/keys';
import { termsOf } from '../src/services/metering/terms';
import { expectEnvelope, imageBody, json, StandIn, tierThatDetects } from './stand-in';

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
  expect((await first.answer()).status).toBe(100);
  return first;
}

test('requests beyond those admitted are SERVICE_UNAVAILABLE at once, until one has left', async () => {
  const first = await overloadedBy(new Admission({ maxRequests: 1, maxBodyBytes: MB }));
  const refused = await standIn.connect().detect().answer();
  expectEnvelope(refused, 'SERVICE_UNAVAILABLE', 'overload');
  expect(refused.head).toMatch(/^retry-after: 1$/im);
  first.socket.write(imageBody);
  expect((await first.answer()).status).toBe(200);
  expect((await standIn.connect().detect().answer()).status).toBe(200);
});

const chunked = { ...json, 'Transfer-Encoding': 'chunked' };
const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

test('bytes in flight are counted by what the headers announce, and as they come where they announce nothing', async () => {
  await overloadedBy(new Admission({ maxRequests: 9, maxBodyBytes: 16 * MB }));
  const growing = standIn.connect().send('POST /detect HTTP/1.1', chunked, chunkOf(MB));
  for (let i = 0; i < 15; i++) growing.socket.write(chunkOf(MB));
  expectEnvelope(await growing.answer(), 'RATE_LIMIT_EXCEEDED', 'concurrency');
  const large = standIn.connect().send('POST /detect HTTP/1.1', declared(16 * MB));
  expectEnvelope(await large.answer(), 'SERVICE_UNAVAILABLE', 'overload');
  expect((await standIn.connect().detect().answer()).status).toBe(200);
});

/** Each key is its account. */
const accounts: Services['keys'] = {
  authenticate: async (key) =>
    key === ''
      ? undefined
      : { accountId: key, keyId: key, mode: 'live', plan: 'business', terms: termsOf('business') },
};

test('one account holds half of the bytes in flight, or its one largest body; others find room', async () => {
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
    expect((await trickle.answer()).status).toBe(100);
  }
  expect(admission.inFlight).toEqual({ requests: 8, bodyBytes: 0 });
  for (let i = 0; i < 2; i++) {
    const largest = upload('greedy', '/batch', { 'Content-Length': 64 * MB });
    expect((await largest.answer()).status).toBe(100);
  }
  const refused = await upload('greedy', '/detect', { 'Content-Length': MB }).answer();
  expectEnvelope(refused, 'RATE_LIMIT_EXCEEDED', 'concurrency');
  expect(refused.head).toMatch(/^retry-after: 1$/im);
  expect((await upload('other', '/batch', { 'Content-Length': 64 * MB }).answer()).status).toBe(100);
});

test('what runs stays in until it is done, also when its client has left', async () => {
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

test('a client that leaves makes room', async () => {
  const admission = new Admission({ maxRequests: 1, maxBodyBytes: MB });
  const first = await overloadedBy(admission);
  first.socket.destroy();
  await first.closed;
  await expect(
    (async () => {
      for (;;) {
        const stay = admission.enter(MB);
        if (stay) return stay.leave();
        await new Promise(setImmediate);
      }
    })(),
  ).resolves.toBeUndefined();
});

describe('a body that is not wanted', () => {
  beforeEach(async () => {
    standIn = await StandIn.start();
  });

  test.each([
    ['too large by its length', declared(16 * MB + 1), 'PAYLOAD_TOO_LARGE'],
    ['of an unknown key', { ...declared(16 * MB), Authorization: 'Bearer wrong' }, 'INVALID_API_KEY'],
    ['without a key', { 'Content-Length': MB }, 'INVALID_API_KEY'],
    ['that is no JSON', { ...declared(MB), 'Content-Type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const)('%s is answered without waiting for it', async (_name, headers, code) => {
    const answer = await standIn.connect().send('POST /detect HTTP/1.1', headers).answer();
    expectEnvelope(answer, code);
    expect(answer.head).toMatch(/^connection: close$/im);
  });

  test('too large in chunks is answered before its end', async () => {
    const client = standIn
      .connect()
      .send('POST /detect HTTP/1.1', { ...json, 'Transfer-Encoding': 'chunked' });
    const chunk = `${MB.toString(16)}\r\n${' '.repeat(MB)}\r\n`;
    for (let i = 0; i < 17; i++) client.socket.write(chunk);
    const answer = await client.answer();
    expectEnvelope(answer, 'PAYLOAD_TOO_LARGE');
    expect(answer.head).toMatch(/^connection: close$/im);
  });

  test.each([
    ['POST /detect HTTP/1.1', 401],
    ['GET /health HTTP/1.1', 200],
  ])('is not swallowed by the gigabyte: %s', async (head, status) => {
    const client = standIn.connect().send(head, { 'Content-Length': 10_000 * MB });
    const block = Buffer.alloc(MB);
    const pour = () => {
      while (!client.socket.destroyed && client.socket.write(block));
    };
    client.socket.on('drain', pour);
    pour();
    expect((await client.answer()).status).toBe(status);
    await client.closed;
    expect(client.socket.bytesWritten).toBeLessThan(200 * MB);
  });

  test('of the usual size may end, so that a client that only then listens gets its answer', async () => {
    const client = standIn.connect();
    client.socket.pause();
    client.send('POST /detect HTTP/1.1', { 'Content-Length': 8 * MB }, ' '.repeat(8 * MB));
    if (client.socket.writableLength > 0)
      await new Promise((resolve) => client.socket.once('drain', resolve));
    client.socket.resume();
    expectEnvelope(await client.answer(), 'INVALID_API_KEY');
    await client.closed;
  });

  test('100 Continue is sent for a body that is wanted only', async () => {
    const expecting = { ...declared(imageBody.length), Expect: '100-continue' };
    const client = standIn.connect().send('POST /detect HTTP/1.1', expecting);
    expect((await client.answer()).status).toBe(100);
    client.socket.write(imageBody);
    expect((await client.answer()).status).toBe(200);
    const refused = { ...expecting, Authorization: 'Bearer wrong' };
    expect((await standIn.connect().send('POST /detect HTTP/1.1', refused).answer()).status).toBe(401);
  });
});

test('one account cannot take all places: what it may not run at once is its own to wait for', async () => {
  const key = (accountId: string): Principal => ({
    ...{ accountId, keyId: 'key', mode: 'live', plan: 'business' },
    terms: { ...termsOf('business'), concurrency: 2 },
  });
  standIn = await StandIn.start({
    admission: new Admission({ maxRequests: 10, maxBodyBytes: 16 * MB }),
    keys: { authenticate: async (name) => key(name) },
  });
  const open = { ...declared(imageBody.length), Expect: '100-continue' };
  for (let i = 0; i < 2; i++) {
    expect((await standIn.connect().send('POST /detect HTTP/1.1', open).answer()).status).toBe(100);
  }
  const third = await standIn.connect().send('POST /detect HTTP/1.1', open).answer();
  expectEnvelope(third, 'RATE_LIMIT_EXCEEDED', 'concurrency');
  const other = { ...open, Authorization: 'Bearer other' };
  expect((await standIn.connect().send('POST /detect HTTP/1.1', other).answer()).status).toBe(100);
});
