import { Truth } from '../../gateway/harness/truth.mjs';
import { reached } from '../lib/report.mjs';
import { compareMemory, evaluate, figuresOf, tablesOf } from './rehearsal.mjs';
import { kindOf, slopesOf, figuresOf as soakFigures } from './soak.mjs';

type Outcome = Parameters<typeof evaluate>[0][number];
type Operation = Outcome['operation'] & { questions: string[] };

const attempt = (from: number, to: number, name: string, failed: boolean, retryMs?: number) => ({
  from,
  to,
  name,
  failed,
  retryMs,
});
const outcome = (attempts: ReturnType<typeof attempt>[], more: Partial<Outcome> = {}): Outcome => ({
  operation: { key: '', path: '/detect', body: Buffer.alloc(0), products: [] },
  succeeded: [],
  attempts,
  endedAt: attempts.at(-1)?.to ?? 0,
  lost: false,
  defects: 0,
  ...more,
});
const missedOf = (figures: readonly Parameters<typeof reached>[0][]) =>
  figures.filter((figure) => !reached(figure)).map(({ what }) => what);

const ZEROS = {
  lost: 0,
  wrong: 0,
  deviation: 0,
  overdue: 0,
  hung: 0,
  dropped: 0,
  skipped: 0,
  defects: 0,
  firstS: 0,
  steadyS: 0,
  silent: false,
};

test('evaluates losses, overdue responses and the recovery', () => {
  const outcomes = [
    outcome([attempt(0, 100, '200', false)]),
    outcome([attempt(900, 1100, '503 store', true, 1000), attempt(2100, 2600, '200', false)]),
    outcome([attempt(1500, 17500, '504', true), attempt(17600, 17700, 'ECONNRESET', true)], { lost: true }),
    outcome([attempt(1500, 31500, 'TimeoutError', true), attempt(31600, 31700, '200', false)], {
      defects: 2,
    }),
  ];
  expect(evaluate(outcomes, { from: 1000, to: 2000, until: 40000, deadlineMs: 4000 })).toMatchObject({
    operations: 4,
    lost: 1,
    defects: 2,
    failed: 4,
    timedOut: 1,
    overdue: 1,
    firstS: 0.6,
    steadyS: 29.5,
    longestResponseS: 16,
    servedMeanwhile: 0,
    retryAfterS: { min: 1, max: 1 },
    meanwhile: { '503 store': 1, '504': 1, 'no response': 1 },
  });
});

test('the first success after a fault took no time if nothing failed and requests were served meanwhile', () => {
  const first = (...attempts: ReturnType<typeof attempt>[]) =>
    evaluate([outcome(attempts)], { from: 1000, to: 2000, until: 9000, deadlineMs: 4000 }).firstS;
  const after = attempt(1900, 2100, '200', false);
  expect(first(attempt(900, 1100, '200', false), after)).toBe(0);
  expect(first(attempt(900, 1100, '503', true), after)).toBe(0.1);
  // It hung, and failed no request.
  expect(first(attempt(1100, 2600, '200', false))).toBe(0.6);
});

test('a result is wrong if its status or its numbers differ from the learned ones', () => {
  const truth = new Truth();
  const operation = { questions: ['detect a', 'moderate b'] } as Operation;
  truth.learn(operation, 0, { status: 200, data: { faceCount: 2 } });
  truth.learn(operation, 1, { status: 422 });
  const wrong: string[] = [];
  const check = truth.check(wrong);
  check(operation, 0, { status: 200, data: { faceCount: 2 } });
  check(operation, 0, { status: 200, data: { faceCount: 3 } });
  check(operation, 1, { status: 422 });
  check(operation, 1, { status: 200, data: { detectedElements: [] } });
  expect(wrong).toEqual(['detect: 200 [3], not 200 [2]', 'moderate: 200 [], not 422 []']);
});

test('memory is reported with the replaced workers, and without a before for new processes', () => {
  const before = [
    { name: 'inference 1', pid: 1, rssMiB: 500, replaced: 10 },
    { name: 'redis', pid: 2, rssMiB: 10, replaced: 0 },
  ];
  const after = [
    { ...before[0], rssMiB: 740, replaced: 30 },
    { ...before[1], pid: 3 },
  ];
  const row = { ...ZEROS, rehearsal: 'a', kind: 'b', meanwhile: {}, failedAfter: {}, retryAfterS: null };
  const [, memory] = tablesOf([{ ...row, memory: compareMemory(before, after) }], '');
  expect(memory.rows).toEqual([['a', '500, 740 (20 replaced, 12 MiB each)', 'new, 10']]);
});

