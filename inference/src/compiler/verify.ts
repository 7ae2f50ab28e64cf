/** Compares a compiled model with its original on the same pixels. */
import { dirname } from 'node:path';
import { exampleOf } from '../backends/backend';
import { OnnxBackend } from '../backends/onnx';
import type { ModelManifest } from '../catalogue/manifest';
import { randomNumbers } from '../random';
import { openReference } from './reference';

/** Largest difference allowed between compiled model and original, relative to the output's largest value if above 1. */
export const tolerance = 1e-4;

export interface Verification {
  readonly passed: boolean;
  /** Per output: largest absolute difference, divided by the output's largest absolute value where that is above 1. */
  readonly outputs: readonly {
    readonly name: string;
    readonly difference: number;
    readonly passed: boolean;
  }[];
}

/**
 * Runs all `examples` (random noise by default) in one batch through the compiled model and one by one through the
 * original, which also verifies the batch dimension.
 * @param examples uint8 pixels, each height * width * channels.
 * @param cache folder of downloaded originals, by default that of the compiled model.
 */
export async function verifyModel(
  manifest: ModelManifest,
  path: string,
  examples: readonly Uint8Array[] = noise(manifest, 3),
  cache = dirname(path),
): Promise<Verification> {
  const reference = await openReference(manifest, cache);
  const compiled = await new OnnxBackend().load({ ...manifest, path });
  try {
    const actual = await compiled.run(Buffer.concat(examples), examples.length);
    const differences = manifest.outputs.map(() => 0);
    for (const [i, example] of examples.entries()) {
      const expected = await reference.run(example);
      manifest.outputs.forEach(({ name }, o) => {
        const values = exampleOf(actual[name], i, examples.length);
        differences[o] = Math.max(
          differences[o] as number,
          difference(expected[name] as Float32Array, values),
        );
      });
    }
    const outputs = manifest.outputs.map(({ name }, o) => {
      const difference = differences[o] as number;
      // NaN fails this comparison.
      return { name, difference, passed: difference <= tolerance };
    });
    return { outputs, passed: outputs.every(({ passed }) => passed) };
  } finally {
    await compiled.close();
    await reference.close();
  }
}

/** Largest absolute difference, relative where the values exceed 1; NaN where either side is, or the lengths differ. */
export function difference(expected: Float32Array, actual: Float32Array): number {
  if (expected.length !== actual.length) return Number.NaN;
  // Local, because every use of a global is slow in the context of a test.
  const { abs, max } = Math;
  let largest = 0;
  let scale = 1;
  // `max` keeps a NaN.
  for (let i = 0; i < expected.length; i++) {
    largest = max(largest, abs((expected[i] as number) - (actual[i] as number)));
    scale = max(scale, abs(expected[i] as number));
  }
  return largest / scale;
}

/** Reproducible noise. */
export function noise(manifest: ModelManifest, count: number): Uint8Array[] {
  const { width, height, channels } = manifest.input;
  const random = randomNumbers();
  return Array.from({ length: count }, () =>
    new Uint8Array(width * height * channels).map(() => 256 * random()),
  );
}
