/**
 * Runs an operator's own ONNX file as it is, on pixels prepared here in JavaScript: what its adapted form, which
 * prepares them in its graph, is held to.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../backends/onnx';
import { originalPorts } from './adapt';
import type { OnnxInput, OnnxManifest } from './manifest';
import { readOnnxSource } from './onnx-source';
import type { Reference } from './verify';

export async function openOnnxOriginal(manifest: OnnxManifest, cache: string): Promise<Reference> {
  const file = await readOnnxSource(manifest, cache);
  const ports = originalPorts(manifest, file);
  const session = await InferenceSession.create(file, sessionOptions('cpu', 0));
  const { layout, width, height, channels } = manifest.input;
  // A file of a fixed larger batch is given the picture and black beside it.
  const batch = ports.batch ?? 1;
  const dims = layout === 'NCHW' ? [batch, channels, height, width] : [batch, height, width, channels];
  return {
    async answer(example) {
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
 * @returns what the graph's own input takes for this picture.
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