test('growth is that of the memory after collections since the warm-up', () => {
  const samples = Array.from({ length: 146 }, (_, i) => ({
    atS: 25 * i,
    collected: i % 2 === 0,
    parts: [{ name: 'one', rssMiB: i < 48 ? 500 : i % 2 ? 5 * i : 100 + i / 12, descriptors: i }],
  }));
  const [slope] = slopesOf(samples, 0.34);
  expect(slope.perHour).toBeCloseTo(12);
  expect(slope.error).toBeCloseTo(0);
  expect(slope.memory).toEqual([100 + 50 / 12, 112, 725]);
  expect(slope.descriptors).toEqual([50, 145]);
});

test('growth of a soak with too few collections is an error', () => {
  const samples = Array.from({ length: 11 }, (_, i) => ({
    atS: 10 * i,
    collected: i % 2 === 1,
    parts: [{ name: 'one', rssMiB: 100, descriptors: 1 }],
  }));
  expect(() => slopesOf(samples, 0)).toThrow(/Growth needs 6 samples and there are 5/);
});

test.each([
  ['nothing', {}, []],
  ['a 500', { defects: 1 }, ['Responses or parts of them with status 500']],
  ['load that was not applied', { skipped: 1 }, ['Operations that were due and not started']],
  [
    'failures after deadline and linger',
    { firstS: 1, steadyS: 14.1 },
    ['Longest time from the end of a fault to the last failure'],
  ],
  ['failures until then', { steadyS: 13.9 }, []],
  ['failures of clients that waited for a silent part', { steadyS: 21.9, silent: true }, []],
  [
    'failures of clients that waited too long',
    { steadyS: 22.1, silent: true },
    ['The same, of clients that waited for a silent part'],
  ],
])('a rehearsal with %s misses the right targets', (_, row, missed) => {
  expect(missedOf(figuresOf([ZEROS, { ...ZEROS, ...row }], 8_000))).toEqual(missed);
});

test.each([
  ['presenza:{acc_1}:ledger', 'presenza:{account}:ledger'],
  ['presenza:{acc_1}:idem:Zk3', 'presenza:{account}:idem'],
  ['presenza:{acc_1}:lockout:ip-1:failures', 'presenza:{account}:lockout'],
  ['presenza:{acc_1}:session:ses_1:capture', 'presenza:{account}:session'],
  ['presenza:failures:127.0.0.1', 'presenza:failures'],
  ['presenza:key:0a', 'presenza:key'],
  ['{presenza:webhooks}:deliveries:we_1', '{presenza:webhooks}:deliveries'],
  ['other', 'other'],
])('the kind of the key %s is %s, without account, session, hash or source', (key, kind) => {
  expect(kindOf(key)).toBe(kind);
});

describe('a soak misses its targets', () => {
  const slopes = (perHour: number, error: number) => ({
    slopes: [{ name: 'gateway 1', perHour, error, descriptors: [9, 9] }],
  });
  const healthy = {
    ...slopes(1, 1),
    seen: { lost: 0, defects: 0 },
    wrong: 0,
    undelivered: 0,
    deviation: 0,
    skipped: 0,
    sessionFailures: 0,
    endless: { before: { a: 1 }, after: { a: 2 } },
  };
  const keys = { 'presenza:{account}:idem': 40, '{presenza:webhooks}:deliveries': 900 };

  it.each([
    ['nowhere', {}, []],
    ['with growth', slopes(40, 1), ['Growth of gateway 1, upper end of the 95 % interval']],
    [
      'with growth that noise may hide',
      slopes(3, 4),
      ['Growth of gateway 1, upper end of the 95 % interval'],
    ],
    ['nowhere if even the upper end is within the target', slopes(-9, 14), []],
    [
      'with a key for each request',
      { endless: { before: {}, after: keys } },
      ['Kinds of keys without an expiry that grew', 'Keys without an expiry, more than before'],
    ],
    ['with load that was not applied', { skipped: 1 }, ['Operations that were due and not started']],
    ['without sessions', { sessionFailures: 1 }, ['Sessions that could not be created']],
  ])('%s', (_, more, expected) => {
    expect(missedOf(soakFigures({ ...healthy, ...more }))).toEqual(expected);
  });
});
