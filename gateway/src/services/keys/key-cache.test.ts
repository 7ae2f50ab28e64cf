import { ApiError } from '../../errors';
import { termsOf } from '../plans/terms';
import { type ChangeFeed, KeyCache } from './key-cache';
import type { KnownKey } from './keys';

const known = (accountId = 'acc_1', more: Partial<KnownKey> = {}): KnownKey => ({
  principal: { accountId, keyId: 'key_1', mode: 'live', plan: 'free', terms: termsOf('free') },
  ...more,
});
const unavailable = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE', { reason: 'store' }));

/** A cache on a clock of its own, and what it asked the store for. */
function set(identify: (hash: string) => Promise<KnownKey | undefined>) {
  const state = { time: 1_000_000, asked: [] as string[], identify, unbrokenSince: 0 as number | undefined };
  let change: (accountId: string) => void = () => {};
  const feed: ChangeFeed = {
    get unbrokenSince() {
      return state.unbrokenSince;
    },
    subscribe: (listener) => {
      change = listener;
    },
  };
  const cache = new KeyCache({
    identify: (hash) => {
      state.asked.push(hash);
      return state.identify(hash);
    },
    feed,
    now: () => state.time,
    ticks: () => state.time,
  });
  return { cache, state, change: (accountId: string) => change(accountId) };
}

test.each([
  ['a good key', known()],
  ['a bad key', undefined],
])('%s is asked for once in 30 s', async (_name, reply) => {
  const { cache, state } = set(async () => reply);
  for (const seconds of [0, 29]) {
    state.time += seconds * 1000;
    expect(await cache.find('a')).toBe(reply?.principal);
  }
  expect(state.asked).toEqual(['a']);
  state.time += 1000;
  await cache.find('a');
  expect(state.asked).toEqual(['a', 'a']);
});

test('random keys do not push good ones out', async () => {
  const { cache, state } = set(async (hash) => (hash === 'good' ? known() : undefined));
  await cache.find('good');
  for (let i = 0; i < 10_500; i++) await cache.find(`random ${i}`);
  const before = state.asked.length;
  expect(await cache.find('good')).toBeDefined();
  expect(state.asked.length).toBe(before);
  await cache.find('random 0');
  expect(state.asked.length).toBe(before + 1);
});

test('a key is forgotten when its account changes, and no other', async () => {
  const { cache, state, change } = set(async (hash) => known(hash));
  await cache.find('acc_1');
  await cache.find('acc_2');
  change('acc_1');
  await cache.find('acc_1');
  await cache.find('acc_2');
  expect(state.asked).toEqual(['acc_1', 'acc_2', 'acc_1']);
});

test('the cache drops a key that was read before a change', async () => {
  const replies: ((known: KnownKey | undefined) => void)[] = [];
  const { cache, change } = set(() => new Promise((resolve) => replies.push(resolve)));
  const before = cache.find('a');
  change('acc_1');
  const after = cache.find('a');
  replies[1]?.(undefined);
  expect(await after).toBeUndefined();
  replies[0]?.(known());
  expect(await before).toBeDefined();
  expect(await cache.find('a')).toBeUndefined();
});

test('requests that miss one key at once share one look-up', async () => {
  const { cache, state } = set(async () => known());
  const all = await Promise.all([cache.find('a'), cache.find('a'), cache.find('a'), cache.find('b')]);
  expect(all.every((principal) => principal !== undefined)).toBe(true);
  expect(state.asked).toEqual(['a', 'b']);
});

test('while changes may be missed, a key is good for a second', async () => {
  const { cache, state } = set(async () => known());
  await cache.find('a');
  state.unbrokenSince = undefined;
  state.time += 999;
  await cache.find('a');
  expect(state.asked).toEqual(['a']);
  state.time += 1;
  await cache.find('a');
  expect(state.asked).toEqual(['a', 'a']);
});

test('a key looked up before the feed reconnects stays valid for a second', async () => {
  const { cache, state } = set(async () => known());
  await cache.find('a');
  state.unbrokenSince = state.time + 500;
  state.time += 1000;
  await cache.find('a');
  expect(state.asked).toEqual(['a', 'a']);
});

test('while the store is unavailable, a key that worked goes on for an hour; others are SERVICE_UNAVAILABLE', async () => {
  const { cache, state } = set(async () => known());
  const begin = state.time;
  await cache.find('a');
  state.identify = unavailable;
  state.unbrokenSince = undefined;
  state.time = begin + 3_599_999;
  expect(await cache.find('a')).toBeDefined();
  // The store is not asked again for each request.
  const asked = state.asked.length;
  expect(await cache.find('a')).toBeDefined();
  expect(state.asked.length).toBe(asked);
  await expect(cache.find('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  state.time = begin + 3_600_000;
  await expect(cache.find('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a key that was revoked while the store was unavailable ends once the store responses', async () => {
  const { cache, state } = set(async () => known());
  await cache.find('a');
  state.identify = unavailable;
  state.time += 60_000;
  expect(await cache.find('a')).toBeDefined();
  state.identify = async () => undefined;
  state.time += 1_000;
  expect(await cache.find('a')).toBeUndefined();
  state.identify = unavailable;
  expect(await cache.find('a')).toBeUndefined();
});

test('a key ends when it expires, also in the cache and while the store is unavailable', async () => {
  const { cache, state } = set(async () => known('acc_1', { expiresAt: 1_005_000 }));
  await cache.find('a');
  state.time = 1_005_000;
  state.identify = unavailable;
  await expect(cache.find('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a defect is no absence of the store', async () => {
  const { cache, state } = set(async () => known());
  await cache.find('a');
  state.time += 60_000;
  state.identify = () => Promise.reject(new TypeError('boom'));
  await expect(cache.find('a')).rejects.toThrow('boom');
});
