/**
 * Batch sizes as a device wants them. A CPU takes any size, but its memory grows with the largest; a GPU plans anew
 * for every shape (cuDNN searches exhaustively), so there only a few fixed sizes exist and the rest is padding.
 */

export interface Buckets {
  /** Largest batch given to the device at once. */
  readonly maxBatch: number;
  /** The only sizes that exist, ascending; undefined where any size up to `maxBatch` is fine. */
  readonly fixed?: readonly number[];
}

/** Through batch 8 a worker of four models takes about 300 MB, through 32 five times that. */
export const cpuBuckets: Buckets = { maxBatch: 8 };

export const gpuBuckets: Buckets = { maxBatch: 32, fixed: [1, 2, 4, 8, 16, 32] };

/** A run of the device: `count` items from `start` on, in a batch of `size` whose rest is padding. */
export interface Chunk {
  readonly start: number;
  readonly count: number;
  readonly size: number;
}

/** Cuts a batch into runs. */
export function chunksOf(batch: number, { maxBatch, fixed }: Buckets): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < batch; start += maxBatch) {
    const count = Math.min(maxBatch, batch - start);
    chunks.push({ start, count, size: fixed?.find((bucket) => bucket >= count) ?? count });
  }
  return chunks;
}
