/** Compares a compiled model with its original on the same pixels. */
import { dirname } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { OnnxBackend } from '../backends/onnx';
import { isOnnx, type ModelManifest, type PackageManifest } from './manifest';
import { openOnnxOriginal } from './onnx-original';
import { loadOriginal } from './original';

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

/** An original that answers one picture at a time. */
export interface Reference {
  /**
   * @param example uint8 pixels, height * width * channels.
   * @returns values by the manifest's output names.
   */
  answer(example: Uint8Array): Promise<Readonly<Record<string, Float32Array>>>;
  close(): Promise<void>;
}

/**
 * Runs both on `examples` (random noise by default), all of them in one batch through the compiled model and one
 * by one through the original, which also proves that the batch dimension is right.
 * @param examples uint8 pixels, each height * width * channels.
 * @param cache folder of downloaded originals; compiled models lie in the same.
 */
export async function verifyModel(
  manifest: ModelManifest,
  path: string,
  examples: readonly Uint8Array[] = noise(manifest, 3),
  cache = dirname(path),
): Promise<Verification> {
  const original = await (isOnnx(manifest) ? openOnnxOriginal(manifest, cache) : openOriginal(manifest));
  const compiled = await new OnnxBackend().load({ ...manifest, path });
  try {
    const answers = await compiled.run(Buffer.concat(examples), examples.length);
    const differences = manifest.outputs.map(() => 0);
    for (const [i, example] of examples.entries()) {
      const references = await original.answer(example);
      manifest.outputs.forEach(({ name }, o) => {
        const expected = references[name] as Float32Array;
        const from = i * expected.length;
        const actual = (answers[name] as Float32Array).subarray(from, from + expected.length);
        differences[o] = Math.max(differences[o] as number, difference(expected, actual));
      });
    }
    const outputs = manifest.outputs.map(({ name }, o) => {
      const difference = differences[o] as number;
      // Written so that NaN fails.
      return { name, difference, passed: difference <= tolerance };
    });
    return { outputs, passed: outputs.every(({ passed }) => passed) };
  } finally {
    await compiled.close();
    await original.close();
  }
}

async function openOriginal(manifest: PackageManifest): Promise<Reference> {
  const { width, height, channels } = manifest.input;
  const original = await loadOriginal(manifest);
  return {
    answer: async (example) =>
      tf.tidy(() => {
        const pixels = tf.tensor4d(Int32Array.from(example), [1, height, width, channels]);
        const answers = Object.entries(original.forward(pixels));
        return Object.fromEntries(answers.map(([name, tensor]) => [name, tensor.dataSync()])) as never;
      }),
    close: async () => {},
  };
}

/** Largest absolute difference, relative where the values exceed 1; NaN where either side is, or the lengths differ. */
export function difference(expected: Float32Array, actual: Float32Array): number {
  if (expected.length !== actual.length) return Number.NaN;
  let largest = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    const gap = Math.abs((expected[i] as number) - (actual[i] as number));
    if (Number.isNaN(gap)) return Number.NaN;
    largest = Math.max(largest, gap);
    scale = Math.max(scale, Math.abs(expected[i] as number));
  }
  return largest / scale;
}

/** Reproducible noise: a linear congruential generator (Numerical Recipes' constants). */
export function noise(manifest: ModelManifest, count: number): Uint8Array[] {
  const { width, height, channels } = manifest.input;
  let state = 1;
  return Array.from({ length: count }, () =>
    Uint8Array.from({ length: width * height * channels }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
}
