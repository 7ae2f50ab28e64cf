/**
 * The ONNX graph under construction and its values.
 *
 * A pass is recorded for ONE example but the compiled graph takes a batch, so every value has a leading batch dimension N
 * that its recorded shape may lack. Where the recorded shape starts with the example's own 1, that axis becomes N
 * (`batchAxis: 'own'`); otherwise N is put in front (`batchAxis: 'added'`): the recorded [5118, 4] becomes [N, 5118, 4].
 * So models that squeeze or hard-code a batch of one run on any batch.
 *
 * TFJS keeps images as NHWC and ONNX convolutions take NCHW. A four-dimensional value starts in one layout and gets the
 * other at its first use, so transposes appear only where the layout changes.
 */
import type { ElementType, OnnxAttribute, OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';
import type { ConstantTensor, KernelInput, TensorData, TracedTensor } from './trace';

export interface Value {
  /** Shape as recorded for one example. */
  readonly shape: readonly number[];
  readonly batchAxis: 'own' | 'added';
  readonly type: ElementType;
  /** Name of the ONNX value in the recorded axis order. */
  plain?: string;
  /** Name of the ONNX value as NCHW; only for four-dimensional values with their own batch axis. */
  nchw?: string;
}

export const toNchw = [0, 3, 1, 2];
const toNhwc = [0, 2, 3, 1];

export const sizeOf = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

/** ONNX axis of a recorded axis. */
export const axisOf = (value: Pick<Value, 'batchAxis'>, axis: number) =>
  value.batchAxis === 'own' ? axis : axis + 1;

export class Graph {
  readonly nodes: OnnxNode[] = [];
  readonly initializers: OnnxTensor[] = [];
  private readonly values = new Map<number, Value>();
  private readonly constantNames = new Map<string, string>();
  private counter = 0;

  /** Adds a node with one output and returns that output's name. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: Record<string, OnnxAttribute> = {},
    output = `${op.toLowerCase()}_${this.counter++}`,
  ): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  define(tensor: TracedTensor, value: Value): void {
    this.values.set(tensor.id, value);
  }

  value(tensor: KernelInput): Value {
    const value = this.values.get(tensor.id);
    if (!value) throw new Error(`an operand of shape [${tensor.shape}] does not depend on the image`);
    return value;
  }

  /** Name of a value in the recorded axis order. */
  plain(value: Value): string {
    value.plain ??= this.node('Transpose', [value.nchw as string], { perm: toNhwc });
    return value.plain;
  }

  /** Name of a value as NCHW. */
  nchw(value: Value): string {
    if (value.shape.length !== 4 || value.batchAxis !== 'own') {
      throw new Error(`a value of shape [${value.shape}] is no image of one example`);
    }
    value.nchw ??= this.node('Transpose', [value.plain as string], { perm: toNchw });
    return value.nchw;
  }

  /** Name of a value with an added batch axis and `rank` recorded axes: [N, 1, ..., ...shape]. */
  withAddedBatch(value: Value, rank: number): string {
    const padding = rank - value.shape.length;
    if (value.batchAxis === 'added' && padding === 0) return this.plain(value);
    const recorded = [...Array<number>(padding).fill(1), ...value.shape];
    return this.node('Reshape', [this.plain(value), this.int64s([0, ...recorded])]);
  }

  /** Adds a constant, once per content. */
  constant(data: TensorData | BigInt64Array, dims: readonly number[], type: ElementType): string {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    // Only small constants repeat (shapes, scalars); hashing megabytes of weights finds nothing.
    const key = bytes.length <= 256 ? `${type}:${dims}:${Buffer.from(bytes).toString('base64')}` : undefined;
    const known = key === undefined ? undefined : this.constantNames.get(key);
    if (known) return known;
    const name = `const_${this.initializers.length}`;
    this.initializers.push({ name, type, dims, data: bytes });
    if (key !== undefined) this.constantNames.set(key, name);
    return name;
  }

  float(value: number): string {
    return this.constant(Float32Array.of(value), [], 'float');
  }

  int64s(values: readonly number[]): string {
    return this.constant(BigInt64Array.from(values, BigInt), [values.length], 'int64');
  }

  tensor(constant: ConstantTensor): string {
    return this.constant(constant.data, constant.shape, elementType(constant.dtype));
  }
}

export function elementType(dtype: string): ElementType {
  if (dtype === 'float32') return 'float';
  if (dtype === 'int32') return 'int32';
  throw new Error(`Tensors of type ${dtype} have no counterpart in a compiled model`);
}

/** Reorders a row-major array: the result's axis i is the source's axis `perm[i]`. */
export function permute<T extends TensorData>(data: T, shape: readonly number[], perm: readonly number[]): T {
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const outShape = perm.map((axis) => shape[axis] as number);
  const outStrides = perm.map((axis) => strides[axis] as number);
  const result = data.slice() as T;
  const index = outShape.map(() => 0);
  for (let out = 0, source = 0; out < result.length; out++) {
    result[out] = data[source] as number;
    for (let axis = index.length - 1; axis >= 0; axis--) {
      index[axis]! += 1;
      source += outStrides[axis] as number;
      if ((index[axis] as number) < (outShape[axis] as number)) break;
      source -= (outStrides[axis] as number) * (outShape[axis] as number);
      index[axis] = 0;
    }
  }
  return result;
}
