/** Bytes that were made to be read in two ways, and connections without end. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import pino from 'pino';
import { createMetrics } from '../../src/metrics';
import { createApiServer } from '../../src/server';
import { json, StandIn } from '../stand-in';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start();
});
afterAll(() => standIn.stop());

const head = [
  'POST /detect HTTP/1.1',
  'Host: test',
  ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
].join('\r\n');
/** What a proxy in front would have taken for part of a body. */
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
])('%s: one refusal, and nothing behind it is answered', async (_name, headers, rest) => {
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

test.each(['a\tb', '../../etc/passwd', '$(id)', 'a"b', 'x'.repeat(129)])(
  'the X-Request-Id %j comes back nowhere',
  async (id) => {
    const { head: answered, body } = await standIn
      .connect()
      .send('GET /health HTTP/1.1', { 'X-Request-Id': id })
      .answer();
    expect(body.requestId).toMatch(/^req_\w{24}$/);
    expect(answered).not.toContain(id);
    expect(JSON.stringify(standIn.log)).not.toContain(id);
  },
);

describe('connections beyond the bound', () => {
  let server: Server;
  beforeAll(async () => {
    const silent = pino({ level: 'silent' });
    server = createApiServer((_req, res) => res.end('served'), silent, createMetrics(), 2);
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
    await dropped;
    first.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    expect(String((await once(first, 'data'))[0])).toContain('200 OK');
    for (const socket of [first, second, third]) socket.destroy();
  });
});
