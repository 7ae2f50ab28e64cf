import { readConfig } from '../config';
import { servingPolicy } from './serving-policy';

test('a processor gets a worker for each core, which runs the models in short runs', () => {
  expect(servingPolicy(readConfig({}), 'cpu', 8)).toEqual({
    workers: 8,
    tasksPerWorker: 4,
    sharedDevices: false,
    stages: { maxBatch: 4, sliceMs: 5, gatherMs: 0 },
  });
});

test('a GPU gets a worker for each core but two, and gathers large batches of their items', () => {
  expect(servingPolicy(readConfig({ INFERENCE_DEVICE_IDS: '0,1' }), 'cuda', 18)).toEqual({
    workers: 16,
    tasksPerWorker: 16,
    sharedDevices: true,
    stages: { maxBatch: 32, sliceMs: Number.POSITIVE_INFINITY, gatherMs: 20 },
  });
  expect(servingPolicy(readConfig({}), 'cuda', 2).workers).toBe(2);
});

test("the operator's settings take precedence", () => {
  const config = readConfig({
    INFERENCE_WORKERS: '3',
    INFERENCE_MAX_BATCH: '2',
    INFERENCE_QUEUE_DELAY_MS: '5',
  });
  const { workers, stages } = servingPolicy(config, 'cpu', 8);
  expect([workers, stages.maxBatch, stages.gatherMs]).toEqual([3, 2, 5]);
});
