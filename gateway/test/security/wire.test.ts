/** Bytes that were made to be read in two ways, requests and connections without end, and responses that nobody reads. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import openapi from '@presenza/contract/openapi.json';
import pino from 'pino';
import { maxOpenResponses } from '../../src/http/pipelining';
import { createApiServer } from '../../src/http/server';
import { createMetrics } from '../../src/observability/metrics';
import { expectEnvelope, imageBody, json, StandIn } from '../stand-in';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start();
});
afterAll(() => standIn.stop());

/** The paths of the API with their methods, as `Allow` has them. */
const paths = Object.entries(openapi.paths as Record<string, object>).map(([path, item]) => {
  const verbs = ['get', 'post', 'delete'].filter((verb) => verb in item);
  const methods = verbs.map((verb) => (verb === 'get' ? 'GET, HEAD' : verb.toUpperCase()));
  return [path, [...methods, 'OPTIONS'].join(', ')] as const;
});

const head = [
  'POST /detect HTTP/1.1',
  'Host: test',
  ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
].join('\r\n');
/** A proxy in front would take this for part of a body. */
const hidden = 'GET /usage HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer right\r\n\r\n';

test.each([
  ['length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 200', `{}${hidden}`],
  ['a length in hexadecimal', 'Content-Length: 0x2', `{}${hidden}`],
  ['a length with a sign', 'Content-Length: +2', `{}${hidden}`],
  ['an unknown coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`],
  ['a space before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
  ['a folded line', 'X-A: b\r\n Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
  ['a line that ends with LF alone', 'X-A: b\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
  ['a chunk without bounds', 'Transfer-Encoding: chunked', `ffffffffffffffffff\r\n${hidden}`],
])('%s: one rejection, and no response to anything behind it', async (_name, headers, rest) => {
  const socket = connect(standIn.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.write(`${head}\r\n${headers}\r\n\r\n${rest}`);
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
  expect(received).toMatch(/^HTTP\/1\.1 4\d\d/);
  expect(received).not.toContain('productGroups');
});

test.each([
  ['HTTP/2.0 written like HTTP/1.1', 'GET /usage HTTP/2.0\r\nAuthorization: Bearer right', ''],
  ['HTTP/0.9', 'GET /usage', ''],
  ['chunks in HTTP/1.0', `${head.replace('1.1', '1.0')}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hidden}`],
  [
    'chunks in HTTP/1.0 on a connection to be kept',
    `${head.replace('1.1', '1.0')}\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked`,
    `0\r\n\r\n${hidden}`,
  ],
])('%s is refused, and its connection closed', async (_name, headers, rest) => {
  const client = standIn.connect();
  client.socket.write(`${headers}\r\n\r\n${rest}`);
  expectEnvelope(await client.reply(), 'INVALID_PARAMETERS');
  await client.closed;
  await expect(client.reply()).rejects.toThrow('closed after ""');
});

describe('methods', () => {
  const unknown = 'HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n';
  const post = `${head}\r\nContent-Length: ${imageBody.length}\r\n\r\n${imageBody}`;

  test.each([
    ['FOO /detect', 'POST, OPTIONS'],
    ['get /v1/health', 'GET, HEAD, OPTIONS'],
    ['POSTS /v1/liveness?a=b', 'GET, HEAD, POST, OPTIONS'],
    ['DESCRIBE /liveness/ses_1/', 'GET, HEAD, DELETE, OPTIONS'],
    ['SOURCE /Webhooks/wh_1', 'DELETE, OPTIONS'],
    ['X-1!~ /keys', 'GET, HEAD, POST, OPTIONS'],
    // Methods that the parser knows.
    ['LOCK /usage', 'GET, HEAD, OPTIONS'],
    ['PATCH /detect', 'POST, OPTIONS'],
  ])('%s gets 405 with the methods of the path', async (request, allowed) => {
    for (const before of ['', post]) {
      const client = standIn.connect();
      client.socket.write(`${before}${request} ${unknown}`);
      if (before) expect((await client.reply()).status).toBe(200);
      const reply = await client.reply();
      expectEnvelope(reply, 'METHOD_NOT_ALLOWED');
      expect(reply.head).toMatch(new RegExp(`^allow: ${allowed}\r?$`, 'im'));
      client.socket.destroy();
    }
  });

  test('CONNECT gets 405, after the response to the request before', async () => {
    for (const before of ['', post]) {
      const client = standIn.connect();
      client.socket.write(`${before}CONNECT shop.example:443 ${unknown}`);
      if (before) expect((await client.reply()).status).toBe(200);
      expectEnvelope(await client.reply(), 'METHOD_NOT_ALLOWED');
      await client.closed;
    }
  });

  test('an unknown method of an unknown path gets 404', async () => {
    const client = standIn.connect();
    client.socket.write(`FOO /nothing ${unknown}`);
    expectEnvelope(await client.reply(), 'NOT_FOUND', 'operation');
  });

  test.each([
    ['a word', 'hello\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a method with a space in front', ' FOO /detect HTTP/1.1\r\n\r\n'],
    ['an unknown method of HTTP/2', 'FOO /detect HTTP/2.0\r\n\r\n'],
    ['brackets', '{} /detect HTTP/1.1\r\n\r\n'],
  ])('%s is not HTTP', async (_name, bytes) => {
    const client = standIn.connect();
    client.socket.write(Buffer.from(bytes, 'latin1'));
    expectEnvelope(await client.reply(), 'INVALID_PARAMETERS', 'http');
  });

  test.each(paths)('OPTIONS %s gets 204 with the methods that work', async (path, methods) => {
    const target = path.replace(/\{\w+\}/g, 'id');
    for (const prefix of ['', '/v1']) {
      const options = await standIn.connect().send(`OPTIONS ${prefix}${target} HTTP/1.1`).reply();
      expect(options.status).toBe(204);
      expect(options.head).toMatch(new RegExp(`^allow: ${methods}\r?$`, 'im'));
      const other = await standIn.connect().send(`PUT ${prefix}${target} HTTP/1.1`).reply();
      expectEnvelope(other, 'METHOD_NOT_ALLOWED');
      expect(other.head).toMatch(new RegExp(`^allow: ${methods}\r?$`, 'im'));
    }
  });
});

test('bytes behind a request that closes its connection are neither read nor served', async () => {
  const client = standIn.connect();
  client.socket.write(`GET /health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n${hidden}`);
  expect((await client.reply()).status).toBe(200);
  await client.closed;
  await expect(client.reply()).rejects.toThrow('closed after ""');
});

test.each([
  ['HTTP/1.0', '100-continue'],
  ['HTTP/1.1', 'miracles'],
])('a client of %s that expects %s gets no interim response', async (version, expected) => {
  const headers = { ...json, 'Content-Length': imageBody.length, Expect: expected };
  const client = standIn.connect().send(`POST /detect ${version}`, headers, imageBody);
  expect((await client.reply()).status).toBe(200);
  client.socket.destroy();
});

test.each(['a\tb', '../../etc/passwd', '$(id)', 'a"b', 'x'.repeat(129)])(
  'the X-Request-Id %j comes back nowhere',
  async (id) => {
    const { head: replied, body } = await standIn
      .connect()
      .send('GET /health HTTP/1.1', { 'X-Request-Id': id })
      .reply();
    expect(body.requestId).toMatch(/^req_\w{24}$/);
    expect(replied).not.toContain(id);
    expect(JSON.stringify(standIn.log)).not.toContain(id);
  },
);

const silent = pino({ level: 'silent' });

describe('connections above the bound', () => {
  let server: Server;
  beforeAll(async () => {
    server = createApiServer((_req, res) => res.end('served'), silent, createMetrics(), {
      maxConnections: 2,
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test('are closed, and those within it are served', async () => {
    const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1');
    const accepted = async () => {
      const socket = open();
      await once(server, 'connection');
      return socket;
    };
    const [first, second] = [await accepted(), await accepted()];
    const dropped = once(server, 'drop');
    const third = open().on('error', () => {});
    const closed = new Promise((resolve) => third.once('close', resolve));
    await Promise.all([dropped, closed]);
    first.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    expect(String((await once(first, 'data'))[0])).toContain('200 OK');
    for (const socket of [first, second]) socket.destroy();
  });
});

describe('pipelined requests', () => {
  const get = 'GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n';

  test('are all served up to the bound', async () => {
    const client = standIn.connect();
    client.socket.write(get.repeat(maxOpenResponses));
    for (let i = 0; i < maxOpenResponses; i++) expect((await client.reply()).status).toBe(200);
    client.socket.destroy();
  });

  test('requests above the bound end their connection, and none of them starts, whether or not the client reads', async () => {
    const standIn = await StandIn.start();
    for (const reads of [true, false]) {
      const before = standIn.log.filter(({ msg }) => msg === 'request').length;
      const accepted = once(standIn.server, 'connection');
      const client = standIn.connect();
      if (!reads) client.socket.pause();
      const [served] = (await accepted) as [Socket];
      client.socket.write(get.repeat(600));
      await once(served, 'close');
      expect(standIn.log.filter(({ msg }) => msg === 'request')).toHaveLength(before + maxOpenResponses);
      client.socket.destroy();
    }
    expect(standIn.log.filter(({ level }) => level === 40)).toEqual([
      expect.objectContaining({ maxOpenResponses }),
    ]);
    await standIn.stop();
  });
});

test('a client that does not read a response is disconnected; a client that waits for one is not', async () => {
  const more = Buffer.alloc(64 * 1024 * 1024);
  let finish = () => {};
  const server = createApiServer(
    (req, res) => {
      if (req.url === '/more') res.end(more);
      else finish = () => res.end('at last');
    },
    silent,
    createMetrics(),
    { unreadMs: 100 },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const waiting = open();
  waiting.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(server, 'request');

  const accepted = once(server, 'connection');
  const deaf = open().pause();
  const [served] = (await accepted) as [Socket];
  const begin = performance.now();
  deaf.write('GET /more HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2));
  await once(served, 'close');
  // Timers of Node may fire up to a millisecond early.
  expect(performance.now() - begin).toBeGreaterThanOrEqual(98);

  finish();
  expect(String((await once(waiting, 'data'))[0])).toContain('at last');
  for (const socket of [waiting, deaf]) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
