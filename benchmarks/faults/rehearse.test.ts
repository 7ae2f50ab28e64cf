import { evaluate } from '../lib/testing';

const run = <T>(expression: string) =>
  evaluate<T>(
    `import { createServer } from 'node:http';
     import { once } from 'node:events';
     import { Balancer } from './faults/balancer.mjs';
     import { barsOf as soakBars, kindOf, slopesOf } from './faults/soak.mjs';
     import { barsOf, tablesOf } from './faults/rehearsals.mjs';
     import { reached } from './lib/report.mjs';
     import { Client } from './resilience/client.mjs';
     import { drive } from './resilience/load.mjs';
     import { compareMemory, look } from './faults/rehearse.mjs';
     const attempt = (from, to, name, failed, retryMs) => ({ from, to, name, failed, retryMs });
     const pursued = (attempts, more = {}) => ({
       operation: { path: '/detect' }, attempts, at: attempts.at(-1).to, lost: false, wrong: [], defects: 0, ...more,
     });`,
    expression,
  );

const zeros =
  '{ lost: 0, wrong: 0, deviation: 0, overdue: 0, unanswered: 0, dropped: 0, skipped: 0, defects: 0, firstS: 0, steadyS: 0, silent: false }';

test('what clients saw: losses, answers that came too late, and when it was well again', () => {
  const seen = run<Record<string, unknown>>(`look([
    pursued([attempt(0, 100, '200', false)]),
    pursued([attempt(900, 1100, '503 store', true, 1000), attempt(2100, 2600, '200', false)]),
    pursued([attempt(1500, 17500, '504', true), attempt(17600, 17700, 'ECONNRESET', true)], { lost: true }),
    pursued([attempt(1500, 31500, 'TimeoutError', true), attempt(31600, 31700, '200', false)], { wrong: ['x'], defects: 2 }),
  ], { from: 1000, to: 2000, until: 40000, deadlineMs: 4000 })`);
  expect(seen).toMatchObject({
    ...{ operations: 4, lost: 1, wrong: 1, defects: 2, failed: 4, timedOut: 1, overdue: 1 },
    ...{ firstS: 0.6, steadyS: 29.5, longestAnswerS: 16, answeredMeanwhile: 0 },
    retryAfterS: { min: 1, max: 1 },
    meanwhile: { '503 store': 1, '504': 1, 'no answer': 1 },
  });
});

test('the first answer after a fault took no time where nothing failed and answers went on', () => {
  const first = (attempts: string) =>
    run<{ firstS: number }>(
      `look([pursued([${attempts}])], { from: 1000, to: 2000, until: 9000, deadlineMs: 4000 })`,
    ).firstS;
  expect(first("attempt(900, 1100, '200', false), attempt(1900, 2100, '200', false)")).toBe(0);
  expect(first("attempt(900, 1100, '503', true), attempt(1900, 2100, '200', false)")).toBe(0.1);
  // It hung, and refused nobody.
  expect(first("attempt(1100, 2600, '200', false)")).toBe(0.6);
});

test('memory is told with the workers that were replaced, and without a before of what is new', () => {
  const cells = run<string[]>(`(() => {
    const before = [
      { name: 'inference 1', pid: 1, rssMiB: 500, replaced: 10 }, { name: 'redis', pid: 2, rssMiB: 10, replaced: 0 },
    ];
    const after = [{ ...before[0], rssMiB: 740, replaced: 30 }, { ...before[1], pid: 3 }];
    const row = { ...${zeros}, rehearsal: 'a', kind: 'b', meanwhile: {}, failedAfter: {}, retryAfterS: null };
    return tablesOf([{ ...row, memory: compareMemory(before, after) }], '')[1].rows[0];
  })()`);
  expect(cells).toEqual(['a', '500, 740 (20 replaced, 12 MiB each)', 'new, 10']);
});

test('growth is that of what collections left after the warm-up', () => {
  const [one] = run<[{ perHour: number; error: number; memory: number[]; descriptors: number[] }]>(
    `slopesOf(Array.from({ length: 146 }, (_, i) => ({
       atS: 25 * i, collected: i % 2 === 0,
       parts: [{ name: 'one', rssMiB: i < 48 ? 500 : i % 2 ? 5 * i : 100 + i / 12, descriptors: i }],
     })), 0.34)`,
  );
  expect(one.perHour).toBeCloseTo(12);
  expect(one.error).toBeCloseTo(0);
  expect(one.memory).toEqual([100 + 50 / 12, 112, 725]);
  expect(one.descriptors).toEqual([50, 145]);
});

test('growth of a soak with too few collections is refused', () => {
  const samples = `Array.from({ length: 11 }, (_, i) => ({
    atS: 10 * i, collected: i % 2 === 1, parts: [{ name: 'one', rssMiB: 100, descriptors: 1 }],
  }))`;
  expect(() => run(`slopesOf(${samples}, 0)`)).toThrow(/Growth needs 6 samples or more and there are 5/);
});

