/** The far end of the worker's connection is lost without a word, as with the machine of Redis or a router's memory. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import { type RedisClient, workerConnection } from '../../src/stores/redis';

const silenceMs = 400;

let server: RunningServer;
let redis: RedisClient;
const pairs = new Set<{ near: Socket; far: Socket }>();
const relay = createServer((near) => {
  const far = connect(Number(new URL(server.url).port), '127.0.0.1');
  for (const socket of [near, far]) socket.on('error', () => {});
  near.pipe(far).pipe(near);
  pairs.add({ near, far });
});

/** What was connected stays so, and nobody hears it any more. */
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
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  redis = workerConnection({ url: `redis://127.0.0.1:${port}`, cluster: false }, () => {}, silenceMs);
});
afterAll(async () => {
  redis.disconnect();
  for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  relay.close();
  await server.stop();
});

test('a command that blocks for less is left alone', async () => {
  await redis.ping();
  const before = pairs.size;
  expect(await redis.bzpopmin('nothing', silenceMs / 2_000)).toBeNull();
  expect(pairs.size).toBe(before);
});

test('what was asked is asked again on a new connection', async () => {
  await redis.ping();
  const before = pairs.size;
  forgetAll();
  expect(await redis.ping()).toBe('PONG');
  expect(pairs.size).toBe(before + 1);
}, 5_000);
