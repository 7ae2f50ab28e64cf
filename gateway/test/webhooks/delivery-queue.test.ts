/** The state of the delivery queue on a real Redis. */
import brand from '@presenza/contract/brand.json';
import { Queue } from 'bullmq';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import type { NextStep } from '../../src/services/webhooks/delivery-queue';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { BullDeliveryQueue, DeliveryWorker } from '../../src/stores/webhooks/bull-delivery-queue';
import { newEvent } from './deployment';

const minute = 60_000;

let server: RunningServer;
let connection: RedisClient;

beforeAll(async () => {
  server = await startRedis();
  connection = await connectRedis({ url: server.url, cluster: false }, () => {});
});
afterAll(async () => {
  connection.disconnect();
  await server.stop();
});

test.each<NextStep>([
  { kind: 'retry', ms: minute },
  { kind: 'later', ms: minute },
])(
  'reports a delivery with the next step $kind as waiting since it became due, not since its creation',
  async (next) => {
    await connection.flushall();
    const fail = (error: Error) => {
      throw error;
    };
    const queue = new BullDeliveryQueue(connection, fail);
    const all = new Queue('deliveries', { connection, prefix: `{${brand.slug}:webhooks}` });
    await queue.ready();
    const createdAt = Date.now();
    await queue.add([{ delivery: { ...newEvent('acc_1'), webhookId: 'wh_1' }, delayMs: 0 }]);
    expect((await queue.state()).dueSince).toBeLessThan(createdAt + minute);

    const attempted = new Promise<void>((resolve) => {
      const worker = new DeliveryWorker({
        process: async () => {
          void worker.close(minute).then(resolve);
          return next;
        },
        connection,
        onError: fail,
        delayMs: () => undefined,
        concurrency: 1,
        lockMs: minute,
      });
    });
    await attempted;
    expect(await queue.state()).toEqual({ backlog: 1, dueSince: undefined, deadLetters: 0 });
    await all.promoteJobs();
    const { dueSince } = await queue.state();
    expect(dueSince).toBeGreaterThanOrEqual(createdAt + minute);
    expect(dueSince).toBeLessThanOrEqual(Date.now() + minute);
    await all.close();
  },
);

test('begins the deliveries of an account with few events before those of an account with many', async () => {
  await connection.flushall();
  const fail = (error: Error) => {
    throw error;
  };
  const queue = new BullDeliveryQueue(connection, fail);
  await queue.ready();
  const eventsOf = (accountId: string, count: number) =>
    Array.from({ length: count }, () => ({
      delivery: { ...newEvent(accountId), webhookId: 'wh_1' },
      delayMs: 0,
    }));
  const batches = 5;
  for (let batch = 0; batch < batches; batch++) await queue.add(eventsOf('acc_many', 100));
  await queue.add(eventsOf('acc_few', 1));
  expect(await queue.state()).toMatchObject({ backlog: 100 * batches + 1 });
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    const worker = new DeliveryWorker({
      process: async ({ accountId }) => {
        order.push(accountId);
        if (accountId === 'acc_few') void worker.close(minute).then(resolve);
        return { kind: 'done' };
      },
      connection,
      onError: fail,
      delayMs: () => undefined,
      concurrency: 1,
      lockMs: minute,
    });
  });
  expect(order.indexOf('acc_few')).toBe(batches);
});
