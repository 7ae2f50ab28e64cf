/** An ONNX file as this service runs it faster: for any batch, with operations joined where they can be. */
import type { OnnxManifest } from '../catalogue/manifest';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { readOnnx } from '../onnx-format/read-onnx';
import { foldConvolutions } from './fold';
import { freeBatch } from './free-batch';
import { splitPrelus } from './prelu';

/**
 * @param file as `plainFile` returns it.
 * @returns a file with equal outputs, up to rounding; the given one where the compiler does not understand all of it.
 */
export function fasterFile({ input }: OnnxManifest, file: Uint8Array): Uint8Array {
  const model = readOnnx(file);
  const [port, ...others] = model?.inputs ?? [];
  if (!model || !port || others.length > 0) return file;
  const freed = (input.batch === undefined && freeBatch(model, port)) || model;
  const outputs = model.outputs.map(({ name }) => name);
  const graph = splitPrelus(foldConvolutions(freed, outputs), outputs);
  return encodeOnnx({ ...freed, ...graph });
}
