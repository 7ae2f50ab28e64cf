/**
 * Folds scale, shift and batch normalization into the weights and bias of the convolution before them, and batch
 * normalization into those of a fully connected layer. ONNX Runtime does this when it loads a file, but quantization needs
 * the final weights earlier.
 */
import type { OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';

export interface NodesAndConstants {
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
}

/** y * scale + shift, one of each per output channel. */
export interface Change {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/**
 * @param outputs names of the values that the graph returns, if operations that are folded may make one of them.
 * @returns an equal graph, up to rounding; without constants that are no longer used.
 */
export function foldConvolutions(
  { nodes, initializers }: NodesAndConstants,
  outputs: readonly string[] = [],
): NodesAndConstants {
  const constants = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  const consumers = consumersOf(nodes);
  const folded = new Set<OnnxNode>();
  const result: OnnxNode[] = [];
  for (const node of nodes) {
    if (folded.has(node)) continue;
    if (!isFoldable(node, constants)) {
      result.push(node);
      continue;
    }
    let convolution = node;
    for (;;) {
      const [output] = convolution.outputs as [string];
      const [next, ...others] = consumers.get(output) ?? [];
      const isInner = others.length === 0 && !outputs.includes(output);
      const change = next && isInner ? changeBy(next, convolution, constants) : undefined;
      if (!next || !change) break;
      convolution = changed(convolution, change, constants, next.outputs);
      folded.add(next);
    }
    result.push(convolution);
  }
  const used = new Set(result.flatMap(({ inputs }) => inputs));
  return { nodes: result, initializers: [...constants.values()].filter(({ name }) => used.has(name)) };
}

/** Whether the first axis of the node's constant weights is that of its output channels, and its bias is added as it is. */
function isFoldable({ op, inputs, attributes }: OnnxNode, constants: ReadonlyMap<string, OnnxTensor>) {
  const weights = constants.get(inputs[1] as string);
  const bias = constants.get(inputs[2] ?? '');
  if (weights?.type !== 'float' || (inputs[2] && bias?.type !== 'float')) return false;
  if (op !== 'Gemm') return op === 'Conv';
  const { alpha = { float: 1 }, beta = { float: 1 }, transA = 0, transB = 0 } = attributes;
  const isPlain = [alpha, beta].every((factor) => (factor as { float: number }).float === 1);
  return isPlain && transA === 0 && transB === 1 && (!bias || String(bias.dims) === String(weights.dims[0]));
}

/** The nodes that take each value, by its name. */
export function consumersOf(nodes: readonly OnnxNode[]): Map<string, OnnxNode[]> {
  const consumers = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    for (const input of new Set(node.inputs)) consumers.set(input, [...(consumers.get(input) ?? []), node]);
  }
  return consumers;
}

export const floatsOf = ({ data }: OnnxTensor) => new Float32Array(data.slice().buffer);

const bytesOf = (values: Float32Array) => new Uint8Array(values.buffer);

/** The change per channel that a node makes to the output of a convolution, if it is one. */
function changeBy(
  node: OnnxNode,
  convolution: OnnxNode,
  constants: ReadonlyMap<string, OnnxTensor>,
): Change | undefined {
  if (node.op === 'BatchNormalization') return normalization(node, constants);
  if (convolution.op !== 'Conv') return undefined;
  const { op, inputs } = node;
  const weights = constants.get(convolution.inputs[1] as string);
  const position = inputs.indexOf(convolution.outputs[0] as string);
  const operand = constants.get(inputs[1 - position] as string);
  if (!weights || operand?.type !== 'float') return undefined;
  const channels = weights.dims[0] as number;
  const values = perChannel(operand, channels);
  if (!values) return undefined;
  const all = (value: number) => new Float32Array(channels).fill(value);
  if (op === 'Mul') return { scale: values, shift: all(0) };
  if (op === 'Add') return { scale: all(1), shift: values };
  if (op === 'Div' && position === 0) return { scale: values.map((value) => 1 / value), shift: all(0) };
  if (op === 'Sub') {
    return position === 0
      ? { scale: all(1), shift: values.map((value) => -value) }
      : { scale: all(-1), shift: values };
  }
  return undefined;
}

/** (x - mean) / sqrt(variance + epsilon) * scale + offset, of ONNX's BatchNormalization. */
export function normalization(
  { inputs, outputs, attributes }: OnnxNode,
  constants: ReadonlyMap<string, OnnxTensor>,
): Change | undefined {
  const tensors = inputs.slice(1).map((name) => constants.get(name));
  // A normalization that is being trained has more outputs.
  if (outputs.length !== 1 || !tensors.every((tensor) => tensor?.type === 'float')) return undefined;
  const [factor, offset, mean, variance] = tensors.map((tensor) => floatsOf(tensor as OnnxTensor)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const { float: epsilon } = (attributes.epsilon ?? { float: 1e-5 }) as { float: number };
  const scale = factor.map((value, i) => value / Math.sqrt((variance[i] as number) + epsilon));
  return { scale, shift: offset.map((value, i) => value - (mean[i] as number) * (scale[i] as number)) };
}

/** One value per channel of an NCHW image, or undefined for any other constant. */
function perChannel(tensor: OnnxTensor, channels: number): Float32Array | undefined {
  const values = floatsOf(tensor);
  if (values.length === 1) return new Float32Array(channels).fill(values[0] as number);
  const fromEnd = tensor.dims.length - 3;
  const onChannels = tensor.dims.every((size, axis) => size === (axis === fromEnd ? channels : 1));
  return onChannels && fromEnd >= 0 ? values : undefined;
}

function changed(
  { op, inputs, outputs, attributes }: OnnxNode,
  { scale, shift }: Change,
  constants: Map<string, OnnxTensor>,
  replaced: readonly string[],
): OnnxNode {
  const weights = constants.get(inputs[1] as string) as OnnxTensor;
  const bias = constants.get(inputs[2] ?? '');
  const channels = scale.length;
  const values = floatsOf(weights);
  const perOutput = values.length / channels;
  const scaled = new Float32Array(values.length);
  for (let channel = 0, i = 0; channel < channels; channel++) {
    for (const end = i + perOutput; i < end; i++) {
      scaled[i] = (values[i] as number) * (scale[channel] as number);
    }
  }
  const before = bias ? floatsOf(bias) : new Float32Array(channels);
  const name = outputs[0] as string;
  const newWeights = {
    ...weights,
    name: `${name}_weights`,
    data: bytesOf(scaled),
  };
  const newBias: OnnxTensor = {
    name: `${name}_bias`,
    type: 'float',
    dims: [channels],
    data: bytesOf(before.map((value, i) => value * (scale[i] as number) + (shift[i] as number))),
  };
  constants.set(newWeights.name, newWeights);
  constants.set(newBias.name, newBias);
  // The output keeps the name that the rest of the graph uses.
  return { op, inputs: [inputs[0] as string, newWeights.name, newBias.name], outputs: replaced, attributes };
}
