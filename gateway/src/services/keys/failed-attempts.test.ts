import { inspect } from 'node:util';
import limits from '@presenza/contract/limits.json';
import { LRUCache } from 'lru-cache';
import { hashKey } from './api-key';
import { FailedAttempts } from './failed-attempts';

const { limit, windowSeconds } = limits.failedAuthentication;
const secret = 'ab'.repeat(32);

test('while the store is unavailable, each process counts for itself until the window has passed', async () => {
  let time = 0;
  const unavailable = { countAttempt: () => Promise.reject(new Error('unavailable')) };
  const attempts = new FailedAttempts(unavailable, secret, () => time);
  for (let i = 0; i < limit; i++) expect(await attempts.add('2001:db8::1')).toBe(0);
  expect(await attempts.add('2001:db8:0:0:5::9')).toBe(windowSeconds * 1000);
  expect(await attempts.add('2001:db8:0:1::1')).toBe(0);
  time = windowSeconds * 1000 - 1;
  expect(await attempts.add('2001:db8::2')).toBe(1);
  time += 1;
  expect(await attempts.add('2001:db8::1')).toBe(0);
});

test('the store is not reported where somebody is', async () => {
  const sources: string[] = [];
  const store = {
    countAttempt: async (source: string) => {
      sources.push(source);
      return { count: 1, leftMs: 1 };
    },
  };
  const attempts = new FailedAttempts(store, secret);
  await attempts.add('::ffff:192.0.2.1');
  await attempts.add('192.0.2.1');
  expect(new Set(sources).size).toBe(1);
  expect(sources[0]).toMatch(/^[0-9a-f]{64}$/);
});

test('failed addresses are kept as hashes, and only until the window has passed', async () => {
  jest.useFakeTimers();
  try {
    const address = '192.0.2.1';
    const unavailable = { countAttempt: () => Promise.reject(new Error('unavailable')) };
    const attempts = new FailedAttempts(unavailable, secret, Date.now);
    await attempts.add(address);
    const memory = () => inspect(withEntries(attempts), { depth: null });
    expect(memory()).toContain(hashKey(address, secret));
    expect(memory()).not.toContain(address);
    jest.advanceTimersByTime((windowSeconds + 1) * 1000);
    expect(memory()).not.toContain(hashKey(address, secret));
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

/** An object with the entries of its caches, which `inspect` does not show. */
function withEntries(value: object): unknown {
  return Object.values(value).map((field) => {
    if (field instanceof LRUCache || field instanceof Map) return [...field.entries()];
    return typeof field === 'object' && field !== null && !('hasRef' in field) ? withEntries(field) : field;
  });
}
