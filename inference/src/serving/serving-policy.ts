/** Workers and batches of each device, unless the operator configures them. */

import { buckets } from '../backends/buckets';
import type { Device } from '../backends/device';
import type { StagePolicy } from '../device/stages';

/** The settings that override the defaults. */
interface PolicySettings {
  readonly INFERENCE_DEVICE_IDS: readonly number[];
  readonly INFERENCE_WORKERS?: number;
  readonly INFERENCE_MAX_BATCH?: number;
  readonly INFERENCE_QUEUE_DELAY_MS?: number;
}

export interface ServingPolicy {
  readonly workers: number;
  readonly tasksPerWorker: number;
  /** Whether a thread of each device runs the models for all workers. */
  readonly sharedDevices: boolean;
  readonly stages: StagePolicy;
}

const gpus: readonly Device[] = ['cuda', 'webgpu', 'tensorflow'];

/** Items in one run; on a GPU as many as one run takes. */
const largestBatch: Readonly<Record<Device, number>> = {
  cuda: buckets.cuda.maxBatch,
  webgpu: buckets.webgpu.maxBatch,
  tensorflow: 32,
  cpu: buckets.cpu.maxBatch,
  wasm: buckets.cpu.maxBatch,
};

/**
 * A run of a processor. An item alone takes about the time of one in a batch, so short runs cost nothing, and the items of
 * other requests and accounts get their turn.
 */
const sliceMs = 5;

/** How long a run of a GPU waits for items that are about to come. */
const gatherMs = 20;

/** @param cores processor cores that the process may use. */
export function servingPolicy(config: PolicySettings, device: Device, cores: number): ServingPolicy {
  const gpu = gpus.includes(device);
  const maxBatch = config.INFERENCE_MAX_BATCH ?? largestBatch[device];
  // One core drives the GPU, one accepts requests, and the others prepare pixels.
  const workers = config.INFERENCE_WORKERS ?? (gpu ? Math.max(2, cores - 2) : cores);
  return {
    workers,
    // Half of the places are for one account: on a GPU two full batches for each device; on a processor two tasks for each
    // worker, which decodes one while it computes the other. On two cores that raised the throughput of moderation by a
    // tenth.
    tasksPerWorker: gpu ? Math.ceil((4 * maxBatch * config.INFERENCE_DEVICE_IDS.length) / workers) : 4,
    sharedDevices: gpu,
    stages: {
      maxBatch,
      sliceMs: gpu ? Number.POSITIVE_INFINITY : sliceMs,
      gatherMs: config.INFERENCE_QUEUE_DELAY_MS ?? (gpu ? gatherMs : 0),
    },
  };
}
