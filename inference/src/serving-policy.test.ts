import { readConfig } from './config';
import { servingPolicy } from './serving-policy';

test('a CPU gets a worker per core and batches of one image', () => {
  expect(servingPolicy(readConfig({}), 'cpu', 8)).toMatchObject({
    workers: 8,
    tasksPerWorker: 2,
    batch: { maxBatch: 1, delayMs: 0, spread: true },
  });
});

test('a GPU gets two workers with two large batches each', () => {
  expect(servingPolicy(readConfig({ INFERENCE_DEVICE_IDS: '0,1' }), 'cuda', 64)).toMatchObject({
    workers: 4,
    tasksPerWorker: 2,
    batch: { maxBatch: 32, spread: false },
  });
});

test("the operator's settings take precedence", () => {
  const config = readConfig({
    INFERENCE_WORKERS: '3',
    INFERENCE_MAX_BATCH: '2',
    INFERENCE_QUEUE_DELAY_MS: '5',
  });
  const { workers, batch } = servingPolicy(config, 'cpu', 8);
  expect([workers, batch.maxBatch, batch.delayMs]).toEqual([3, 2, 5]);
});
