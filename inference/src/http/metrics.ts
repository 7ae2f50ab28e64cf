import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WorkerPool } from '../pool/pool';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of the inference tier, in a registry of their own. */
export function createMetrics(pool: Pick<WorkerPool, 'queued' | 'workers' | 'device'>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'presenza_inference_queue_length',
    help: 'Tasks waiting for a worker.',
    registers: [registry],
    collect() {
      this.set(pool.queued);
    },
  });
  new Gauge({
    name: 'presenza_inference_workers',
    help: 'Worker threads by device.',
    labelNames: ['device'],
    registers: [registry],
  }).set({ device: pool.device }, pool.workers);
  const buckets = [0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1, 2, 5];
  return {
    registry,
    requests: new Counter({
      name: 'presenza_inference_requests_total',
      help: 'Requests by operation and outcome.',
      labelNames: ['operation', 'outcome'],
      registers: [registry],
    }),
    stageSeconds: new Histogram({
      name: 'presenza_inference_stage_seconds',
      help: 'Time per request and stage: decode, model, total.',
      labelNames: ['operation', 'stage'],
      buckets,
      registers: [registry],
    }),
  };
}
