/** What the queue tells of those that wait, on a real Redis. */
import brand from '@presenza/contract/brand.json';
import { Queue } from 'bullmq';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import type { Next } from '../../src/services/webhooks/deliverer';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { BullDeliveryQueue, DeliveryWorker } from '../../src/stores/webhooks/delivery-queue';
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

test.each<Next>([
  { kind: 'retry', ms: minute },
  { kind: 'later', ms: minute },
])('one that comes again ($kind) has waited only since it was due, not since it was made', async (next) => {
  await connection.flushall();
  const fail = (error: Error) => {
    throw error;
  };
  const queue = new BullDeliveryQueue(connection, fail);
  const all = new Queue('deliveries', { connection, prefix: `{${brand.slug}:webhooks}` });
  await queue.ready();
  const made = Date.now();
  await queue.add([{ delivery: { ...newEvent('acc_1'), webhookId: 'wh_1' }, delayMs: 0 }]);
  expect((await queue.state()).dueSince).toBeLessThan(made + minute);

  const attempted = new Promise<void>((resolve) => {
    const worker = new DeliveryWorker({
      attempt: async () => {
        void worker.close(minute).then(resolve);
        return next;
      },
      ...{ connection, onError: fail, delayMs: () => undefined, concurrency: 1, lockMs: minute },
    });
  });
  await attempted;
  expect(await queue.state()).toEqual({ backlog: 1, dueSince: undefined, deadLetters: 0 });
  await all.promoteJobs();
  const { dueSince } = await queue.state();
  expect(dueSince).toBeGreaterThanOrEqual(made + minute);
  expect(dueSince).toBeLessThanOrEqual(Date.now() + minute);
  await all.close();
});
