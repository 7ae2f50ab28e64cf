/** How workers and batches are laid out on each device, where the operator does not say otherwise. */

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

/** Images in one batch: on a GPU as many as it takes in one run. */
const largestBatch: Readonly<Record<Device, number>> = {
  cuda: buckets.cuda.maxBatch,
  webgpu: buckets.webgpu.maxBatch,
  tensorflow: 32,
  // On a CPU an image costs the same within 3 % alone as in a batch of 2, 4 or 8, and batches only lengthen the tail: p95
  // of detection grew by an eighth with 4. The faces of one image are batched inside the pipeline anyway.
  cpu: 1,
  wasm: 1,
};

/** @param cores processor cores that the process may use. */
export function servingPolicy(config: Config, device: Device, cores: number): ServingPolicy {
  const gpu = gpus.includes(device);
  return {
    // A GPU is kept busy by two threads in turn: one drives it while the other prepares pixels.
    workers: config.INFERENCE_WORKERS ?? (gpu ? 2 * config.INFERENCE_DEVICE_IDS.length : cores),
    // A second batch is decoded while the first computes. On two cores that raised moderation by a tenth and
    // left detection as fast, with a shorter tail.
    tasksPerWorker: 2,
    batch: {
      maxBatch: config.INFERENCE_MAX_BATCH ?? largestBatch[device],
      maxQueue: config.INFERENCE_MAX_QUEUE,
      delayMs: config.INFERENCE_QUEUE_DELAY_MS,
      spread: !gpu,
    },
  };
}
