import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Balancer } from './balancer.mjs';
import { waitUntil } from './wait.mjs';

test('the balancer follows readiness, and leaves out members that were taken out', async () => {
  let ready = 200;
  const servers = [0, 1].map((i) => createServer((_, res) => res.writeHead(i === 0 ? ready : 200).end()));
  for (const server of servers) await once(server.listen(0), 'listening');
  const members = servers.map((server, i) => ({
    name: String(i),
    port: i,
    readyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }));
  const balancer = new Balancer(members);
  const targets = () => [balancer.target(), balancer.target()].sort();
  try {
    await balancer.watch();
    expect(targets()).toEqual([0, 1]);
    balancer.takeOut('1');
    expect(targets()).toEqual([0, 0]);
    await balancer.putIn('1');
    ready = 503;
    await waitUntil('the balancer notices', () => !targets().includes(0));
    expect(targets()).toEqual([1, 1]);
    balancer.takeOut('1');
    expect(targets()).toEqual([undefined, undefined]);
  } finally {
    balancer.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
});
