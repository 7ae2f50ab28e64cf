/** The originals that compiled models must agree with, one image at a time. */
import * as tf from '@tensorflow/tfjs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../backends/onnx';
import {
  isOnnx,
  type ModelManifest,
  type OnnxInput,
  type OnnxManifest,
  type PackageManifest,
} from '../catalogue/manifest';
import { readOnnxSource } from '../originals/onnx-source';
import { loadOriginal } from '../originals/original';
import { originalPorts } from './adapt';
import { plainFile } from './plain-file';

export interface Reference {
  /**
   * @param example uint8 pixels, height * width * channels.
   * @returns values by the manifest's output names.
   */
  run(example: Uint8Array): Promise<Readonly<Record<string, Float32Array>>>;
  close(): Promise<void>;
}

/** @param cache folder of downloaded originals */
export const openReference = (manifest: ModelManifest, cache: string): Promise<Reference> =>
  isOnnx(manifest) ? openOnnxOriginal(manifest, cache) : openPackageOriginal(manifest);

async function openPackageOriginal(manifest: PackageManifest): Promise<Reference> {
  const { width, height, channels } = manifest.input;
  const original = await loadOriginal(manifest);
  return {
    run: async (example) =>
      tf.tidy(() => {
        const pixels = tf.tensor4d(Int32Array.from(example), [1, height, width, channels]);
        const outputs = Object.entries(original.forward(pixels));
        return Object.fromEntries(outputs.map(([name, tensor]) => [name, tensor.dataSync()])) as never;
      }),
    close: async () => {},
  };
}

/**
 * Runs an ONNX file with as few changes as ONNX Runtime needs, on pixels prepared here in JavaScript; its adapted form
 * prepares them in its graph.
 */
async function openOnnxOriginal(manifest: OnnxManifest, cache: string): Promise<Reference> {
  const file = plainFile(manifest, await readOnnxSource(manifest, cache));
  const ports = originalPorts(manifest, file);
  const session = await InferenceSession.create(file, sessionOptions('cpu', 0));
  const { layout, width, height, channels } = manifest.input;
  // A file with a larger fixed batch gets the image followed by black.
  const batch = ports.batch ?? 1;
  const dims = layout === 'NCHW' ? [batch, channels, height, width] : [batch, height, width, channels];
  return {
    async run(example) {
      const values = new Float32Array(batch * example.length);
      values.set(prepare(example, manifest.input));
      const results = await session.run({ [ports.input]: new Tensor('float32', values, dims) });
      return Object.fromEntries(
        manifest.outputs.map(({ name }, i) => {
          const data = results[ports.outputs[i] as string]?.data as Float32Array;
          return [name, data.subarray(0, data.length / batch)];
        }),
      );
    },
    close: () => session.release(),
  };
}

/**
 * @param pixels uint8 RGB, [height, width, channels].
 * @returns what the graph's own input takes for this image.
 */
export function prepare(pixels: Uint8Array, input: OnnxInput): Float32Array {
  const { layout, order, width, height, channels, scale = 1, offset = 0 } = input;
  const values = new Float32Array(pixels.length);
  const area = width * height;
  for (let place = 0; place < area; place++) {
    for (let channel = 0; channel < channels; channel++) {
      const from = order === 'BGR' ? channels - 1 - channel : channel;
      const value = (pixels[place * channels + from] as number) * scale + offset;
      const to = layout === 'NCHW' ? channel * area + place : place * channels + channel;
      values[to] = (value - (input.mean?.[channel] ?? 0)) / (input.std?.[channel] ?? 1);
    }
  }
  return values;
}
