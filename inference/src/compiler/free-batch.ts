/**
 * Frees the batch of a graph that was exported for one image. Exporters write the 1 into the graph's input and into the
 * shapes of reshapes. Where every operation keeps the images of a batch apart, each 1 can be any number.
 */
import type { OnnxNode, OnnxPort, OnnxTensor } from '../onnx-format/onnx-file';
import type { NodesAndConstants } from './fold';

type Constants = ReadonlyMap<string, OnnxTensor>;

/** Whether a node keeps the images of a batch apart, if the first axis of each of its values is the batch. */
type KeepsApart = (node: OnnxNode, constants: Constants) => boolean;

const always: KeepsApart = () => true;
const alongOtherAxis: KeepsApart = ({ attributes: { axis = 1 } }) => Number(axis) > 0 || axis === -1;

const keepsApart: Readonly<Record<string, KeepsApart>> = {
  ...Object.fromEntries(
    [
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
      'AveragePool',
      'GlobalAveragePool',
      'BatchNormalization',
      'Identity',
      'Cast',
      'Dropout',
    ].map((op) => [op, always]),
  ),
  Concat: (node, constants) =>
    alongOtherAxis(node, constants) && !node.inputs.some((name) => constants.has(name)),
  Flatten: ({ attributes: { axis = 1 } }) => axis === 1,
  Gemm: ({ inputs, attributes: { transA = 0 } }, constants) => transA === 0 && constants.has(inputs[1] ?? ''),
  Reshape: ({ inputs, attributes }, constants) =>
    !attributes.allowzero && [0, 1].includes(firstSize(constants.get(inputs[1] as string)) ?? -1),
  Resize: ({ inputs }, constants) => {
    const scales = constants.get(inputs[2] ?? '');
    return scales?.type === 'float' && new Float32Array(scales.data.slice().buffer)[0] === 1 && !inputs[3];
  },
  Softmax: alongOtherAxis,
  Transpose: ({ attributes: { perm } }) => Array.isArray(perm) && perm[0] === 0,
};

function firstSize(shape: OnnxTensor | undefined): number | undefined {
  if (shape?.type !== 'int64' || shape.dims[0] === 0) return undefined;
  return Number(new BigInt64Array(shape.data.slice().buffer)[0]);
}

/**
 * @param input the graph's only input.
 * @returns the graph for any batch; undefined if its batch is not 1 or an operation might mix the images.
 */
export function freeBatch<Graph extends NodesAndConstants & { readonly outputs: readonly OnnxPort[] }>(
  graph: Graph,
  input: OnnxPort,
): (Graph & { readonly inputs: readonly OnnxPort[] }) | undefined {
  const constants = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  if (input.dims?.[0] !== 1) return undefined;
  if (!graph.nodes.every((node) => keepsApart[node.op]?.(node, constants))) return undefined;
  const shapes = new Set(graph.nodes.flatMap(({ op, inputs }) => (op === 'Reshape' ? [inputs[1]] : [])));
  const freed = (port: OnnxPort): OnnxPort =>
    port.dims ? { ...port, dims: ['N', ...port.dims.slice(1)] } : port;
  return {
    ...graph,
    inputs: [freed(input)],
    outputs: graph.outputs.map(freed),
    initializers: graph.initializers.map((tensor) =>
      shapes.has(tensor.name) ? keepingFirst(tensor) : tensor,
    ),
  };
}

/** The shape with 0 as its first size, which in ONNX keeps the first size of the reshaped value. */
function keepingFirst(shape: OnnxTensor): OnnxTensor {
  const sizes = new BigInt64Array(shape.data.slice().buffer);
  sizes[0] = 0n;
  return { ...shape, data: new Uint8Array(sizes.buffer) };
}
