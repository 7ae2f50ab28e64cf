import { evaluate } from '../lib/testing';

const run = <T>(expression: string) =>
  evaluate<T>(
    `import { createServer } from 'node:http';
     import { once } from 'node:events';
     import { Balancer } from './faults/balancer.mjs';
     import { slopesOf } from './faults/soak.mjs';
     import { look } from './faults/rehearse.mjs';
     const attempt = (from, to, name, failed, retryMs) => ({ from, to, name, failed, retryMs });
     const pursued = (attempts, more = {}) => ({
       operation: { path: '/detect' }, attempts, at: attempts.at(-1).to, lost: false, wrong: [], ...more,
     });`,
    expression,
  );

test('what clients saw: losses, answers that came too late, and when it was well again', () => {
  const seen = run<Record<string, unknown>>(`look([
    pursued([attempt(0, 100, '200', false)]),
    pursued([attempt(900, 1100, '503 store', true, 1000), attempt(2100, 2600, '200', false)]),
    pursued([attempt(1500, 17500, '504', true), attempt(17600, 17700, 'ECONNRESET', true)], { lost: true }),
    pursued([attempt(1500, 31500, 'TimeoutError', true), attempt(31600, 31700, '200', false)], { wrong: ['x'] }),
  ], { from: 1000, to: 2000, until: 40000, deadlineMs: 4000 })`);
  expect(seen).toMatchObject({
    ...{ operations: 4, lost: 1, wrong: 1, failed: 4, timedOut: 1, overdue: 1 },
    ...{ firstS: 0.6, steadyS: 29.5, longestAnswerS: 16, answeredMeanwhile: 0 },
    retryAfterS: { min: 1, max: 1 },
    meanwhile: { '503 store': 1, '504': 1, 'no answer': 1 },
  });
});

test('growth is that of the time after the warm-up', () => {
  const [one] = run<[{ perHour: number; error: number; descriptors: number[] }]>(
    `slopesOf(Array.from({ length: 73 }, (_, i) => ({
       atS: 50 * i, parts: [{ name: 'one', rssMiB: i < 24 ? 500 * i : 100 + i / 6, descriptors: i }],
     })), 0.34)`,
  );
  expect(one.perHour).toBeCloseTo(12);
  expect(one.error).toBeCloseTo(0);
  expect(one.descriptors).toEqual([25, 72]);
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
