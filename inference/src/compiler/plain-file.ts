/**
 * An ONNX file as ONNX Runtime can run it and as compiled models are compared with: weights as floats, no input but the
 * image, and the image in the manifest's size. A file that needs no change stays byte for byte.
 */
import { fieldOf, type OnnxManifest } from '../catalogue/manifest';
import { encodeOnnx, type OnnxModel, type OnnxPort } from '../onnx-format/onnx-file';
import { readOnnx } from '../onnx-format/read-onnx';
import { dequantizeWeights } from './dequantize';
import type { NodesAndConstants } from './fold';

/** @throws Error, one sentence that names manifest and field, when the file cannot be changed as it must be. */
export function plainFile(manifest: OnnxManifest, file: Uint8Array): Uint8Array {
  const model = readOnnx(file);
  if (!model) {
    if (!manifest.input.resized) return file;
    throw new Error(
      `${fieldOf(manifest, 'input.resized')}: the compiler does not understand all of the file, so its input keeps its size`,
    );
  }
  const graph = dequantized(manifest, model);
  const needed = neededInputs(model);
  const inputs = manifest.input.resized ? needed.map((port) => resized(manifest, port)) : needed;
  if (graph === model && needed.length === model.inputs.length && !manifest.input.resized) return file;
  // Sizes of outputs follow from that of the input.
  const outputs = manifest.input.resized
    ? model.outputs.map(({ name, type }) => ({ name, type }))
    : model.outputs;
  return encodeOnnx({ ...model, ...graph, inputs, outputs });
}

function dequantized(manifest: OnnxManifest, model: OnnxModel): NodesAndConstants {
  try {
    return dequantizeWeights(model);
  } catch (error) {
    throw new Error(`${fieldOf(manifest, 'source')}: ${(error as Error).message}`);
  }
}

/** Leaves out weights, which older files list among the inputs, and inputs that no operation reads. */
function neededInputs({ inputs, nodes, initializers, outputs }: OnnxModel): readonly OnnxPort[] {
  const weights = new Set(initializers.map(({ name }) => name));
  const read = new Set([...nodes.flatMap((node) => node.inputs), ...outputs.map(({ name }) => name)]);
  return inputs.filter(({ name }) => read.has(name) && !weights.has(name));
}

function resized({ input }: OnnxManifest, port: OnnxPort): OnnxPort {
  if (port.dims?.length !== 4) return port;
  const { layout, width, height } = input;
  const spatial = layout === 'NCHW' ? { 2: height, 3: width } : { 1: height, 2: width };
  return { ...port, dims: Object.assign([...port.dims], spatial) };
}
