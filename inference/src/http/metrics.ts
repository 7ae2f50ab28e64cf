/** Metrics of the inference tier, in a registry of their own, with the events of scheduler and pool. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { busyMsOf } from '../pool/messages';
import type { Done, PoolObserver, WorkerPool } from '../pool/pool';
import type { Scheduler, SchedulerObserver } from '../scheduling/scheduler';

export type Metrics = ReturnType<typeof createMetrics>;

/** Read whenever the metrics are scraped. */
export interface Watched {
  readonly pool: Pick<
    WorkerPool,
    'backend' | 'device' | 'precision' | 'embedding' | 'workers' | 'modelThreads'
  >;
  readonly scheduler: Pick<Scheduler<Done>, 'queued' | 'oldestWaitMs'>;
  readonly bytesInFlight: { readonly bytes: number };
}

const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1, 2, 5];

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'presenza_inference_requests_total',
    help: 'Requests by operation and outcome: ok, refused, invalid, shed, expired, abandoned, error.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const stageSeconds = new Histogram({
    name: 'presenza_inference_stage_seconds',
    help: 'Time by operation and stage. queue, service (as main sees it), model, total.',
    labelNames: ['operation', 'stage'],
    buckets: secondsBuckets,
    registers,
  });
  return {
    registry,
    requests,
    stageSeconds,
    schedulerObserver: schedulerObserver(registry, stageSeconds),
    poolObserver: poolObserver(registry, stageSeconds),
    watch: (watched: Watched) => watch(registry, watched),
  };
}

function schedulerObserver(registry: Registry, stageSeconds: Histogram): SchedulerObserver {
  const dropped = new Counter({
    name: 'presenza_inference_dropped_total',
    help: 'Items not computed, by reason: full, deadline (would be late), draining, expired, abandoned.',
    labelNames: ['operation', 'reason'],
    registers: [registry],
  });
  return {
    dispatched({ operation, waitMs }) {
      stageSeconds.observe({ operation, stage: 'queue' }, waitMs / 1e3);
    },
    finished({ operation, serviceMs, failed }) {
      if (!failed) stageSeconds.observe({ operation, stage: 'service' }, serviceMs / 1e3);
    },
    dropped: (item) => dropped.inc(item),
  };
}

function poolObserver(registry: Registry, stageSeconds: Histogram): PoolObserver {
  const registers = [registry];
  const labelNames = ['model'];
  const modelSeconds = new Counter({
    name: 'presenza_inference_model_seconds_total',
    help: 'Time in models, by role.',
    labelNames,
    registers,
  });
  const modelItems = new Counter({
    name: 'presenza_inference_model_items_total',
    help: 'Images and faces that models ran on, by role.',
    labelNames,
    registers,
  });
  const modelRuns = new Counter({
    name: 'presenza_inference_model_runs_total',
    help: 'Runs of models, by role. Items divided by runs is the mean batch.',
    labelNames,
    registers,
  });
  const recycled = new Counter({
    name: 'presenza_inference_workers_recycled_total',
    help: 'Workers replaced because their budget was used up: tasks, memory; failed: the successor did not start.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Prometheus sees an increase only in a series that it has scraped before, and these events are rare.
  for (const reason of ['tasks', 'memory', 'failed']) recycled.inc({ reason }, 0);
  return {
    completed(operation, { models }) {
      for (const [model, { ms, items, runs }] of Object.entries(models)) {
        modelSeconds.inc({ model }, ms / 1e3);
        modelItems.inc({ model }, items);
        modelRuns.inc({ model }, runs);
      }
      stageSeconds.observe({ operation, stage: 'model' }, busyMsOf(models) / 1e3);
    },
    recycled: (reason) => recycled.inc({ reason }),
    recycleFailed: () => recycled.inc({ reason: 'failed' }),
  };
}

function watch(registry: Registry, { pool, scheduler, bytesInFlight }: Watched): void {
  const { backend, device, precision, embedding, workers, modelThreads } = pool;
  const registers = [registry];
  new Gauge({
    name: 'presenza_inference_info',
    help: 'Backend, device, precision and embedding in use; always 1.',
    labelNames: ['backend', 'device', 'precision', 'embedding'],
    registers,
  }).set({ backend, device, precision, embedding }, 1);
  new Gauge({
    name: 'presenza_inference_workers',
    help: 'Worker threads by device.',
    labelNames: ['device'],
    registers,
  }).set({ device }, workers);
  new Gauge({
    name: 'presenza_inference_model_threads',
    help: 'Threads that run models: the workers of a processor, or one for each GPU.',
    registers,
  }).set(modelThreads);
  new Gauge({
    name: 'presenza_inference_queue_length',
    help: 'Queued weight: images or faces.',
    labelNames: ['operation'],
    registers,
    collect() {
      for (const [operation, weight] of Object.entries(scheduler.queued)) this.set({ operation }, weight);
    },
  });
  new Gauge({
    name: 'presenza_inference_queue_oldest_seconds',
    help: 'Wait of the oldest queued item; 0 when none waits.',
    labelNames: ['operation'],
    registers,
    collect() {
      for (const [operation, ms] of Object.entries(scheduler.oldestWaitMs)) this.set({ operation }, ms / 1e3);
    },
  });
  new Gauge({
    name: 'presenza_inference_body_bytes',
    help: 'Bytes of request bodies in flight.',
    registers,
    collect() {
      this.set(bytesInFlight.bytes);
    },
  });
}
