import { bounds } from '../../bounds';
import { ConcurrencyLimiter } from './concurrency-limiter';

const { webhookAttempts, endpointAttempts } = bounds;
const endpointsPerAccount = 10;

const endpointsOf = (accountId: string) =>
  Array.from({ length: endpointsPerAccount }, (_, at) => ({ accountId, webhookId: `${accountId}_wh_${at}` }));

/** Begins as many attempts as the account gets. */
function fill(limiter: ConcurrencyLimiter, accountId: string): number {
  let begun = 0;
  for (const endpoint of endpointsOf(accountId)) while (limiter.acquire(endpoint) === 0) begun++;
  return begun;
}

test('an account whose endpoints all hang is limited by them alone', () => {
  expect(fill(new ConcurrencyLimiter(), 'a')).toBe(endpointsPerAccount * endpointAttempts);
});

test('several accounts whose endpoints all hang leave attempts for others', () => {
  const limiter = new ConcurrencyLimiter();
  const withOther = { accountId: 'with other', webhookId: 'wh_hanging' };
  for (let at = 0; at < endpointAttempts; at++) limiter.acquire(withOther);
  const accounts = 1 + Math.ceil(webhookAttempts / (endpointsPerAccount * endpointAttempts));
  const begun = Array.from({ length: accounts }, (_, at) => fill(limiter, `hanging ${at}`));
  expect(Math.min(...begun)).toBeGreaterThan(0);
  expect(begun.reduce((sum, each) => sum + each, 0)).toBeLessThan(webhookAttempts - endpointAttempts);
  expect(limiter.acquire({ ...withOther, webhookId: 'wh_other' })).toBe(0);
  expect(limiter.acquire({ accountId: 'other', webhookId: 'wh_other' })).toBe(0);
});

test('an endpoint that hangs leaves attempts for the other endpoints of its account', () => {
  const limiter = new ConcurrencyLimiter();
  const hanging = { accountId: 'a', webhookId: 'wh_hanging' };
  const other = { accountId: 'a', webhookId: 'wh_other' };
  for (let at = 0; at < endpointAttempts; at++) expect(limiter.acquire(hanging)).toBe(0);
  expect(limiter.acquire(hanging)).toBeGreaterThan(0);
  expect(limiter.acquire(other)).toBe(0);
  limiter.release(hanging, 10_000);
  expect(limiter.acquire(hanging)).toBe(0);
});

test('retries of an endpoint that hangs come less and less often', () => {
  let now = 0;
  const limiter = new ConcurrencyLimiter(() => now);
  const endpoint = { accountId: 'a', webhookId: 'wh_1' };
  for (let at = 0; at < endpointAttempts; at++) limiter.acquire(endpoint);
  const waits: number[] = [];
  for (let at = 0; at < 5; at++) {
    const wait = limiter.acquire(endpoint);
    waits.push(wait);
    now += 2 * wait + 1_000;
  }
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits.at(-1)).toBeGreaterThan(1_000);
});
