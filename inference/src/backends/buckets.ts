/**
 * The batch sizes of each device. A CPU accepts any size, but its memory grows with the largest. CUDA plans every shape
 * anew (cuDNN searches exhaustively), so it gets a few fixed sizes and padding.
 */
import type { OnnxDevice } from './device';

export interface Buckets {
  /** Largest batch of one run. */
  readonly maxBatch: number;
  /** The only sizes allowed, ascending; undefined if any size up to `maxBatch` is allowed. */
  readonly fixed?: readonly number[];
  /** Sizes to run once before the first request, so that no request waits for planning or compiling. */
  readonly warm: readonly number[];
}

const fixedSizes = [1, 2, 4, 8, 16, 32];

export const buckets: Readonly<Record<OnnxDevice, Buckets>> = {
  // The values of larger batches do not fit into a core's cache: an item takes 2 to 15 % longer at 8 than at 4 (a 256-pixel
  // detector, a mesh model and an embedding), and up to twice as long at 96.
  cpu: { maxBatch: 4, warm: [1] },
  cuda: { maxBatch: 32, fixed: fixedSizes, warm: fixedSizes },
  // Shaders differ between one image and several, but not among larger batches. Every WebGPU adapter supports storage buffers
  // of 128 MiB (maxStorageBufferBindingSize). At batch 8 the largest tensor of the default models (112 x 112 x 144 floats per
  // image, in nsfw-mobilenet-mid) has 55 MiB.
  webgpu: { maxBatch: 8, warm: [1, 2] },
};

/** One run of the device: `count` items from `start` on, padded to a batch of `size`. */
export interface Chunk {
  readonly start: number;
  readonly count: number;
  readonly size: number;
}

/** Splits a batch into runs. */
export function chunksOf(batch: number, { maxBatch, fixed }: Pick<Buckets, 'maxBatch' | 'fixed'>): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < batch; start += maxBatch) {
    const count = Math.min(maxBatch, batch - start);
    chunks.push({ start, count, size: fixed?.find((bucket) => bucket >= count) ?? count });
  }
  return chunks;
}
