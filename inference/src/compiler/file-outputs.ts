/** Finds the outputs of an ONNX file by a run, because exporters leave shapes open. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { product } from '../backends/backend';
import { sessionOptions } from '../backends/onnx';
import { fieldOf, type OnnxManifest } from '../catalogue/manifest';
import type { FileOutput } from '../catalogue/recipe';
import { originalPorts } from './adapt';
import { plainFile } from './plain-file';

/**
 * Runs a file on a black image, or on as many as it takes.
 * @param manifest without outputs.
 * @returns name and shape of each output, in the order of the file, without the batch.
 * @throws Error, one sentence that names manifest and field, when the manifest's input does not fit the file.
 */
export async function outputsOfFile(manifest: OnnxManifest, original: Uint8Array): Promise<FileOutput[]> {
  const file = plainFile(manifest, original);
  const { input, batch = 1 } = originalPorts(manifest, file);
  const { layout, width, height, channels } = manifest.input;
  const dims = layout === 'NCHW' ? [batch, channels, height, width] : [batch, height, width, channels];
  const refuse = ({ message }: Error): never => {
    throw new Error(`${fieldOf(manifest, 'source')}: ONNX Runtime refuses the file: ${message}`);
  };
  const session = await InferenceSession.create(file, sessionOptions('cpu', 0)).catch(refuse);
  try {
    const feeds = { [input]: new Tensor('float32', new Float32Array(product(dims)), dims) };
    const results = await session.run(feeds).catch(refuse);
    return session.outputNames.map((name) => {
      const shape = results[name]?.dims ?? [];
      // Some detectors have no batch dimension.
      return { name, shape: shape[0] === batch ? shape.slice(1) : shape };
    });
  } finally {
    await session.release();
  }
}
