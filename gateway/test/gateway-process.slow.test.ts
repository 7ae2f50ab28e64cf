/**
 * The gateway as a process: where it listens, and what it says of itself while another tier is unavailable.
 *
 * Slow: it starts a gateway for each failure, and one start waits 10 s for an incomplete cluster.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  freePort,
  gatewayCommand,
  type RunningGateway,
  type RunningProcess,
  type RunningServer,
  runToEnd,
  startGateway,
  startInference,
  startRedis,
  waitUntil,
} from '../harness/index.mjs';
import { KeyService } from '../src/services/keys/keys';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { keySecret } from './services';

const photo = readFileSync(
  join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo/sample1.jpg'),
);

let tiers: RunningServer[];
let gateway: RunningGateway;
let folder: string;
/** A Redis Cluster without slots. */
let node: RunningServer;
/** The exit of a gateway on that cluster. It takes 10 s, so it begins before the other tests. */
let incomplete: ReturnType<typeof endOf>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-process-'));
  tiers = await Promise.all([startRedis(), startInference()]);
  const [store, tier] = tiers as [RunningServer, RunningServer];
  gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: tier.url,
    KEY_SECRET: keySecret,
    GATEWAY_HOST: '0.0.0.0',
    GATEWAY_JOURNAL: join(folder, 'journal'),
  });
  node = await startRedis({ folder, config: { 'cluster-enabled': 'yes' } });
  incomplete = endOf(cluster());
});
afterAll(async () => {
  await incomplete;
  await node.stop();
  await gateway.stop();
  await Promise.all(tiers.map((tier) => tier.stop()));
  rmSync(folder, { recursive: true });
});

test('metrics stay on the machine, wherever the API listens', async () => {
  const elsewhere = (url: string) => `${url.replace('127.0.0.1', '127.0.0.2')}`;
  expect((await fetch(`${elsewhere(gateway.url)}/health`)).status).toBe(200);
  expect((await fetch(`${gateway.operationsUrl}/livez`)).status).toBe(200);
  await expect(fetch(`${elsewhere(gateway.operationsUrl)}/livez`)).rejects.toThrow();
});

async function readyz({ operationsUrl } = gateway) {
  const response = await fetch(`${operationsUrl}/readyz`);
  return { status: response.status, body: (await response.json()) as { degraded: string[] } };
}

const isDegraded = (expected: boolean) =>
  waitUntil(
    `the gateway is ${expected ? '' : 'no longer '}degraded`,
    async () => (await readyz()).body.degraded.length > 0 === expected,
  );

test('a hanging Redis is reported as degraded; the gateway stays ready for requests that it can serve', async () => {
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: [] } });
  const [store] = tiers as [RunningServer, RunningServer];
  store.freeze();
  await isDegraded(true);
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: ['store'], waitingFor: [] } });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  const metrics = await (await fetch(`${gateway.operationsUrl}/metrics`)).text();
  expect(metrics).toContain('presenza_gateway_tier_up{tier="store"} 0');
  expect(metrics).toContain('presenza_gateway_tier_up{tier="inference"} 1');
  store.thaw();
  await isDegraded(false);
});

test('a gateway whose process was stopped for 3 s does not take Redis for unavailable', async () => {
  const [store] = tiers as [RunningServer, RunningServer];
  const redis = new Redis(store.url);
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  const { id } = await keys.createAccount('Tests', 'business');
  const { apiKey } = await keys.createKey(id, 'live');
  redis.disconnect();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg' };
  const detect = async () => {
    const response = await fetch(`${gateway.url}/detect`, { method: 'POST', headers, body: photo });
    return response.status;
  };
  expect(await detect()).toBe(200);
  // Some requests are under way when the process stops, and others arrive while it is stopped.
  const early = Array.from({ length: 8 }, detect);
  await new Promise(setImmediate);
  gateway.freeze();
  const late = Array.from({ length: 8 }, detect);
  await delay(3_000);
  gateway.thaw();
  expect(await Promise.all([...early, ...late])).toEqual(Array.from({ length: 16 }, () => 200));
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: [] } });
});

test('a gateway that has never reached its inference tier is not ready', async () => {
  const [store] = tiers as [RunningServer, RunningServer];
  const lost = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: `http://127.0.0.1:${await freePort()}`,
    KEY_SECRET: keySecret,
    GATEWAY_JOURNAL: join(folder, 'journal-of-another'),
  });
  expect(await readyz(lost)).toMatchObject({ status: 503, body: { waitingFor: ['inference'] } });
  await lost.stop();
});

