/** GET /health/history, and the records behind it on a real Redis. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import limits from '@presenza/contract/limits.json';
import { freePort, startRedis } from '../harness/index.mjs';
import { createApp } from '../src/http/app';
import { allUnavailable, marksOf, minuteAt, minutesOf } from '../src/services/health/days';
import { HealthHistory } from '../src/services/health/health-history';
import { connectRedis, isResponding } from '../src/stores/redis';
import { RedisHealthStore } from '../src/stores/redis-health-store';
import { schemas } from './contract';
import { describeOnEachRedis } from './each-redis';
import { keepOpen, realServices } from './services';
import { tierThatDetects } from './stand-in';
import { TestGateway } from './test-gateway';

const day = new Date().toISOString().slice(0, 10);
const midnight = minuteAt(Date.parse(day));

describeOnEachRedis((redis) => {
  test('two gateways add to the same days, and a day ends after its time', async () => {
    const [first, other] = [new RedisHealthStore(redis()), new RedisHealthStore(redis())];
    const fine = marksOf([]);
    await Promise.all([
      first.add([
        [midnight, fine],
        [midnight + 1439, fine],
      ]),
      other.add([
        [midnight, fine],
        [midnight + 1, allUnavailable],
        [midnight - 1, fine],
      ]),
    ]);
    const yesterday = new Date((midnight - 1) * 60_000).toISOString().slice(0, 10);
    const [none, before, today] = await first.read(['2020-02-02', yesterday, day]);
    expect(none).toBeUndefined();
    expect(minutesOf('webhooks', before as Uint8Array)).toEqual({ available: 1, partial: 0, unavailable: 0 });
    expect(minutesOf('webhooks', today as Uint8Array)).toEqual({ available: 2, partial: 0, unavailable: 1 });
    const until = await redis().expiretime(`presenza:{health}:${day}`);
    expect(until).toBe(Date.parse(day) / 1_000 + (limits.health.historyDays + 1) * 86_400);
  });

  test('a whole day that waited is added at once, and takes 1,440 bytes', async () => {
    const store = new RedisHealthStore(redis());
    const first = minuteAt(Date.parse('2030-01-01'));
    await store.add(Array.from({ length: 1440 }, (_, minute) => [first + minute, allUnavailable] as const));
    const [record] = await store.read(['2030-01-01']);
    expect(minutesOf('api', record as Uint8Array)).toEqual({ available: 0, partial: 0, unavailable: 1440 });
    expect(record?.length).toBeLessThanOrEqual(1440);
  });
});

describe('GET /health/history', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start();
    await gateway.services.health.measure();
  });
  afterAll(() => gateway.stop());

  test.each(['/health/history', '/v1/health/history'])(
    '%s needs no key, is for pages of any origin, and may be cached for a minute',
    async (path) => {
      const { status, headers, body } = await gateway.api({
        method: 'GET',
        path,
        headers: { origin: 'https://site.example' },
      });
      expect([status, schemas.validate('health-history-response.json', body)]).toEqual([200, true]);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      expect(body.data.components).toEqual(
        ['api', 'analyses', 'liveness', 'webhooks'].map((component) => ({
          component,
          available: true,
          days: [{ date: day, available: 1, partial: 0, unavailable: 0 }],
        })),
      );
    },
  );

  test('other methods and parameters are rejected, and errors are not cached', async () => {
    expect(await gateway.api({ method: 'POST', path: '/health/history' })).toMatchObject({ status: 405 });
    const { status, headers } = await gateway.api({ method: 'GET', path: '/health/history?days=7' });
    expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
  });
});

test('an outage of Redis is reported while it lasts, and is in the history afterward', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-health-'));
  const port = await freePort();
  const start = () => startRedis({ folder, port, durable: true, config: { appendfsync: 'always' } });
  let redisServer = await start();
  const redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  let now = Date.parse(`${day}T00:00:00Z`);
  const health = new HealthHistory({
    store: new RedisHealthStore(redis),
    unavailable: async () => ((await isResponding(redis)) ? [] : ['store']),
    isInService: async () => true,
    now: () => now,
  });
  const inference = tierThatDetects(async () => ({ faces: [] }) as never);
  const server = createServer(
    keepOpen,
    createApp({ ...realServices(redis, inference), health, now: () => now }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const read = async () => {
    const { port: at } = server.address() as AddressInfo;
    // biome-ignore lint/suspicious/noExplicitAny: the response is checked above
    const { data } = (await (await fetch(`http://127.0.0.1:${at}/health/history`)).json()) as any;
    return data.components[0];
  };
  try {
    await health.measure();
    await redisServer.stop();
    for (let minute = 0; minute < 3; minute += 1) {
      now += 60_000;
      await health.measure();
    }
    expect(await read()).toEqual({ component: 'api', available: false });
    redisServer = await start();
    while (!(await isResponding(redis))) await new Promise((resolve) => redis.once('ready', resolve));
    now += 60_000;
    await health.measure();
    expect(await read()).toEqual({
      component: 'api',
      available: true,
      days: [{ date: day, available: 2, partial: 0, unavailable: 3 }],
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
    redis.disconnect();
    await redisServer.stop();
    rmSync(folder, { recursive: true });
  }
});
