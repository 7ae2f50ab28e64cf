import { LocalLimiter } from './local-limiter';

const burst = { limit: 10, windowSeconds: 10 };
let now: number;
const limiter = (replicas = 1) => new LocalLimiter(replicas, () => now);

beforeEach(() => {
  now = 1_000;
});

test('the whole burst at once, then one for each interval', () => {
  const limits = limiter();
  expect(limits.take('a', burst, 10)).toEqual({
    rate: { ...burst, remaining: 0, resetMs: 10_000 },
    waitMs: 0,
  });
  expect(limits.take('a', burst, 1).waitMs).toBe(1_000);
  now += 1_000;
  expect(limits.take('a', burst, 1).waitMs).toBe(0);
  expect(limits.take('a', burst, 1).waitMs).toBe(1_000);
  expect(limits.take('b', burst, 1).waitMs).toBe(0);
});

test('a denied request does not count toward the limit', () => {
  const limits = limiter();
  limits.take('a', burst, 8);
  expect(limits.take('a', burst, 3)).toMatchObject({ waitMs: 1_000, rate: { remaining: 2 } });
  expect(limits.take('a', burst, 2).waitMs).toBe(0);
});

test('each of several processes allows its share', () => {
  const limits = limiter(5);
  expect(limits.take('a', burst, 2).waitMs).toBe(0);
  expect(limits.take('a', burst, 1).waitMs).toBe(5_000);
});

test('more operations than the limit pass alone, or they never would', () => {
  expect(limiter().take('a', burst, 64).waitMs).toBe(0);
});

test('the limiter repeats a denial of the store until it ends or the limit changes', () => {
  const limits = limiter();
  const rate = { ...burst, remaining: 0, resetMs: 9_500 };
  limits.deny('a', rate, 500);
  now += 400;
  expect(limits.denied('a', burst)).toEqual({ rate: { ...rate, resetMs: 9_100 }, waitMs: 100 });
  expect(limits.denied('b', burst)).toBeUndefined();
  expect(limits.denied('a', { ...burst, limit: 20 })).toBeUndefined();
  limits.deny('a', rate, 500);
  now += 500;
  expect(limits.denied('a', burst)).toBeUndefined();
});

test('operations that are owed count past the limit, by a window at most', () => {
  const limits = limiter();
  const owe = (operations: number) => limits.take('a', burst, operations, true);
  expect(owe(4)).toEqual({ rate: { ...burst, remaining: 6, resetMs: 4_000 }, waitMs: 0 });
  expect(owe(9)).toEqual({ rate: { ...burst, remaining: 0, resetMs: 13_000 }, waitMs: 0 });
  expect(limits.take('a', burst, 1).waitMs).toBe(4_000);
  for (let i = 0; i < 5; i++) owe(10);
  expect(limits.take('a', burst, 1).waitMs).toBe(11_000);
});