test('a gateway starts without the Redis of the session keys, serves all but liveness, and connects to it later', async () => {
  const [store, tier] = tiers as [RunningServer, RunningServer];
  const port = await freePort();
  const waiting = await startGateway({
    REDIS_URL: store.url,
    REDIS_SESSION_KEYS_URL: `redis://127.0.0.1:${port}`,
    INFERENCE_URL: tier.url,
    KEY_SECRET: keySecret,
    GATEWAY_JOURNAL: join(folder, 'journal-without-keys'),
  });
  const redis = new Redis(store.url);
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  const { id } = await keys.createAccount('Tests', 'free');
  const { apiKey } = await keys.createKey(id, 'live');
  const post = (path: string, body: Buffer | string = '', type = 'application/json') =>
    fetch(waiting.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
      body,
    });

  expect(await readyz(waiting)).toMatchObject({
    status: 200,
    body: { degraded: ['sessionKeys'], waitingFor: [] },
  });
  expect((await fetch(`${waiting.url}/health`)).status).toBe(200);
  expect((await post('/detect', photo, 'image/jpeg')).status).toBe(200);
  const refused = await post('/liveness', '{}');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const metrics = async () => (await fetch(`${waiting.operationsUrl}/metrics`)).text();
  expect(await metrics()).toContain('presenza_gateway_tier_up{tier="sessionKeys"} 0');
  expect(await metrics()).not.toMatch(/^presenza_gateway_session_keys_overdue /m);

  const server = await startRedis({ port, durable: true });
  await waitUntil('the gateway has connected', async () => (await post('/liveness', '{}')).status === 200);
  await waitUntil('it reports so', async () => (await readyz(waiting)).body.degraded.length === 0);
  expect(await metrics()).toContain('presenza_gateway_session_keys_overdue 0');
  expect(await metrics()).toMatch(/dependency_seconds_count\{dependency="sessionKeys",operation="hset"/);
  await waiting.stop();
  redis.disconnect();
  await server.stop();
});

test('an inference tier that fails is reported as degraded; clients still receive Retry-After', async () => {
  const [, tier] = tiers as [RunningServer, RunningServer];
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: [] } });
  await tier.stop();
  await isDegraded(true);
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: ['inference'], waitingFor: [] } });
  const health = await fetch(`${gateway.url}/health`);
  expect({ status: health.status, retryAfter: health.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '1',
  });
});

const cluster = () => ({ REDIS_URL: node.url, REDIS_CLUSTER: 'true' });

/** Starts a gateway that cannot get ready, and waits for its end. */
async function endOf(
  configuration: Record<string, string>,
  onStart: (gateway: RunningProcess) => void = () => {},
) {
  const { command, args, env } = gatewayCommand({
    KEY_SECRET: keySecret,
    GATEWAY_JOURNAL: join(folder, 'journal-of-a-start'),
    ...configuration,
  });
  const { code, stdout, stderr } = await runToEnd(command, args, { env, onStart });
  const output = `${stdout}${stderr}`.trimEnd().split('\n');
  return { code, output };
}

describe('while it starts', () => {
  test('an incomplete Redis Cluster stops it, with a sentence that says what is missing', async () => {
    const { code, output } = await incomplete;
    expect(code).toBe(1);
    expect(output.at(-1)).toBe(
      'Redis at REDIS_URL was not ready within 10 s (the Redis Cluster is not complete: 0 of 16384 slots are assigned, and its state is fail; create it with redis-cli --cluster create, or bring its missing nodes back)',
    );
  });

  test('SIGTERM stops it at once, although Redis is not ready', async () => {
    const observer = new Redis(node.url);
    // Not the clients that are connected now: the gateway's connections to an incomplete cluster are brief.
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await observer.info('stats'))?.[1]);
    const before = await connections();
    // Connected is as far as it gets.
    const waiting = (gateway: RunningProcess) =>
      void waitUntil('the gateway has connected', async () => (await connections()) > before).then(() =>
        gateway.stop(),
      );
    const { code, output } = await endOf(cluster(), waiting);
    observer.disconnect();
    // After 10 s, it would say instead that Redis was not ready.
    expect([code, output.map((line) => JSON.parse(line).msg)]).toEqual([0, ['stopped before it was ready']]);
  });
});
