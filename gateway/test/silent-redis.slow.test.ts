/**
 * Half-open connections: the peer disappears without closing, as when the machine of Redis or a router fails. A delay of
 * the gateway's event loop looks the same from inside, but must not close a connection.
 *
 * Slow: it waits until a silent connection counts as lost.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import { type RedisClient, workerConnection } from '../src/stores/redis';

/** Ten times as long as a reply of Redis takes on a machine under load. */
const silenceMs = 2_000;

let server: RunningServer;
let redis: RedisClient;
const pairs = new Set<{ near: Socket; far: Socket }>();
const proxy = createServer((near) => {
  const far = connect(Number(new URL(server.url).port), '127.0.0.1');
  for (const socket of [near, far]) socket.on('error', () => {});
  near.pipe(far).pipe(near);
  pairs.add({ near, far });
});

/** Keeps the connections open without forwarding. */
function forgetAll(): void {
  for (const { near, far } of pairs) {
    near.unpipe(far);
    far.unpipe(near);
    near.resume();
    far.destroy();
  }
}

beforeAll(async () => {
  server = await startRedis();
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  redis = workerConnection({ url: `redis://127.0.0.1:${port}`, cluster: false }, () => {}, silenceMs);
});
afterAll(async () => {
  redis.disconnect();
  for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  proxy.close();
  await server.stop();
});

test('keeps a connection with a command that blocks for less than the timeout', async () => {
  await redis.ping();
  const before = pairs.size;
  expect(await redis.bzpopmin('nothing', silenceMs / 2_000)).toBeNull();
  expect(pairs.size).toBe(before);
});

test('keeps a connection whose replies the process had no time to read', async () => {
  await redis.ping();
  const before = pairs.size;
  const reply = redis.ping();
  await new Promise(setImmediate); // the command leaves
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * silenceMs);
  expect(await reply).toBe('PONG');
  expect(pairs.size).toBe(before);
});

test('repeats a command on a new connection', async () => {
  await redis.ping();
  const before = pairs.size;
  forgetAll();
  expect(await redis.ping()).toBe('PONG');
  expect(pairs.size).toBe(before + 1);
});
