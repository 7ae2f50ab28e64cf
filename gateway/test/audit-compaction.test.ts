/** Deleted and replaced texts of the audit log leave nothing in Redis, and no entry is lost, on a real server. */
import { startRedis } from '../harness/index.mjs';
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

const accountId = 'acc_erased-name';
const add = (name: string, who: { actor?: string; accountId?: string } = {}) =>
  audit.record({
    actor: 'cli:root',
    operation: 'accounts create',
    outcome: 'done',
    changes: { name },
    ...who,
  });
const replaced = (name: string, by = '(erased)', account?: string) =>
  audit.replaceTexts(account, (text) => text.replaceAll(name, by));
/** Replaces a name as the erasure of a person does for each account. */
async function replacedEverywhere(name: string): Promise<void> {
  await replaced(name, '(erased)', 'acc_1');
  await replaced(name);
}
/** Whether the values, as Redis writes them to its files, have the name. */
async function keepsName(name = 'erased-name'): Promise<boolean> {
  const dumps = await Promise.all((await redis.keys('*')).map((key) => redis.dumpBuffer(key)));
  return dumps.some((dump) => dump?.includes(name));
}
const namesIn = async (key = stream) =>
  (await redis.xrange(key, '-', '+')).map(
    ([, [, text]]) => JSON.parse(text as string).changes.name as string,
  );
const listed = async (filter: { accountId?: string } = {}) =>
  (await audit.list({ limit: 5_000, ...filter })).items.map(({ changes }) => changes?.name).reverse();

/** Runs a step after each of the first calls of the scripts that follow. */
function afterCalls(...steps: (() => Promise<unknown>)[]): jest.SpyInstance {
  const run = redis.evalsha.bind(redis);
  return jest.spyOn(redis, 'evalsha').mockImplementation(async (...args) => {
    const result = await run(...(args as Parameters<typeof run>));
    await steps.shift()?.();
    return result;
  });
}

const nothing = async () => {};
/** The first call of a script on a server takes two. */
async function knownScripts(): Promise<void> {
  await add('erased-name');
  await replaced('erased-name');
  await audit.compact();
  await redis.flushall();
}

test('a replaced text is gone from every list at once, and from Redis with the next copy, and all entries stay', async () => {
  const names = Array.from({ length: 4_200 }, (_, i) => (i % 7 === 3 ? `by erased-name ${i}` : `kept ${i}`));
  await Promise.all(names.map((name) => add(name)));
  const before = await redis.xrange(stream, '-', '+');
  const mended = names.map((name) => name.replace('erased-name', '(erased)'));
  await replaced('erased-name');
  expect(await listed()).toEqual(mended);
  expect(await keepsName()).toBe(true);
  await audit.compact();
  expect(await keepsName()).toBe(false);
  expect(await namesIn()).toEqual(mended);
  const after = await redis.xrange(stream, '-', '+');
  expect(after.map(([id]) => id)).toEqual(before.map(([id]) => id));
  await add('newest');
  expect((await listed()).at(-1)).toBe('newest');
  expect(await redis.keys('*')).toEqual([stream]);
});

test('the entries of an account are deleted without a trace, replaced ones too', async () => {
  const names = Array.from({ length: 1_200 }, (_, i) => `entry ${i}`);
  await Promise.all(names.map((name, i) => add(name, i % 7 === 3 ? { accountId } : {})));
  await add('somebody', { accountId, actor: 'user:one' });
  await replaced('somebody', 'erased-name');
  expect(await audit.erase(accountId)).toBe(names.filter((_, i) => i % 7 === 3).length + 1);
  expect(await keepsName()).toBe(true);
  await audit.compact();
  expect(await keepsName()).toBe(false);
  expect(await namesIn()).toEqual(names.filter((_, i) => i % 7 !== 3));
});

test('a text is replaced in the log of an account, and in the one that all accounts share', async () => {
  await add('by erased-name', { accountId: 'acc_1', actor: 'user:one' });
  await add('kept', { accountId: 'acc_1', actor: 'user:two' });
  await replaced('erased-name', '(erased)', 'acc_1');
  expect(await listed({ accountId: 'acc_1' })).toEqual(['by (erased)', 'kept']);
  expect(await listed()).toEqual(['by erased-name', 'kept']);
  await replaced('erased-name');
  expect(await listed()).toEqual(['by (erased)', 'kept']);
  await audit.compact();
  expect(await keepsName()).toBe(false);
});

test('an erasure that was cut off is completed by the next one', async () => {
  await knownScripts();
  await add('by erased-name', { accountId: 'acc_1', actor: 'user:one' });
  for (let calls = 1, isDone = false; !isDone; calls++) {
    const steps = Array.from({ length: calls }, () => nothing);
    const spy = afterCalls(...steps, () => Promise.reject(new Error('gone')));
    isDone = await replacedEverywhere('erased-name').then(
      () => true,
      () => false,
    );
    spy.mockRestore();
  }
  await audit.compact();
  expect(await keepsName()).toBe(false);
  expect(await listed({ accountId: 'acc_1' })).toEqual(['by (erased)']);
});

test('two people in one entry are both erased, at once', async () => {
  await knownScripts();
  await add('erased-name and other-name');
  const spy = afterCalls(() => replaced('other-name', '(other)'));
  await replaced('erased-name');
  spy.mockRestore();
  expect(await listed()).toEqual(['(erased) and (other)']);
});

test.each([0, 1, 2])(
  'entries that change after call %i of a copy are neither lost nor restored',
  async (call) => {
    await knownScripts();
    await Promise.all(Array.from({ length: 1_200 }, (_, i) => add(`first ${i}.`)));
    await add('gone', { accountId: 'acc_gone' });
    await add('erased-name');
    await replaced('erased-name');
    const spy = afterCalls(...Array.from({ length: call }, () => nothing), async () => {
      await add('during');
      await audit.erase('acc_gone');
      await replaced('first 7.', 'seventh');
      await replaced('first 1199.', 'last');
    });
    await audit.compact();
    spy.mockRestore();
    const names = await listed();
    expect(names).toHaveLength(1_202);
    expect(names).toEqual(expect.arrayContaining(['during', 'seventh', 'last', '(erased)']));
    expect(names).not.toContain('gone');
    await audit.compact();
    expect(await namesIn()).toEqual(names);
    for (const name of ['erased-name', 'first 7.', 'first 1199.', 'gone'])
      expect(await keepsName(name)).toBe(false);
    expect(await redis.keys('*')).toEqual([stream]);
  },
);

test('another gateway continues a copy', async () => {
  await knownScripts();
  await Promise.all(Array.from({ length: 1_200 }, (_, i) => add(`first ${i}`)));
  await add('erased-name');
  await replaced('erased-name');
  const before = await listed();
  const another = new RedisAuditLog(redis);
  await Promise.all([audit.compact(), another.compact()]);
  expect(await namesIn()).toEqual(before);
  expect(await keepsName()).toBe(false);
});

test('a log without an entry left is gone', async () => {
  await add('entry', { accountId });
  await audit.erase(accountId);
  await audit.compact();
  expect(await keepsName()).toBe(false);
});