test.each([
  ['nothing', {}, []],
  ['a 500', { defects: 1 }, ['Answers or parts of them that say 500']],
  ['load that was never put on', { skipped: 1 }, ['Operations that were due and not begun']],
  [
    'failures beyond deadline and linger',
    { firstS: 1, steadyS: 14.1 },
    ['Longest time from the end of a fault to the last failure'],
  ],
  ['failures until then', { steadyS: 13.9 }, []],
  ['failures of clients that waited for somebody silent', { steadyS: 21.9, silent: true }, []],
  [
    'failures of those beyond their patience',
    { steadyS: 22.1, silent: true },
    ['The same, of clients that waited for somebody silent'],
  ],
])('a rehearsal with %s misses as much', (_, row, missed) => {
  const bars = `barsOf([${zeros}, { ...${zeros}, ...${JSON.stringify(row)} }], 8_000)`;
  expect(run(`${bars}.filter((bar) => !reached(bar)).map(({ what }) => what)`)).toEqual(missed);
});

test('answers that say 500 are counted, parts of a batch as well', () => {
  const settled = run(`[
    ['/detect', { status: 500, body: { error: {} } }],
    ['/detect', { status: 503, body: { error: {} } }],
    ['/batch', { status: 200, body: { data: { results: [
      { index: 0, status: 500, success: false }, { index: 1, status: 200, success: true, data: {} },
    ] } } }],
  ].map(([path, answer]) => {
    const one = { ...pursued([attempt(0, 1, '', true)]), operation: { path, questions: [] }, succeeded: [] };
    new Client([], '', undefined).settle(one, answer);
    return one.defects;
  })`);
  expect(settled).toEqual([1, 0, 1]);
});

test('what is due while too much is pending is not begun, and told', () => {
  const seen = run(`await (async () => {
    let turns = 0;
    const answered = [];
    const client = { pursue: () => new Promise((resolve) => answered.push(resolve)), close: () => {} };
    const isOver = () => {
      if (++turns <= 70) return false;
      for (const one of answered) one('done');
      return true;
    };
    const { pursued: all, skipped } = await drive({ client, next: () => ({}), perSecond: 1000, isOver });
    return { all: all.length, skipped };
  })()`);
  expect(seen).toEqual({ all: 64, skipped: 6 });
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
])('the key %s is of the kind %s', (key, kind) => {
  expect(run(`kindOf('${key}')`)).toBe(kind);
});

describe('what a soak misses', () => {
  const missed = (more: string) =>
    run(`soakBars({
      slopes: [{ name: 'gateway 1', perHour: 1, error: 1, descriptors: [9, 9] }],
      seen: { lost: 0, wrong: 0, defects: 0 }, undelivered: 0, deviation: 0, skipped: 0, sessionFailures: 0,
      endless: { before: { a: 1 }, after: { a: 2 } }, ${more}
    }).filter((bar) => !reached(bar)).map(({ what }) => what)`);
  const slope = (perHour: number, error: number) =>
    `slopes: [{ name: 'gateway 1', perHour: ${perHour}, error: ${error}, descriptors: [9, 9] }]`;

  it.each([
    ['nothing', '', []],
    ['growth', slope(40, 1), ['Growth of gateway 1, upper end of the 95 % interval']],
    ['growth that noise may hide', slope(3, 4), ['Growth of gateway 1, upper end of the 95 % interval']],
    ['nothing where even the upper end is within the bar', slope(-9, 14), []],
    [
      'a key for each request',
      "endless: { before: {}, after: { 'presenza:{account}:idem': 40, '{presenza:webhooks}:deliveries': 900 } }",
      ['Kinds of keys without an end that grew', 'Keys without an end, more than before'],
    ],
    ['load that was never put on', 'skipped: 1', ['Operations that were due and not begun']],
    ['sessions', 'sessionFailures: 1', ['Sessions that could not be made']],
  ])('%s', (_, more, expected) => {
    expect(missed(more)).toEqual(expected);
  });
});

test('the balancer goes by readiness, and by who was taken out', () => {
  const seen = run(`await (async () => {
    let ready = 200;
    const servers = [];
    for (let i = 0; i < 2; i++) {
      const server = createServer((_, res) => res.writeHead(i === 0 ? ready : 200).end()).listen(0);
      await once(server, 'listening');
      servers.push(server);
    }
    const members = servers.map((server, i) => ({
      name: String(i), port: i, readyUrl: 'http://127.0.0.1:' + server.address().port,
    }));
    const balancer = new Balancer(members);
    const targets = () => [balancer.target(), balancer.target()].sort();
    await balancer.watch();
    const both = targets();
    balancer.takeOut('1');
    const first = targets();
    await balancer.putIn('1');
    ready = 503;
    while (balancer.target() === 0 || balancer.target() === 0) await new Promise((r) => setTimeout(r, 20));
    const second = targets();
    balancer.takeOut('1');
    const none = targets().map(String);
    balancer.close();
    for (const server of servers) { server.closeAllConnections(); server.close(); }
    return { both, first, second, none };
  })()`);
  expect(seen).toEqual({ both: [0, 1], first: [0, 0], second: [1, 1], none: ['undefined', 'undefined'] });
});
