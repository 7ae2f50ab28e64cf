/**
 * The whole service on real parts: what the harness starts works, breaks on request and adds up.
 *
 * Slow: it starts several replicas of the whole service and breaks their connections.
 */
import { readFileSync } from 'node:fs';
import { audit, deviation, whenSettled } from './audit.mjs';
import { SAMPLE_PHOTO } from './cli/paths.mjs';
import { RetryingClient } from './client.mjs';
import { drive } from './load.mjs';
import { type Service, startService } from './service.mjs';
import { waitUntil } from './wait.mjs';
import { readMetrics, startSampler } from './watch.mjs';

let service: Service;

beforeAll(async () => {
  service = await startService({ gateways: 2, proxies: true });
});
afterAll(() => service.stop());

const image = `data:image/jpeg;base64,${readFileSync(SAMPLE_PHOTO).toString('base64')}`;
const detection = (key: string) => ({
  key,
  path: '/detect',
  body: Buffer.from(JSON.stringify({ image })),
  products: ['faceDetection'],
});

test('operations succeed and are billed once while a gateway crashes and loses Redis', async () => {
  const account = await service.createAccount();
  const client = new RetryingClient(service.urls, account.apiKey);
  const sampler = startSampler(service.pids(), { everyMs: 50 });
  const done = new AbortController();
  const load = drive({
    perSecond: 5,
    signal: done.signal,
    // However long a busy machine takes to start the gateway again, no request waits for another.
    maxPending: 1_000,
    send: (number: number) => client.pursue(detection(`key-${number}`)),
  });
  const [first] = service.gateways;
  await first?.crash();
  service.proxies.redis[0]?.cut();
  done.abort();
  const { results, skipped } = await load;
  client.close();
  await sampler.stop();

  expect(results.length).toBeGreaterThan(0);
  expect([skipped, results.filter(({ lost }) => lost)]).toEqual([0, []]);
  await whenSettled(service.redisUrl, { accounts: [account.accountId], journals: service.journals });
  const audited = await audit(service.redisUrl, account, results);
  expect([audited.succeeded, deviation(audited)]).toEqual([results.length, 0]);
  expect(sampler.samples.at(-1)?.rssMb['inference 1']).toBeGreaterThan(10);
  const metrics = await readMetrics(service.inferenceMetricsUrls[0] as string);
  expect(metrics.sum('process_resident_memory_bytes')).toBeGreaterThan(10e6);
});

test('the balancer takes out a gateway that is down, and puts it in again', async () => {
  const [first, second] = service.gateways;
  const live = async () => (await fetch(`${service.frontUrl}/health`)).status;
  await first?.kill();
  await waitUntil('only the second gateway gets connections', async () => {
    const ports = new Set(Array.from({ length: 4 }, () => service.balancer.target()));
    return ports.size === 1 && ports.has(second?.running.port);
  });
  expect(await live()).toBe(200);
  await first?.startUntilUp();
  await service.balancer.putIn('gateway 1');
  expect(new Set([service.balancer.target(), service.balancer.target()]).size).toBe(2);
});
