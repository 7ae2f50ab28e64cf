/**
 * Writes PReLU after a convolution as `slope * x + (1 - slope) * max(x, 0)`, with the factors as 1x1 convolutions per
 * channel. ONNX Runtime's PRelu on a CPU leaves the blocked layout of the convolutions around it. A batch normalization
 * after the PReLU disappears into the factors.
 */
import type { OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';
import { type Change, consumersOf, floatsOf, type NodesAndConstants, normalization } from './fold';

/**
 * @param outputs names of the values that the graph returns.
 * @returns an equal graph, up to rounding.
 */
export function splitPrelus(
  { nodes, initializers }: NodesAndConstants,
  outputs: readonly string[],
): NodesAndConstants {
  const constants = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const consumers = consumersOf(nodes);
  const folded = new Set<OnnxNode>();
  const result = nodes.flatMap((node) => {
    if (folded.has(node)) return [];
    const slopes = slopesOf(node, producers, constants);
    if (!slopes) return [node];
    const output = node.outputs[0] as string;
    const [next, ...others] = consumers.get(output) ?? [];
    const isOnlyNormalized = next?.op === 'BatchNormalization' && others.length === 0;
    const change = isOnlyNormalized && !outputs.includes(output) ? normalization(next, constants) : undefined;
    if (next && change) folded.add(next);
    const split = splitOf(node, slopes, change);
    for (const tensor of split.constants) constants.set(tensor.name, tensor);
    const replaced = (change ? next : node) as OnnxNode;
    return split.nodes(replaced.outputs);
  });
  const used = new Set(result.flatMap(({ inputs }) => inputs));
  return { nodes: result, initializers: [...constants.values()].filter(({ name }) => used.has(name)) };
}

/** The slope of each channel of a PRelu on the image of a convolution, whose channels are known. */
function slopesOf(
  { op, inputs }: OnnxNode,
  producers: ReadonlyMap<string, OnnxNode>,
  constants: ReadonlyMap<string, OnnxTensor>,
): Float32Array | undefined {
  if (op !== 'PRelu') return undefined;
  const slope = constants.get(inputs[1] as string);
  const convolution = producers.get(inputs[0] as string);
  const weights = convolution?.op === 'Conv' ? constants.get(convolution.inputs[1] as string) : undefined;
  if (slope?.type !== 'float' || weights?.dims.length !== 4) return undefined;
  const values = floatsOf(slope);
  // [channels, 1, 1], or the same with the batch in front.
  const isPerChannel = slope.dims.length >= 3 && slope.dims.at(-3) === values.length;
  return isPerChannel && values.length === weights.dims[0] ? values : undefined;
}

function splitOf({ inputs, outputs }: OnnxNode, slopes: Float32Array, change: Change | undefined) {
  const [input] = inputs as [string];
  const [name] = outputs as [string];
  const scale = (value: number, channel: number) => value * (change?.scale[channel] ?? 1);
  const positive = `${name}_positive`;
  const factor = (part: string, values: Float32Array): OnnxTensor => ({
    name: `${name}_${part}`,
    type: 'float',
    dims: [values.length, 1, 1, 1],
    data: new Uint8Array(values.map(scale).buffer),
  });
  const whole = factor('slopes', slopes);
  const rest = factor(
    'rests',
    slopes.map((slope) => 1 - slope),
  );
  const shift: OnnxTensor[] = change
    ? [
        {
          name: `${name}_shift`,
          type: 'float',
          dims: [slopes.length],
          data: new Uint8Array(change.shift.slice().buffer),
        },
      ]
    : [];
  const convolution = (from: string, weights: readonly OnnxTensor[], output: string): OnnxNode => ({
    op: 'Conv',
    inputs: [from, ...weights.map((tensor) => tensor.name)],
    outputs: [output],
    attributes: { group: slopes.length, kernel_shape: [1, 1] },
  });
  return {
    constants: [whole, rest, ...shift],
    nodes: (replaced: readonly string[]): OnnxNode[] => [
      convolution(input, [whole, ...shift], `${name}_sloped`),
      { op: 'Relu', inputs: [input], outputs: [positive], attributes: {} },
      convolution(positive, [rest], `${name}_risen`),
      { op: 'Add', inputs: [`${name}_risen`, `${name}_sloped`], outputs: replaced, attributes: {} },
    ],
  };
}
