/** How the gateway has Redis rewrite its files, on real servers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedis, startRedisCluster, waitUntil } from '../harness/index.mjs';
import { connectRedis, infoOf, type RedisClient } from '../src/stores/redis';
import { RedisFiles } from '../src/stores/redis-files';

const roundMs = 60_000;

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisClient;
beforeAll(async () => {
  server = await startRedis({ durable: true });
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const rewrites = async (client = redis) => Number(infoOf(await client.info('persistence')).aof_rewrites);
const idle = (client = redis) =>
  waitUntil('no rewrite runs', async () => {
    const info = infoOf(await client.info('persistence'));
    return info.aof_rewrite_in_progress === '0' && info.aof_rewrite_scheduled === '0';
  });
/** Ends the waits that these keys stand for. */
const passed = (...names: string[]) => redis.del(names.map((name) => `presenza:files:${name}`));
const filesWith = (folder: string, text: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').includes(text)).length;

test('erasures share one rewrite, after which no file has the erased value', async () => {
  const files = new RedisFiles(redis);
  await redis.set('a name', 'erased-value-91');
  await waitUntil('the value is in a file', () => filesWith(server.folder, 'erased-value-91') > 0);
  await redis.del('a name');
  const before = await rewrites();
  await Promise.all([files.rewriteSoon(), files.rewriteSoon(), new RedisFiles(redis).rewriteSoon()]);
  // One of several gateways begins the rewrite.
  const rounds = await Promise.all([files, new RedisFiles(redis)].map((sweeper) => sweeper.sweep(roundMs)));
  expect(rounds.filter(Boolean)).toHaveLength(1);
  await idle();
  expect(await rewrites()).toBe(before + 1);
  expect(filesWith(server.folder, 'erased-value-91')).toBe(0);

  await files.rewriteSoon();
  await passed('lease');
  expect(await files.sweep(roundMs)).toBe(false);
  await passed('lease', 'recent');
  expect(await files.sweep(roundMs)).toBe(true);
  await idle();
});

test('without an erasure, a file is rewritten once a day', async () => {
  const files = new RedisFiles(redis);
  const round = async () => {
    await passed('lease', 'recent');
    return files.sweep(roundMs);
  };
  expect([await round(), await round()]).toEqual([true, false]);
  await idle();
  expect(await redis.pttl('presenza:files:daily')).toBeGreaterThan(23 * 60 * 60_000);
  await passed('daily');
  expect(await round()).toBe(true);
  await idle();
});

test('a Redis that refuses is asked again, and one without an append-only file is not asked', async () => {
  const files = new RedisFiles(redis);
  await files.rewriteSoon();
  await redis.call('ACL', 'SETUSER', 'default', '-bgrewriteaof');
  await expect(files.sweep(roundMs)).rejects.toThrow('NOPERM');
  await redis.call('ACL', 'SETUSER', 'default', '+bgrewriteaof', '-config');
  await passed('lease');
  expect(await files.sweep(roundMs)).toBe(true);
  await redis.call('ACL', 'SETUSER', 'default', '+config');
  await idle();

  const plain = await startRedis();
  const client = await connectRedis({ url: plain.url, cluster: false }, () => {});
  expect(await new RedisFiles(client).sweep(roundMs)).toBe(true);
  expect(await rewrites(client)).toBe(0);
  client.disconnect();
  await plain.stop();
});

test('snapshots are taken again, where there are any', async () => {
  const plain = await startRedis({ config: { save: '3600 1', rdbcompression: 'no' } });
  const client = await connectRedis({ url: plain.url, cluster: false }, () => {});
  await client.set('a name', 'erased-value-92');
  await client.save();
  expect(filesWith(plain.folder, 'erased-value-92')).toBe(1);
  await client.del('a name');
  await new RedisFiles(client).sweep(roundMs);
  await waitUntil('the snapshot is new', () => filesWith(plain.folder, 'erased-value-92') === 0);
  client.disconnect();
  await plain.stop();
});

test('in a cluster, each node rewrites its file', async () => {
  const cluster = await startRedisCluster({ durable: true });
  const client = await connectRedis({ url: cluster.url, cluster: true }, () => {});
  expect(await new RedisFiles(client).sweep(roundMs)).toBe(true);
  for (const { url } of cluster.nodes) {
    const node = await connectRedis({ url, cluster: false }, () => {}).catch(() => undefined);
    if (node) await idle(node);
    expect(node && (await rewrites(node))).toBe(1);
    node?.disconnect();
  }
  client.disconnect();
  await cluster.stop();
});
