/** Decides whether a compiled graph can be part of a larger graph. */
import { opsetVersion } from '../onnx-format/onnx-file';
import type { ReadModel } from '../onnx-format/read-onnx';

/** Operators that mean the same in all versions of ONNX's operators from `oldest` to `newest`. */
const lasting: ReadonlySet<string> = new Set([
  'Add',
  'Sub',
  'Mul',
  'Div',
  'Relu',
  'PRelu',
  'LeakyRelu',
  'Clip',
  'Sigmoid',
  'Tanh',
  'Exp',
  'Sqrt',
  'Conv',
  'MaxPool',
  'GlobalAveragePool',
  'BatchNormalization',
  'Gemm',
  'MatMul',
  'Cast',
  'Concat',
  'Dropout',
  'Flatten',
  'Gather',
  'Identity',
  'Reshape',
  'Resize',
  'Softmax',
  'Transpose',
]);
const [oldest, newest] = [13, 21];

/** Attributes of these operators that versions after that of this compiler added. */
const newer: ReadonlySet<string> = new Set(['antialias', 'axes', 'keep_aspect_ratio_policy', 'saturate']);

/** Whether a graph takes any batch and means the same among operators of this compiler's version. */
export function isJoinable({ opset, inputs, nodes }: ReadModel): boolean {
  const takesAnyBatch = typeof inputs[0]?.dims?.[0] === 'string';
  const isLasting = nodes.every(
    ({ op, attributes }) => lasting.has(op) && !Object.keys(attributes).some((name) => newer.has(name)),
  );
  return takesAnyBatch && (opset === opsetVersion || (opset >= oldest && opset <= newest && isLasting));
}
