/** The workers that the server would have, over the compiled models in the cache. */
import { Batcher } from '../src/batching/batcher';
import { defaultModelCache } from '../src/catalogue/paths';
import { BytesInFlight } from '../src/http/bytes-in-flight';
import { createMetrics } from '../src/http/metrics';
import { WorkTimes } from '../src/http/work';
import type { OperationShapes } from '../src/pool/messages';
import { type PoolOptions, WorkerPool } from '../src/pool/pool';
import { findServingModels } from '../src/serving/serving-models';

export const servingModels = () => findServingModels(process.env.MODELS_CACHE ?? defaultModelCache);

/** A pool over ONNX Runtime on the CPU. */
export async function startPool(options: Partial<PoolOptions> = {}): Promise<WorkerPool> {
  return WorkerPool.start({
    serving: await servingModels(),
    backend: { name: 'onnx', device: 'cpu' },
    deviceIds: [0],
    workers: 1,
    tasksPerWorker: 1,
    ...options,
  });
}

/** Pool, batcher and metrics, wired as the server wires them. */
export async function startServing(options: Partial<PoolOptions> = {}) {
  const metrics = createMetrics();
  const workTimes = new WorkTimes();
  const pool = await startPool({ observer: workTimes.observe(metrics.poolObserver), ...options });
  const batcher = new Batcher<OperationShapes>({
    dispatcher: pool,
    policy: { maxBatch: 4, maxQueue: 64, delayMs: 0, spread: true },
    observer: metrics.batchObserver,
  });
  const bytesInFlight = new BytesInFlight(512 * 1024 * 1024);
  metrics.watch({ pool, batcher, bytesInFlight });
  const { calibration, background } = (await servingModels()).knowledge;
  return { pool, batcher, metrics, workTimes, bytesInFlight, calibration, background };
}
