import type { Category } from './categories';
import { CategoryCache } from './category-cache';

const category: Category = { name: 'Bands', prototype: 'AA==', examples: 5, createdAt: 1 };

let now: number;
let asked: string[];
let stored: Category[] | Error;
let announce: (accountId: string) => void;
let feed: { unbrokenSince: number | undefined; subscribe(listener: (accountId: string) => void): void };
let cache: CategoryCache;

beforeEach(() => {
  now = 1_000;
  asked = [];
  stored = [category];
  feed = {
    unbrokenSince: 0,
    subscribe: (listener) => {
      announce = listener;
    },
  };
  const store = {
    listCategories: async (accountId: string) => {
      asked.push(accountId);
      if (stored instanceof Error) throw stored;
      return stored;
    },
  };
  cache = new CategoryCache({ store, feed, ticks: () => now });
});

test('an account is asked for once in a while, and each for itself', async () => {
  for (const accountId of ['a', 'a', 'b', 'a']) expect(await cache.listCategories(accountId)).toEqual(stored);
  expect(asked).toEqual(['a', 'b']);
  now += 30_000;
  await cache.listCategories('a');
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a change is seen at once, of its account alone', async () => {
  await cache.listCategories('a');
  await cache.listCategories('b');
  stored = [];
  announce('a');
  expect(await cache.listCategories('a')).toEqual([]);
  expect(await cache.listCategories('b')).toEqual([category]);
});

test('a list that was read while something changed serves that request alone', async () => {
  const reading = cache.listCategories('a');
  announce('a');
  await reading;
  await cache.listCategories('a');
  expect(asked).toEqual(['a', 'a']);
});

test('where changes may be missed it is good for a second', async () => {
  feed.unbrokenSince = undefined;
  await cache.listCategories('a');
  now += 999;
  await cache.listCategories('a');
  expect(asked).toHaveLength(1);
  now += 1;
  await cache.listCategories('a');
  expect(asked).toHaveLength(2);
});

test('while the store is unavailable, what is known goes on serving', async () => {
  await cache.listCategories('a');
  stored = new Error('unavailable');
  now += 40_000;
  expect(await cache.listCategories('a')).toEqual([category]);
  await expect(cache.listCategories('b')).rejects.toThrow('unavailable');
});

test('requests that ask at once share one look-up, and a store that failed is left alone for a second', async () => {
  await Promise.all(['a', 'a', 'a'].map((accountId) => cache.listCategories(accountId)));
  expect(asked).toEqual(['a']);
  stored = new Error('unavailable');
  await expect(cache.listCategories('b')).rejects.toThrow('unavailable');
  now += 999;
  await expect(cache.listCategories('c')).rejects.toThrow('unavailable');
  expect(asked).toEqual(['a', 'b']);
  stored = [category];
  now += 1;
  expect(await cache.listCategories('c')).toEqual([category]);
});
