import { summaryOf, tableOf } from './table.mjs';
import { judge, rowOf, skippedRow } from './verdict.mjs';

const attempt = (from: number, name = '200', retryMs?: number) => ({
  from,
  to: from + 100,
  name,
  failed: name !== '200',
  retryMs,
});
const request = (attempts: ReturnType<typeof attempt>[], more = {}) => ({
  account: 'hard limit',
  units: 1,
  attempts,
  lost: false,
  defects: 0,
  ...more,
});
const result = (requests: ReturnType<typeof request>[], more = {}) => ({
  requests,
  wrong: [],
  skipped: 0,
  stoppedAt: 60_000,
  ...more,
});
const billed = (units: number) => ({ 'hard limit': units });
const resultWith = (more = {}) => ({
  result: result([request([attempt(0)])]),
  billed: billed(1),
  seconds: 2,
  withoutRetry: false,
  faults: [],
  notes: [],
  ...more,
});

test('a scenario passes if every request has its right result and is billed once', () => {
  const row = judge('calm', resultWith());
  expect(row).toMatchObject({ outcome: 'passed', requests: 1, succeeded: 1, billed: 1, faults: [] });
});

test('refusals with Retry-After and other failures are counted apart', () => {
  const attempts = [
    attempt(0, '503', 1000),
    attempt(1100, 'ECONNREFUSED'),
    attempt(1300, '503'),
    attempt(1500),
  ];
  const row = judge('outage', resultWith({ result: result([request(attempts)]) }));
  expect(row).toMatchObject({
    outcome: 'passed',
    refused: 1,
    failed: 2,
    failures: { 503: 2, ECONNREFUSED: 1 },
  });
});

test('the longest gap is between two responses of the API, and a page of the site does not end it', () => {
  const requests = [
    request([attempt(0)]),
    request([attempt(2_000)], { account: 'site', units: 0 }),
    request([attempt(5_000)]),
    request([attempt(5_500)]),
  ];
  expect(judge('gap', resultWith({ result: result(requests), billed: billed(3) })).longestGapS).toBe(5);
});

test('a retry that ends after the last request was sent makes no gap', () => {
  const requests = [request([attempt(0)]), request([attempt(500)]), request([attempt(30_000)])];
  const late = result(requests, { stoppedAt: 1_000 });
  expect(judge('late', resultWith({ result: late, billed: billed(3) })).longestGapS).toBe(0.5);
});

test.each([
  [
    'a lost request',
    resultWith({
      result: result([request([attempt(0)]), request([attempt(0, '503')], { lost: true, units: 0 })]),
    }),
    /1 requests were lost/,
  ],
  [
    'a wrong result',
    resultWith({ result: result([request([attempt(0)])], { wrong: ['detect: 2, not 1'] }) }),
    /detect: 2, not 1/,
  ],
  [
    'a unit that was not billed',
    resultWith({ billed: billed(0) }),
    /hard limit: 1 units succeeded and 0 billed/,
  ],
  ['counters that differ from the ledger', resultWith({ billed: billed(Number.NaN) }), /NaN billed/],
  [
    'a unit that another account was billed for',
    resultWith({
      result: result([request([attempt(0)]), request([attempt(0)], { account: 'with overage' })]),
      billed: { 'hard limit': 2, 'with overage': 0 },
    }),
    /hard limit: 1 units succeeded and 2 billed; with overage: 1 units succeeded and 0 billed/,
  ],
  [
    'a response with status 500',
    resultWith({ result: result([request([attempt(0)], { defects: 1 })]) }),
    /status 500/,
  ],
  [
    'requests that could not be sent',
    resultWith({ result: result([request([attempt(0)])], { skipped: 2 }) }),
    /2 requests were due/,
  ],
  [
    'a failure where none may be',
    resultWith({ withoutRetry: true, result: result([request([attempt(0, '502'), attempt(200)])]) }),
    /1 attempts failed, where none may: 1 x 502/,
  ],
  [
    'an outage with Retry-After where no request may fail',
    resultWith({
      withoutRetry: true,
      result: result([request([attempt(0, '503 inference', 1000), attempt(1100)])]),
    }),
    /1 attempts failed, where none may: 1 x 503 inference/,
  ],
  [
    'an overload without Retry-After where no request may fail',
    resultWith({
      withoutRetry: true,
      result: result([request([attempt(0, '503 overload'), attempt(1100)])]),
    }),
    /1 attempts failed, where none may/,
  ],
  [
    'a load without any response',
    resultWith({ result: result([]), billed: billed(0) }),
    /no request succeeded/,
  ],
  ['a fault of the scenario itself', resultWith({ faults: ['the pod stayed'] }), /the pod stayed/],
])('%s fails a scenario', (_, all, fault) => {
  const row = judge('broken', all);
  expect(row.outcome).toBe('failed');
  expect(row.faults.join('; ')).toMatch(fault);
});

test.each(['503 overload', '429 concurrency'])(
  'back-pressure (%s with Retry-After) does not fail a scenario in which no request may fail',
  (name) => {
    const requests = [request([attempt(0, name, 1000), attempt(1100)])];
    expect(judge('busy', resultWith({ withoutRetry: true, result: result(requests) })).outcome).toBe(
      'passed',
    );
  },
);

test('the table aligns its columns, and names skipped scenarios with their reason', () => {
  const rows = [
    judge('rollout-gateway', resultWith()),
    skippedRow('drain', 'there is only one node'),
    rowOf('network', { seconds: 3, faults: ['a -> b is open'], notes: [] }),
  ];
  const lines = tableOf(rows).split('\n');
  expect(lines[1]).toMatch(/^rollout-gateway {2}passed +2\.0 +1 +0 +0 +0 +0 +0\.0 +1 +1$/);
  expect(lines[2]).toMatch(/^drain {12}skipped +- +-/);
  expect(lines[3]).toMatch(/^network {10}failed +3\.0 +-/);
  expect(lines.slice(4)).toEqual(['', 'drain: there is only one node', 'network: FAILED: a -> b is open']);
  expect(summaryOf(rows)).toBe('1 passed, 1 failed, 1 skipped');
});
