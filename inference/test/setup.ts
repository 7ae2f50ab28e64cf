/** The workers that the server would have, over the compiled models in the cache. */

import { defaultModelCache } from '../src/catalogue/paths';
import { BytesInFlight } from '../src/http/bytes-in-flight';
import { createMetrics } from '../src/http/metrics';
import type { ModelRole } from '../src/pipeline/operations';
import { type Done, type PoolOptions, WorkerPool } from '../src/pool/pool';
import { Scheduler } from '../src/scheduling/scheduler';
import { findServingModels, type ServingModels } from '../src/serving/serving-models';

export const servingModels = () => findServingModels(process.env.MODELS_CACHE ?? defaultModelCache);

/** Some of the models that serve, which load faster than all of them. */
async function modelsFor(roles: readonly string[]): Promise<ServingModels> {
  const serving = await servingModels();
  const models = Object.fromEntries(roles.map((role) => [role, serving.models[role as ModelRole]]));
  return { ...serving, models: models as ServingModels['models'] };
}

export const rolesOfDetection = ['near', 'thorough', 'mesh'];

interface TestOptions extends Partial<PoolOptions> {
  /** Default: all. */
  readonly roles?: readonly string[];
}

/** A pool over ONNX Runtime on the CPU. */
export async function startPool({ roles, ...options }: TestOptions = {}): Promise<WorkerPool> {
  return WorkerPool.start({
    serving: await (roles ? modelsFor(roles) : servingModels()),
    backend: { name: 'onnx', device: 'cpu' },
    deviceIds: [0],
    workers: 1,
    tasksPerWorker: 1,
    sharedDevices: false,
    stages: { maxBatch: 4, sliceMs: 5, gatherMs: 0 },
    ...options,
  });
}

/** Pool, scheduler and metrics, wired as the server wires them. */
export async function startServing(options: TestOptions = {}) {
  const metrics = createMetrics();
  const pool = await startPool({ observer: metrics.poolObserver, ...options });
  const scheduler = new Scheduler<Done>({
    dispatcher: pool,
    maxQueue: 64,
    observer: metrics.schedulerObserver,
  });
  const bytesInFlight = new BytesInFlight(512 * 1024 * 1024);
  metrics.watch({ pool, scheduler, bytesInFlight });
  const { manifestData } = await servingModels();
  return { pool, scheduler, metrics, bytesInFlight, manifestData };
}
