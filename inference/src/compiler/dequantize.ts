/**
 * Weights that a file holds as integers with a scale for each block of them (block-quantized files), as the floats that
 * they stand for. `w = scale * (q - zero)`, the formula of ONNX's DequantizeLinear.
 */
import type { OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';
import { floatsOf, type NodesAndConstants } from './fold';

/**
 * Replaces the dequantization of constants, and reshapes of the result, by float constants. A graph that also converts
 * activations to integers stays as it is, because runtimes compute such graphs in integers.
 * @returns the given graph if there is nothing to replace.
 * @throws Error, a part of a sentence, when scales do not fit their weights.
 */
export function dequantizeWeights(graph: NodesAndConstants): NodesAndConstants {
  if (graph.nodes.some(({ op }) => op === 'QuantizeLinear')) return graph;
  const constants = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const nodes: OnnxNode[] = [];
  const made = new Set<string>();
  for (const node of graph.nodes) {
    const tensor = dequantized(node, constants) ?? reshaped(node, constants, made);
    if (!tensor) {
      nodes.push(node);
      continue;
    }
    constants.set(tensor.name, tensor);
    made.add(tensor.name);
  }
  if (made.size === 0) return graph;
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return { nodes, initializers: [...constants.values()].filter(({ name }) => used.has(name)) };
}

type Constants = ReadonlyMap<string, OnnxTensor>;

function dequantized(
  { op, inputs, outputs, attributes }: OnnxNode,
  constants: Constants,
): OnnxTensor | undefined {
  if (op !== 'DequantizeLinear') return undefined;
  const [integers, scales, zeros] = inputs.map((name) => constants.get(name));
  const read = integers && integersIn[integers.type];
  if (!integers || !read || scales?.type !== 'float') return undefined;
  // The third input is optional; an integer that is not constant leaves nothing to fold.
  if (inputs[2] && zeros?.type !== integers.type) return undefined;
  const data = distances(
    read(integers.data),
    zeros && read(zeros.data),
    scalesOf(integers, scales, attributes),
  );
  return {
    name: outputs[0] as string,
    type: 'float',
    dims: integers.dims,
    data: new Uint8Array(data.buffer),
  };
}

type Integers = Int8Array | Uint8Array | Int32Array;

const integersIn: Readonly<Partial<Record<OnnxTensor['type'], (data: Uint8Array) => Integers>>> = {
  // A copy, because the bytes of a file are not aligned.
  int8: (data) => new Int8Array(data.slice().buffer),
  uint8: (data) => data,
  int32: (data) => new Int32Array(data.slice().buffer),
};

/** Scales along one axis of a tensor, as a tensor of three axes: those before it, the axis, and those after it. */
interface Scales {
  readonly values: Float32Array;
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
  /** Consecutive elements of the axis that share a scale. */
  readonly block: number;
  /** Whether the axes after it have scales of their own. */
  readonly isBlocked: boolean;
}

/** One scale for all elements, or one for each index of an axis, or one for each block along the axis. */
function scalesOf(
  { name, dims }: OnnxTensor,
  scales: OnnxTensor,
  { axis = 1, block_size = 0 }: OnnxNode['attributes'],
): Scales {
  const values = floatsOf(scales);
  if (values.length === 1) {
    return { values, outer: 1, length: product(dims), inner: 1, block: product(dims), isBlocked: false };
  }
  const along = (Number(axis) + dims.length) % dims.length;
  const length = dims[along] as number;
  const isBlocked = Number(block_size) > 0;
  const block = isBlocked ? Number(block_size) : 1;
  const expected = isBlocked ? dims.with(along, Math.ceil(length / block)) : [length];
  if (String(scales.dims) !== String(expected)) {
    throw new Error(`the scales of "${name}" have the shape [${scales.dims}], not [${expected}]`);
  }
  const outer = product(dims.slice(0, along));
  return { values, outer, length, inner: product(dims.slice(along + 1)), block, isBlocked };
}

/** Each integer's distance from its zero point, times its scale. */
function distances(integers: Integers, zeros: Integers | undefined, scales: Scales): Float32Array {
  const { values, outer, length, inner, block, isBlocked } = scales;
  const result = new Float32Array(integers.length);
  const blocks = Math.ceil(length / block);
  for (let row = 0, element = 0; row < outer; row++) {
    for (let position = 0; position < length; position++) {
      const at = Math.floor(position / block);
      for (let i = 0; i < inner; i++, element++) {
        const scale = isBlocked ? (row * blocks + at) * inner + i : at;
        result[element] = (values[scale] as number) * ((integers[element] as number) - (zeros?.[scale] ?? 0));
      }
    }
  }
  return result;
}

const product = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

/** Dequantized weights in another shape; other constants stay as they are. */
function reshaped(
  { op, inputs, outputs, attributes }: OnnxNode,
  constants: Constants,
  made: ReadonlySet<string>,
): OnnxTensor | undefined {
  const [data = '', shape = ''] = inputs;
  const wanted = constants.get(shape);
  if (op !== 'Reshape' || !made.has(data) || wanted?.type !== 'int64' || attributes.allowzero)
    return undefined;
  const tensor = constants.get(data) as OnnxTensor;
  const sizes = [...new BigInt64Array(wanted.data.slice().buffer)].map(Number);
  // Zero keeps a size, and -1 is the size that is left.
  const known = sizes.map((size, axis) => (size === 0 ? (tensor.dims[axis] as number) : size));
  const rest = product(tensor.dims) / product(known.filter((size) => size !== -1));
  return {
    ...tensor,
    name: outputs[0] as string,
    dims: known.map((size) => (size === -1 ? rest : size)),
  };
}
