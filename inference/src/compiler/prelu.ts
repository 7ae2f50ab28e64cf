/**
 * Writes PReLU after a convolution as `x + max((slope - 1) * x, 0)`, and with the sign and the slope's difference turned
 * around where the slope is above 1. The factors are 1x1 convolutions per channel: ONNX Runtime's PRelu on a CPU leaves the
 * blocked layout of the convolutions around it, while a convolution takes the maximum and the sum into its own run. A batch
 * normalization after the PReLU disappears into the factors.
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
    return [...split.nodes, { op: 'Add', inputs: split.terms, outputs: replaced.outputs, attributes: {} }];
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
  const constants: OnnxTensor[] = [];
  const constant = (part: string, dims: readonly number[], values: Float32Array): string => {
    const tensor = {
      name: `${name}_${part}`,
      type: 'float',
      dims,
      data: new Uint8Array(values.buffer),
    } as const;
    constants.push(tensor);
    return tensor.name;
  };
  const perChannel = [slopes.length, 1, 1, 1];
  const convolution = (from: string, weights: readonly string[], output: string): OnnxNode => ({
    op: 'Conv',
    inputs: [from, ...weights],
    outputs: [output],
    attributes: { group: slopes.length, kernel_shape: [1, 1] },
  });

  // How much steeper the line is below zero, in the units of the output.
  const bends = slopes.map((slope, channel) => (slope - 1) * (change?.scale[channel] ?? 1));
  const bent = constant(
    'bends',
    perChannel,
    bends.map((bend) => -Math.abs(bend)),
  );
  const signs = constant(
    'signs',
    perChannel,
    bends.map((bend) => (bend > 0 ? -1 : 1)),
  );
  const nodes = [
    convolution(input, [bent], `${name}_below`),
    { op: 'Relu', inputs: [`${name}_below`], outputs: [`${name}_bent`], attributes: {} },
    convolution(`${name}_bent`, [signs], `${name}_added`),
  ];
  if (!change) return { constants, nodes, terms: [`${name}_added`, input] };
  const scale = constant('scale', perChannel, change.scale.slice());
  const shift = constant('shift', [slopes.length], change.shift.slice());
  const straight = `${name}_straight`;
  return {
    constants,
    nodes: [...nodes, convolution(input, [scale, shift], straight)],
    terms: [`${name}_added`, straight],
  };
}
