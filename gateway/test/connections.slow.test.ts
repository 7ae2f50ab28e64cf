/**
 * Requests that are not HTTP, and the end of the server.
 *
 * Slow: it holds connections until the gateway closes them.
 */
import limits from '@presenza/contract/limits.json';
import { waitUntil } from '../harness/index.mjs';
import { closeServer, warnOfUntrustedProxy } from '../src/http/server';
import { createMetering, expectEnvelope, json, StandIn, tierThatDetects } from './stand-in';

let standIn: StandIn;

describe('requests that the parser rejects get the envelope and are logged and counted', () => {
  beforeAll(async () => {
    standIn = await StandIn.start();
  });
  afterAll(() => standIn.stop());

  const post = 'POST /detect HTTP/1.1\r\nHost: test\r\n';
  test.each([
    ['no request line', 'HELLO\r\n\r\n', undefined],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 'header'],
    ['a length in words', `${post}Content-Length: many\r\n\r\n`, 'header'],
    ['both lengths and chunks', `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'header'],
  ])('%s', async (_name, text, reason) => {
    const client = standIn.connect();
    client.socket.write(text);
    const reply = await client.reply();
    expectEnvelope(reply, 'INVALID_PARAMETERS', reason);
    expect(reply.head).toMatch(/^connection: close$/im);
    expect(standIn.log).toContainEqual(
      expect.objectContaining({ requestId: reply.body.requestId, status: 400, code: 'INVALID_PARAMETERS' }),
    );
    expect(await standIn.metrics.registry.metrics()).toMatch(
      /request_seconds_count\{operation="none",status="400",plan="none"\} \d/,
    );
    await client.closed;
  });

  test.each([
    ['a bad chunk', 'zz\r\n', ''],
    ['a bad chunk after a good one', '1\r\n{\r\n', 'zz\r\n'],
  ])('%s is logged and counted once, as the request that it is', async (_name, first, second) => {
    const begun = new Promise((resolve) => standIn.server.once('request', resolve));
    const client = standIn.connect();
    const requestId = `req_${first.length}`;
    const headers = { ...json, 'Transfer-Encoding': 'chunked', 'X-Request-Id': requestId };
    client.send('POST /detect HTTP/1.1', headers, first);
    await begun;
    if (second) client.socket.write(second);
    const reply = await client.reply();
    expectEnvelope(reply, 'INVALID_PARAMETERS');
    await client.closed;
    await waitUntil('the request is logged', () => standIn.log.some((line) => line.requestId === requestId));
    expect(standIn.log.filter((line) => line.requestId === requestId)).toEqual([
      expect.objectContaining({ operation: 'detect', status: 400, code: 'INVALID_PARAMETERS' }),
    ]);
    expect(reply.body.requestId).toBe(requestId);
    expect(await standIn.metrics.registry.metrics()).not.toContain('status="499"');
  });

  test('the error for non-HTTP bytes follows the pending response', async () => {
    const client = standIn.connect();
    client.socket.write('GET /health HTTP/1.1\r\nHost: test\r\n\r\nGARBAGE\r\n\r\n');
    expect((await client.reply()).status).toBe(200);
    expectEnvelope(await client.reply(), 'INVALID_PARAMETERS');
    await client.closed;
    expect(await standIn.metrics.registry.metrics()).not.toContain('status="499"');
  });

  test('a bad chunk after the response changes nothing', async () => {
    const before = standIn.log.length;
    const client = standIn.connect();
    const headers = { ...json, Authorization: 'Bearer wrong', 'Transfer-Encoding': 'chunked' };
    client.send('POST /detect HTTP/1.1', headers, '1\r\n{\r\n');
    expectEnvelope(await client.reply(), 'INVALID_API_KEY');
    client.socket.write('zz\r\n');
    await client.closed;
    expect(standIn.log.slice(before)).toEqual([expect.objectContaining({ status: 401 })]);
  });

  test.each([
    ['no Host header', '', 'Host'],
    ['two of them', 'Host: one\r\nHost: two\r\n', 'Host'],
    [
      'two keys, of which Node would drop the second',
      'Host: one\r\nAuthorization: Bearer right\r\nauthorization: Bearer wrong\r\n',
      'Authorization',
    ],
    ['the same key twice', `Host: one\r\n${'Authorization: Bearer right\r\n'.repeat(2)}`, 'Authorization'],
    ['a Host that is none', 'Host: a b/c\r\n', 'Host', 'a host with an optional port'],
    [
      'two types of body',
      'Host: one\r\nContent-Type: application/json\r\nContent-Type: image/jpeg\r\n',
      'Content-Type',
    ],
  ])('%s', async (_name, headers, field, expected = 'given once') => {
    const client = standIn.connect();
    client.socket.write(`GET /usage HTTP/1.1\r\n${headers}\r\n`);
    const reply = await client.reply();
    expectEnvelope(reply, 'INVALID_PARAMETERS', 'header');
    expect(reply.body.error.message).toBe(`The header ${field} must be ${expected}.`);
  });

  test('an expectation of another kind is ignored', async () => {
    expect(
      (await standIn.connect().send('GET /health HTTP/1.1', { Expect: 'miracles' }).reply()).status,
    ).toBe(200);
  });

  const key = 'Authorization: Bearer right\r\n';
  const padding = (headers: number) => 'x-a: b\r\n'.repeat(headers);
  const { maxHeaders, maxHeaderBytes } = limits.http;
  test.each([
    ['a key behind 16 KiB of headers', `X: ${'x'.repeat(maxHeaderBytes)}\r\n${key}`, 'bytes'],
    ['a path of 16 KiB', '', 'bytes', `/${'x'.repeat(maxHeaderBytes)}`],
    ['a key behind too many headers', `${padding(maxHeaders)}${key}`, 'count'],
    ['a key before too many headers', `${key}${padding(maxHeaders)}`, 'count'],
    ['a key behind more headers than Node reads', `${padding(3_000)}${key}`, 'count'],
  ])('%s is HEADERS_TOO_LARGE', async (_name, headers, reason, path = '/usage') => {
    const client = standIn.connect();
    client.socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`);
    expectEnvelope(await client.reply(), 'HEADERS_TOO_LARGE', reason);
    client.socket.destroy();
  });

  test('as many headers as there may be are all read', async () => {
    const client = standIn.connect();
    // Host and the key are two of them.
    client.socket.write(`GET /usage HTTP/1.1\r\nHost: test\r\n${padding(maxHeaders - 2)}${key}\r\n`);
    expect((await client.reply()).status).toBe(200);
    client.socket.destroy();
  });
});

