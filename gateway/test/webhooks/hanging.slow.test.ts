/**
 * Accounts whose receivers hang take all the attempts they can get. Another account, and an endpoint that responds, get
 * their events while those attempts still hang.
 *
 * Slow: receivers hang until the other accounts have their events, on a Redis of its own for each kind.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { bounds } from '../../src/bounds';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { type Deployment, deploy, happen, newEvent, until } from './deployment';
import { type Receiver, startReceiver } from './receiver';

const eventsPerAccount = 10;
const endpointsPerAccount = 10;
/** Enough to take all attempts if each had no limit of its own. */
const accountCount = 1 + Math.ceil(bounds.webhookAttempts / (endpointsPerAccount * bounds.endpointAttempts));

let redis: RunningServer;
let deployment: Deployment;
let server: Server;
const receivers: Receiver[] = [];
const sockets = new Set<Socket>();
/** End the lookups that hang. */
const endLookups: (() => void)[] = [];

beforeEach(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  server.close();
  for (const socket of sockets) socket.destroy();
  for (const end of endLookups.splice(0)) end();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await deployment.stop();
  await redis.stop();
});

const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n';
/** Writes a byte now and then until the socket closes. */
function drip(socket: Socket, first = ''): void {
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 1_000);
  socket.on('close', () => clearInterval(timer));
}

/** The ways to hang: how the server treats a connection. */
const ways: Readonly<Record<string, { scheme?: 'https'; host?: string; serve(socket: Socket): void }>> = {
  'does not respond': { serve: () => {} },
  'does not end the TLS handshake': { scheme: 'https', serve: () => {} },
  'sends its headers byte by byte': { serve: (socket) => drip(socket, `${head}X-Slow: `) },
  'sends its body byte by byte': { serve: (socket) => drip(socket, `${head}\r\n`) },
  'has a name whose lookup does not end': {
    scheme: 'https',
    host: 'hanging.example',
    serve: () => {},
  },
};

test.each(Object.entries(ways))('a receiver that %s delays no other', async (_name, way) => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    way.serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `${way.scheme ?? 'http'}://${way.host ?? '127.0.0.1'}:${port}/hook`;
  const guard = new AddressGuard(
    { allowLoopback: true },
    () => new Promise((_resolve, reject) => endLookups.push(() => reject(new Error('the test has ended')))),
  );
  // Attempts that hang do so until the test ends.
  deployment = await deploy(redis.url, { guard, timeoutMs: 600_000, pollMs: 600_000, closeMs: 1_000 });
  const { webhooks, registry } = deployment;

  /** An account with events, which wait in its outbox. */
  const accountWith = async (hangingEndpoints: number) => {
    const id = await deployment.account();
    for (let at = 0; at < hangingEndpoints; at++) await deployment.endpoint(id, `${url}?${at}`);
    for (let at = 0; at < eventsPerAccount; at++) await happen(deployment.redis, newEvent(id));
    return id;
  };
  const withHangingEndpoint = await accountWith(1);
  const hanging: string[] = [];
  for (let at = 0; at < accountCount; at++) hanging.push(await accountWith(endpointsPerAccount));
  for (const id of [withHangingEndpoint, ...hanging]) webhooks.events.notify(id);
  const total = (1 + accountCount * endpointsPerAccount) * eventsPerAccount;
  await until(
    () => registry.metrics(),
    (text) => new RegExp(`webhook_backlog ${total}\n`).test(text),
  );
  await until(
    async () => (way.host ? endLookups.length : sockets.size),
    (count) => count >= endpointsPerAccount * bounds.endpointAttempts,
  );

  for (const id of [withHangingEndpoint, await accountWith(0)]) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    await deployment.endpoint(id, receiver.url);
    const { eventId } = await happen(deployment.redis, newEvent(id));
    webhooks.events.notify(id);
    const all = await receiver.count(id === withHangingEndpoint ? 1 : eventsPerAccount + 1);
    expect(all.map(({ headers }) => headers['webhook-id'])).toContain(eventId);
  }
});
