/** The faults of the proxy, over real sockets to an echo server. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultProxy } from './proxy.mjs';

let server: Server;
/** The ends of the echo server, in the order of their connections. */
let sockets: Socket[];
let proxy: FaultProxy;

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await FaultProxy.listen((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

interface Client {
  readonly socket: Socket;
  /** How the connection ends: `closed`, or the code of its error. */
  readonly fate: Promise<string>;
}

async function dial(): Promise<Client> {
  const socket = connect(proxy.port, '127.0.0.1');
  const fate = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('close', () => resolve('closed'));
  });
  await Promise.race([once(socket, 'connect').catch(() => {}), fate]);
  return { socket, fate };
}

/** How long a text takes to come back, in ms. */
async function echo({ socket }: Client, text: string): Promise<number> {
  const begin = performance.now();
  socket.write(text);
  let received = 0;
  while (received < text.length) received += (await once(socket, 'data'))[0].length;
  return performance.now() - begin;
}

/** Sends a text and counts the chunks that come back. */
function listenAfter({ socket }: Client, text: string): { chunks: number } {
  const heard = { chunks: 0 };
  socket.on('data', () => {
    heard.chunks += 1;
  });
  socket.write(text);
  return heard;
}

const silence = () => pause(50, 'silence');

test('forwards both directions, and the end of each', async () => {
  const connection = await dial();
  await echo(connection, 'x'.repeat(300_000));
  connection.socket.end();
  expect(await connection.fate).toBe('closed');
});

test('holds a bounded number of bytes, and forwards all of them in order', async () => {
  const connection = await dial();
  await echo(connection, 'first');
  const chunks: Buffer[] = [];
  let bytes = 0;
  connection.socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  proxy.hold(['up']);
  // More than the buffers of two sockets hold: the rest stays with the sender.
  const sent = Buffer.alloc(16 << 20, 'abcdefg');
  connection.socket.write(sent);
  await pause(100);
  expect([bytes, connection.socket.writableLength > 0]).toEqual([0, true]);
  await proxy.heal();
  while (bytes < sent.length) await once(connection.socket, 'data');
  connection.socket.destroy();
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
});

test('slow adds a delay to each direction, and limits the bandwidth', async () => {
  const connection = await dial();
  // The fastest of several: a busy machine may delay any of them.
  const before = [];
  for (let i = 0; i < 10; i++) before.push(await echo(connection, 'x'));
  expect(Math.min(...before)).toBeLessThan(60);
  proxy.slow({ latencyMs: 60 });
  expect(await echo(connection, 'x')).toBeGreaterThanOrEqual(119);
  await proxy.heal();
  proxy.slow({ bytesPerSecond: 200_000 }, ['down']);
  // The last piece is sent when its time starts.
  expect(await echo(connection, 'x'.repeat(40_000))).toBeGreaterThanOrEqual(170);
  connection.socket.destroy();
});

test('cut resets open connections only; refuse rejects new ones until it heals', async () => {
  const connection = await dial();
  await echo(connection, 'x');
  proxy.cut();
  expect(await connection.fate).toBe('ECONNRESET');
  const two = await dial();
  await echo(two, 'x');
  await proxy.refuse();
  expect(await two.fate).toBe('ECONNRESET');
  expect(await (await dial()).fate).toBe('ECONNREFUSED');
  await proxy.heal();
  const four = await dial();
  await echo(four, 'x');
  four.socket.destroy();
});

test('a partition accepts connections and drops bytes; it resets them when it heals', async () => {
  const connection = await dial();
  await echo(connection, 'x');
  proxy.partition();
  const two = await dial();
  const heard = [connection, two].map((client) => listenAfter(client, 'hello?'));
  expect(await Promise.race([connection.fate, two.fate, silence()])).toBe('silence');
  await proxy.heal();
  expect([await connection.fate, await two.fate]).toEqual(['ECONNRESET', 'ECONNRESET']);
  expect(heard).toEqual([{ chunks: 0 }, { chunks: 0 }]);
  const three = await dial();
  await echo(three, 'x');
  three.socket.destroy();
});

test('half-open: the far end is gone, the near end gets nothing, new connections work', async () => {
  const connection = await dial();
  await echo(connection, 'x');
  const gone = new Promise((resolve) => sockets[0]?.once('close', resolve));
  proxy.halfOpen();
  await gone;
  const heard = listenAfter(connection, 'hello?');
  const two = await dial();
  await echo(two, 'x');
  expect(await Promise.race([connection.fate, silence()])).toBe('silence');
  expect(heard.chunks).toBe(0);
});

test('without a target the connection is reset', async () => {
  proxy.target = () => undefined;
  expect(await (await dial()).fate).toBe('ECONNRESET');
});