describe('a request that arrives too slowly gets REQUEST_TIMEOUT', () => {
  const patient = `POST /detect HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer right\r\n`;
  const typed = `${patient}Content-Type: application/json\r\n`;
  const trickles: [part: string, head: string, piece: string][] = [
    ['head', 'POST /detect HTTP/1.1\r\nHost: test\r\n', 'x-a: b\r\n'],
    ['body', `${typed}Content-Length: 1000\r\n\r\n`, ' '],
    ['chunked body', `${typed}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ];

  test.each(trickles)(
    'a request whose %s does not end is REQUEST_TIMEOUT; its connection is closed and nothing is metered',
    async (part, head, piece) => {
      const metering = createMetering({
        admit: () => Promise.reject(new Error('not expected')),
        settle: () => Promise.reject(new Error('not expected')),
        replay: () => Promise.reject(new Error('not expected')),
      });
      const standIn = await StandIn.start({ metering });
      standIn.server.headersTimeout = 500;
      standIn.server.requestTimeout = 500;
      const client = standIn.connect();
      client.socket.write(head);
      const trickle = setInterval(() => client.socket.write(piece), 50);
      // Node looks at its timeouts once a second. Without them, this would wait until the test times out.
      const reply = await client.reply();
      clearInterval(trickle);
      expectEnvelope(reply, 'REQUEST_TIMEOUT');
      expect(reply.head).toMatch(/^connection: close$/im);
      await client.closed;
      const { requestId } = reply.body;
      await waitUntil('the request is logged', () =>
        standIn.log.some((line) => line.requestId === requestId),
      );
      expect(standIn.log.filter(({ msg }) => msg === 'request')).toEqual([
        expect.objectContaining({
          requestId,
          status: 408,
          code: 'REQUEST_TIMEOUT',
          operation: part === 'head' ? 'none' : 'detect',
        }),
      ]);
      await standIn.stop();
    },
  );
});

describe('while draining', () => {
  /** A request that is being served when the drain begins. */
  async function busy() {
    let finish: () => void = () => {};
    let draining = false;
    let entered: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const reply = new Promise<never>((resolve) => {
      finish = () => resolve({ faces: [] } as never);
    });
    const detect = () => {
      entered();
      return reply;
    };
    standIn = await StandIn.start({
      draining: () => draining,
      inference: tierThatDetects(detect),
    });
    const client = standIn.connect().detect();
    await working;
    const drain = (deadlineMs: number) => {
      draining = true;
      return closeServer(standIn.server, deadlineMs);
    };
    return { client, finish, drain };
  }

  test('the request in flight is served, and its connection closes', async () => {
    const { client, finish, drain } = await busy();
    const drained = drain(60_000);
    finish();
    const reply = await client.reply();
    expect(reply.status).toBe(200);
    expect(reply.head).toMatch(/^connection: close$/im);
    await Promise.all([drained, client.closed]);
  });

  test('an idle connection closes at once', async () => {
    const { client, finish, drain } = await busy();
    finish();
    await client.reply();
    await Promise.all([drain(60_000), client.closed]);
  });

  test('requests that do not end are cut off at the drain deadline', async () => {
    const { client, drain } = await busy();
    const slow = standIn.connect().send('POST /detect HTTP/1.1', { ...json, 'Content-Length': 1_000 }, '{');
    await new Promise((resolve) => standIn.server.once('request', resolve));
    await drain(200);
    await Promise.all([client.closed, slow.closed]);
  });
});

test.each([
  ['X-Forwarded-For', '192.0.2.1'],
  ['Forwarded', 'for=192.0.2.1'],
  ['X-Real-IP', '192.0.2.1'],
])('an untrusted %s is reported once', async (name, value) => {
  standIn = await StandIn.start();
  const warnings: string[] = [];
  warnOfUntrustedProxy(standIn.server, { warn: (text: string) => warnings.push(text) } as never);
  const client = standIn.connect();
  for (const headers of [{}, { [name]: value }, { [name]: value }]) {
    expect((await client.send('GET /health HTTP/1.1', headers).reply()).status).toBe(200);
    expect(warnings).toHaveLength(name in headers ? 1 : 0);
  }
  expect(warnings[0]).toContain('GATEWAY_TRUST_PROXY trusts no proxy: all clients behind it count as one');
  await standIn.stop();
});

test('a public address without a trusted proxy is reported at the start', async () => {
  standIn = await StandIn.start();
  const warnings: string[] = [];
  const logger = { warn: (text: string) => warnings.push(text) } as never;
  warnOfUntrustedProxy(standIn.server, logger, 'https://presenza.example.com/verify');
  expect(warnings).toEqual([expect.stringContaining('all clients behind it count as one')]);
  await standIn.connect().send('GET /health HTTP/1.1', { 'X-Forwarded-For': '192.0.2.1' }).reply();
  expect(warnings).toHaveLength(1);
  await standIn.stop();
});
