/** The gateway as a process: where it listens, and what it says of itself while Redis hangs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  type RunningGateway,
  type RunningProcess,
  startGateway,
  startInference,
  startRedis,
} from './processes';
import { keySecret } from './services';

let tiers: RunningProcess[];
let gateway: RunningGateway;
let redis: Redis;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-process-'));
  tiers = await Promise.all([startRedis(), startInference()]);
  const [store, tier] = tiers as [RunningProcess, RunningProcess];
  redis = new Redis(store.url);
  gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: tier.url,
    KEY_SECRET: keySecret,
    GATEWAY_HOST: '0.0.0.0',
    GATEWAY_JOURNAL: join(folder, 'journal'),
  });
});
afterAll(async () => {
  await gateway.stop();
  redis.disconnect();
  await Promise.all(tiers.map((one) => one.stop()));
  rmSync(folder, { recursive: true });
});

test('metrics stay on the machine, wherever the API listens', async () => {
  const elsewhere = (url: string) => `${url.replace('127.0.0.1', '127.0.0.2')}`;
  expect((await fetch(`${elsewhere(gateway.url)}/health`)).status).toBe(200);
  expect((await fetch(`${gateway.operationsUrl}/livez`)).status).toBe(200);
  await expect(fetch(`${elsewhere(gateway.operationsUrl)}/livez`)).rejects.toThrow();
});

test('a Redis that hangs is told as away; the gateway stays ready for those it can serve', async () => {
  const readyz = async () => {
    const response = await fetch(`${gateway.operationsUrl}/readyz`);
    return { status: response.status, body: (await response.json()) as { degraded: string[] } };
  };
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: [] } });
  await redis.client('PAUSE', 5_000, 'ALL');
  while ((await readyz()).body.degraded.length === 0);
  expect(await readyz()).toMatchObject({ status: 200, body: { degraded: ['store'], waitingFor: [] } });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  const metrics = await (await fetch(`${gateway.operationsUrl}/metrics`)).text();
  expect(metrics).toContain('presenza_gateway_tier_up{tier="store"} 0');
  expect(metrics).toContain('presenza_gateway_tier_up{tier="inference"} 1');
  while ((await readyz()).body.degraded.length > 0);
});
