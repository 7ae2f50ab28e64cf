/** Workers and batches of each device, unless the operator configures them. */
import type { Device } from './backends/backend';
import { buckets } from './backends/buckets';
import type { BatchPolicy } from './batching/batcher';
import type { Config } from './config';

export interface ServingPolicy {
  readonly workers: number;
  readonly tasksPerWorker: number;
  readonly batch: BatchPolicy;
}

const gpus: readonly Device[] = ['cuda', 'webgpu', 'tensorflow'];

/** Images in one batch; on a GPU as many as one run takes. */
const largestBatch: Readonly<Record<Device, number>> = {
  cuda: buckets.cuda.maxBatch,
  webgpu: buckets.webgpu.maxBatch,
  tensorflow: 32,
  // On a CPU an image alone takes the same time within 3 % as one in a batch of 2, 4 or 8, and batches lengthen the tail:
  // the p95 latency of detection grew by an eighth with 4. The pipeline batches the faces of one image anyway.
  cpu: 1,
  wasm: 1,
};

/** @param cores processor cores that the process may use. */
export function servingPolicy(config: Config, device: Device, cores: number): ServingPolicy {
  const gpu = gpus.includes(device);
  return {
    // Two threads keep a GPU busy: one drives it while the other prepares pixels.
    workers: config.INFERENCE_WORKERS ?? (gpu ? 2 * config.INFERENCE_DEVICE_IDS.length : cores),
    // A worker decodes a second batch while the first computes. On two cores that raised the throughput of moderation by
    // a tenth, and left detection as fast with a shorter tail.
    tasksPerWorker: 2,
    batch: {
      maxBatch: config.INFERENCE_MAX_BATCH ?? largestBatch[device],
      maxQueue: config.INFERENCE_MAX_QUEUE,
      delayMs: config.INFERENCE_QUEUE_DELAY_MS,
      spread: !gpu,
    },
  };
}
