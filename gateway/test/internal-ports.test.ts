/** The ports that no web page may reach, as the processes serve them. */
import { request } from 'node:http';
import {
  freePort,
  type RunningGateway,
  type RunningServer,
  startGateway,
  startRedis,
} from '../harness/index.mjs';
import { keySecret } from './services';
import { sharedTierUrl } from './shared-tier';
import { adminToken } from './test-gateway';

let redis: RunningServer;
let gateway: RunningGateway;
let urls: Readonly<Record<Port, string>>;

type Port = 'inference' | 'metrics' | 'admin';
/** A request that each port serves. */
const asked: Readonly<Record<Port, { path: string; headers: Record<string, string> }>> = {
  inference: { path: '/readyz', headers: {} },
  metrics: { path: '/livez', headers: {} },
  admin: { path: '/accounts', headers: { authorization: `Bearer ${adminToken}` } },
};
const ports = Object.keys(asked) as Port[];
/** The names of the services of Compose and Kubernetes. */
const serviceNames: Readonly<Record<Port, readonly string[]>> = {
  inference: ['inference'],
  metrics: ['gateway', 'gateway-pods'],
  admin: ['gateway-admin'],
};

beforeAll(async () => {
  redis = await startRedis();
  const adminPort = await freePort();
  gateway = await startGateway({
    REDIS_URL: redis.url,
    INFERENCE_URL: sharedTierUrl(),
    KEY_SECRET: keySecret,
    ADMIN_TOKEN: adminToken,
    GATEWAY_ADMIN_PORT: String(adminPort),
  });
  urls = {
    inference: sharedTierUrl(),
    metrics: gateway.operationsUrl,
    admin: `http://127.0.0.1:${adminPort}`,
  };
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** @returns the status */
const send = (port: Port, { method = 'GET', path = asked[port].path, headers, body }: Sent) =>
  new Promise<number>((resolve, reject) => {
    const all = { ...asked[port].headers, ...headers };
    const sent = request(urls[port] + path, { method, headers: all, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode as number));
    });
    sent.on('error', reject);
    sent.end(body);
  });

const hosts = (port: Port): readonly (readonly [string, number])[] => {
  const { port: number } = new URL(urls[port]);
  const allowed = [
    '127.0.0.1',
    '127.0.0.2',
    '10.1.2.3',
    '[::1]',
    '[::1]:1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    `127.0.0.1:${number}`,
    `localhost:${number}`,
    ...serviceNames[port].flatMap((name) => [name, `${name}:${number}`, name.toUpperCase()]),
  ];
  const refused = [
    'attacker.example',
    `attacker.example:${number}`,
    'localhost.attacker.example',
    'notlocalhost',
    '127.0.0.1.attacker.example',
    '127.0.0.1.nip.io',
    `${serviceNames[port][0]}.attacker.example`,
    '[attacker.example]',
    'attacker.example@127.0.0.1',
    '127.0.0.1 attacker.example',
    '2130706433',
    'other-service',
    '[127.0.0.1]',
    '[::1',
    '::1',
  ];
  return [...allowed.map((host) => [host, 200] as const), ...refused.map((host) => [host, 403] as const)];
};

test.each(ports)('the port of %s serves addresses, localhost and its service names only', async (port) => {
  const seen: (readonly [string, number])[] = [];
  for (const [host] of hosts(port)) seen.push([host, await send(port, { headers: { host } })]);
  // The admin API calls a Host that is not well-formed an invalid parameter.
  const status = (code: number) => (port === 'admin' && code === 400 ? 403 : code);
  expect(seen.map(([host, code]) => [host, status(code)])).toEqual(hosts(port));
});

test.each(ports)('the port of %s refuses requests of foreign pages and serves its own', async (port) => {
  const { host } = new URL(urls[port]);
  const table: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{ origin: 'https://attacker.example' }, 403],
    [{ origin: 'http://127.0.0.1:8000' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: `http://${host}` }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    // A link on another page.
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, 200],
  ];
  const seen: (readonly [Readonly<Record<string, string>>, number])[] = [];
  for (const [headers] of table) seen.push([headers, await send(port, { headers })]);
  expect(seen).toEqual(table);
  const form = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect(await send(port, { method: 'POST', headers: form })).toBe(403);
});

test.each(['/detect', '/compare', '/moderate', '/prototype', '/frames'])(
  'the inference tier takes no body for %s that a page could send without a preflight',
  async (path) => {
    const body = Buffer.from('not an image');
    const post = (headers: Record<string, string>) =>
      send('inference', { method: 'POST', path, headers, body });
    const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', ''];
    for (const type of [...types, 'application/json', 'image/jpeg']) {
      expect([type, await post({ 'content-type': type })]).toEqual([type, 415]);
    }
    expect(await post({})).toBe(415);
    // It reads the body, which is wrong in another way.
    expect([400, 422]).toContain(await post({ 'content-type': 'application/octet-stream' }));
  },
);
