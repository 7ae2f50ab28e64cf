/** Deleted entries of the audit log leave nothing in Redis, on a real server. */
import { startRedis } from '../../deploy/local/harness/index.mjs';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisAuditLog } from '../src/stores/redis-audit-log';

const stream = 'presenza:audit';
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisClient;
let audit: RedisAuditLog;
beforeAll(async () => {
  // Compressed texts would hide the names from this test.
  server = await startRedis({ config: { rdbcompression: 'no' } });
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
  audit = new RedisAuditLog(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

const add = (name: string) =>
  audit.record({ actor: 'cli:root', operation: 'accounts create', outcome: 'done', changes: { name } });
const isNamed = (text: string) => text.includes('erased-name');
/** Whether the value, as Redis writes it to its files, has the name. */
const keepsName = async () => (await redis.dumpBuffer(stream))?.includes('erased-name') ?? false;

test('a deleted entry leaves no text, all others stay in order, and new ones follow', async () => {
  await Promise.all(
    Array.from({ length: 1_200 }, (_, i) => add(i % 7 === 3 ? `erased-name ${i}` : `kept ${i}`)),
  );
  await audit.eraseNaming(undefined, isNamed);
  const before = await redis.xrange(stream, '-', '+');
  expect(await keepsName()).toBe(true);
  await audit.compact();
  expect(await keepsName()).toBe(false);
  expect(await redis.xrange(stream, '-', '+')).toEqual(before);
  await add('newest');
  const { items } = await audit.list({ limit: 1 });
  expect(items).toMatchObject([{ changes: { name: 'newest' } }]);
  expect(await redis.keys('*')).toEqual([stream]);
});

test('entries that come and go while the log is copied are neither lost nor restored', async () => {
  await Promise.all(Array.from({ length: 1_200 }, (_, i) => add(`first ${i}`)));
  await add('erased-name');
  await audit.eraseNaming(undefined, isNamed);
  // The first call of a script on a server takes two.
  await audit.compact();
  await add('erased-name');
  await audit.eraseNaming(undefined, isNamed);
  const run = redis.evalsha.bind(redis);
  let calls = 0;
  const evalsha = jest.spyOn(redis, 'evalsha').mockImplementation(async (...of) => {
    calls++;
    const result = await run(...(of as Parameters<typeof run>));
    if (calls === 1) {
      await add('during');
      await audit.eraseNaming(undefined, (text) => text.includes('"first 7"'));
    }
    return result;
  });
  await audit.compact();
  evalsha.mockRestore();
  expect(calls).toBeGreaterThan(3);
  const names = (await redis.xrange(stream, '-', '+')).map(
    ([, [, text]]) => JSON.parse(text as string).changes.name,
  );
  expect(names).toHaveLength(1_200);
  expect(names).toContain('during');
  expect(names).not.toContain('first 7');
  expect(await redis.keys('*copy*')).toEqual([]);
});

test('a log without an entry left is gone', async () => {
  await add('erased-name');
  await audit.eraseNaming(undefined, isNamed);
  await audit.compact();
  expect(await keepsName()).toBe(false);
});
