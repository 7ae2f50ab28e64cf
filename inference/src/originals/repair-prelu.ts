/**
 * Restores the PReLU activations of a graph model. Some exports compute PReLU as `relu(x) + c * (x - |x|)`, which is
 * right for c = slope / 2. Converting such an export can break it: an optimizer that looks at one reader of a value fuses
 * the Relu into the convolution before it, so that |x| and x - |x| no longer see negative values. Here each such group
 * of nodes becomes one Prelu node on the convolution without its Relu.
 */
import type * as tf from '@tensorflow/tfjs';
import type { PreluRepair } from '../catalogue/knowledge';
import type { GraphNode } from './input-size';

/** One PReLU, spread over several nodes. */
interface Group {
  readonly add: GraphNode;
  readonly input: string;
  readonly constant: string;
}

/**
 * Repairs topology and weights in place.
 * @throws Error when the graph has no such group, because a repair without effect means another file.
 */
export function repairPrelu(artifacts: tf.io.ModelArtifacts, { slope }: PreluRepair): void {
  const topology = artifacts.modelTopology as { node: GraphNode[] };
  const nodes = new Map(topology.node.map((node) => [node.name, node]));
  const groups = topology.node.flatMap((node) => groupEndingIn(node, nodes) ?? []);
  if (groups.length === 0) throw new Error('the graph has no PReLU to repair');
  const weights = new Map(weightsOf(artifacts));
  for (const { add, input, constant } of groups) {
    const values = weights.get(constant);
    if (!values) throw new Error(`${constant} is not a weight`);
    values.forEach((value, i) => {
      values[i] = value * slope;
    });
    removeRelu(nodes.get(input) as GraphNode);
    Object.assign(add, { op: 'Prelu', input: [input, constant], attr: {} });
  }
}

/** Matches `Add(r, Mul(Sub(x, Abs(x)), c))`, where r is Relu(x), or x itself with the Relu fused into it. */
function groupEndingIn(add: GraphNode, nodes: ReadonlyMap<string, GraphNode>): Group | undefined {
  const inputsOf = (node: GraphNode | undefined, op: string) =>
    node && (node.op === op || node.op === `${op}V2`) ? (node.input ?? []) : [];
  const [positive = '', scaled = ''] = inputsOf(add, 'Add');
  const [difference = '', constant = ''] = inputsOf(nodes.get(scaled), 'Mul');
  const [input = '', absolute = ''] = inputsOf(nodes.get(difference), 'Sub');
  const [magnified] = inputsOf(nodes.get(absolute), 'Abs');
  const [clipped] = positive === input ? [input] : inputsOf(nodes.get(positive), 'Relu');
  return input !== '' && magnified === input && clipped === input ? { add, input, constant } : undefined;
}

/** Takes the Relu off the end of a fused convolution. */
function removeRelu({ attr }: GraphNode): void {
  const fused = attr?.fused_ops?.list;
  if (fused?.s) fused.s = fused.s.filter((name) => Buffer.from(name, 'base64').toString() !== 'Relu');
}

/** The float weights by name, as views of the data of the artifacts. */
function* weightsOf({
  weightSpecs = [],
  weightData,
}: tf.io.ModelArtifacts): Generator<[string, Float32Array]> {
  let offset = 0;
  for (const { name, shape, dtype } of weightSpecs) {
    const length = shape.reduce((product, size) => product * size, 1);
    if (dtype === 'float32') yield [name, new Float32Array(weightData as ArrayBuffer, offset, length)];
    offset += 4 * length;
  }
}
