import { evaluate } from '../testing';

test('the balancer follows readiness, and leaves out members that were taken out', async () => {
  const [seen] = await evaluate(
    `import { createServer } from 'node:http';
     import { once } from 'node:events';
     import { Balancer } from './harness/balancer.mjs';
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
     print({ both, first, second, none });`,
  );
  expect(seen).toEqual({ both: [0, 1], first: [0, 0], second: [1, 1], none: ['undefined', 'undefined'] });
});
