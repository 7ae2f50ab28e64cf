/** Runs small graphs that tests make. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx, type OnnxModel, type OnnxNode, type OnnxTensor } from '../src/onnx-format/onnx-file';

export const onnxNode = (
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: OnnxNode['attributes'] = {},
): OnnxNode => ({ op, inputs, outputs: [output], attributes });

type Values = Float32Array | Int8Array | Uint8Array | BigInt64Array;

export function onnxTensor(name: string, dims: readonly number[], values: Values): OnnxTensor {
  const type =
    values instanceof Float32Array
      ? 'float'
      : values instanceof Int8Array
        ? 'int8'
        : values instanceof BigInt64Array
          ? 'int64'
          : 'uint8';
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { name, type, dims, data };
}

/** Values that rise and fall below and above zero. */
export const wave = (length: number, phase = 0) =>
  Float32Array.from({ length }, (_, i) => Math.sin(1.7 * i + phase));

/**
 * @param values of the input `x`; the graph's first dimension may be any.
 * @returns the output `y`.
 */
export async function runOnnx(
  model: OnnxModel,
  values: Float32Array,
  dims: readonly number[],
): Promise<Float32Array> {
  const session = await InferenceSession.create(encodeOnnx(model), {
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  try {
    const { y } = await session.run({ x: new Tensor('float32', values, dims) });
    return y?.data as Float32Array;
  } finally {
    await session.release();
  }
}

/** Expects lists of numbers to be equal up to rounding. */
export const expectClose = (actual: Float32Array, expected: Float32Array) =>
  expect([...actual]).toEqual([...expected].map((value) => expect.closeTo(value, 5)));
