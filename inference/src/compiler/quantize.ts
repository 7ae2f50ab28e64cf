/**
 * Eight-bit convolutions and fully connected layers. Between quantized operations values are bytes with one scale and zero point per value;
 * weights are signed bytes with one scale per output channel. The graph has pairs of QuantizeLinear and DequantizeLinear
 * around unchanged operations (ONNX's QDQ form), which ONNX Runtime fuses into integer kernels.
 * Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", 2018.
 */
import type { Quantization } from '../catalogue/manifest-parts';
import type { OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';
import { consumersOf, floatsOf, type NodesAndConstants } from './fold';

const candidates = new Set(['Conv', 'Add', 'MaxPool', 'AveragePool']);
/** Operations with weights along the first axis, one row for each output channel. */
const weighted = new Set(['Conv', 'Gemm']);
/** Free between an operation and its quantized value, which is clipped to its range anyway. */
const activations = new Set(['Relu', 'Clip']);

/** The operations to quantize, and the values between them. */
interface Plan {
  readonly operations: ReadonlySet<OnnxNode>;
  readonly values: readonly string[];
}

type Selection = Quantization['operations'];

/**
 * Names of the values whose ranges `quantize` needs, in order.
 * @throws Error when the graph lacks a selected operation.
 */
export const quantizedValues = (graph: NodesAndConstants, selection?: Selection): readonly string[] =>
  planFor(graph, selection).values;

/** @throws Error when the selected operations or the ranges do not match the graph. */
export function quantize(
  graph: NodesAndConstants,
  { operations: selection, ranges }: Quantization,
): NodesAndConstants {
  const { operations, values } = planFor(graph, selection);
  if (ranges.length !== values.length) {
    throw new Error(`quantization needs ${values.length} ranges, the manifest has ${ranges.length}`);
  }
  const build = new Build(graph);
  const scales = new Map<string, number>();
  const rangeOf = new Map(values.map((name, i) => [name, ranges[i] as readonly [number, number]]));
  for (const node of graph.nodes) {
    const [output] = node.outputs as [string];
    // A maximum of bytes is one of them, so the scale stays and nothing is converted.
    const pooled = node.op === 'MaxPool' ? rangeOf.get(node.inputs[0] as string) : undefined;
    if (pooled && rangeOf.has(output)) rangeOf.set(output, pooled);
    const inputs = node.inputs.map((name) => (rangeOf.has(name) ? `${name}_dequantized` : name));
    const quantized = operations.has(node) && weighted.has(node.op);
    const parameters = quantized
      ? build.parameters(node, scales.get(node.inputs[0] as string) as number)
      : [];
    build.nodes.push({ ...node, inputs: quantized ? [inputs[0] as string, ...parameters] : inputs });
    const range = rangeOf.get(output);
    if (range) scales.set(output, build.convert(output, range));
  }
  const used = new Set(build.nodes.flatMap(({ inputs }) => inputs));
  return {
    nodes: build.nodes,
    initializers: build.initializers.filter(({ name }) => used.has(name)),
  };
}

const planFor = (graph: NodesAndConstants, selection: Selection): Plan =>
  selection ? selectedPlan(graph, selection) : plan(graph);

/** The operations that make the named values, each from bytes; values that the model returns stay exact. */
function selectedPlan({ nodes, initializers }: NodesAndConstants, selection: readonly string[]): Plan {
  const constants = new Set(initializers.map(({ name }) => name));
  const consumers = consumersOf(nodes);
  const operations = selection.map((name) => {
    const node = nodes.find(({ outputs }) => outputs[0] === name);
    if (node && weighted.has(node.op) && constants.has(node.inputs[1] as string)) return node;
    throw new Error(`quantization names the operation "${name}", which has no constant weights`);
  });
  const values = operations.flatMap(({ op, inputs, outputs }) => {
    const [output] = outputs as [string];
    // A fully connected layer may return floats; a convolution of bytes returns bytes.
    return op === 'Conv' && consumers.has(output) ? [inputs[0] as string, output] : [inputs[0] as string];
  });
  return {
    operations: new Set(operations),
    values: [...new Set(values)].sort(byPosition(nodes)),
  };
}

function plan({ nodes, initializers }: NodesAndConstants): Plan {
  const constants = new Set(initializers.map(({ name }) => name));
  const consumers = consumersOf(nodes);
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const isCandidate = ({ op, inputs }: OnnxNode) =>
    candidates.has(op) &&
    (op === 'Conv' ? constants.has(inputs[1] as string) : !inputs.some((name) => constants.has(name)));
  /** The value that an operation passes on: its activation's, where it has one. */
  const result = ({ outputs }: OnnxNode): string => {
    const [next, ...others] = consumers.get(outputs[0] as string) ?? [];
    return next && others.length === 0 && activations.has(next.op) ? result(next) : (outputs[0] as string);
  };
  // The last operations, whose values are the model's outputs, stay exact.
  const operations = new Set(
    nodes.filter((node) => isCandidate(node) && consumers.get(result(node))?.some(isCandidate)),
  );
  const values = new Set<string>();
  for (const node of operations) {
    for (const name of node.op === 'Conv' ? node.inputs.slice(0, 1) : node.inputs) values.add(name);
    values.add(result(node));
  }
  // Values that no operation makes stay exact. The order is that of the graph.
  return { operations, values: [...values].filter((name) => producers.has(name)).sort(byPosition(nodes)) };
}

function byPosition(nodes: readonly OnnxNode[]) {
  const positions = new Map(nodes.flatMap(({ outputs }, i) => outputs.map((name) => [name, i] as const)));
  return (a: string, b: string) => (positions.get(a) as number) - (positions.get(b) as number);
}

class Build {
  readonly nodes: OnnxNode[] = [];
  readonly initializers: OnnxTensor[];
  private readonly constants: ReadonlyMap<string, OnnxTensor>;

  constructor({ initializers }: NodesAndConstants) {
    this.initializers = [...initializers];
    this.constants = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  }

  private add(
    name: string,
    type: OnnxTensor['type'],
    dims: readonly number[],
    values: ArrayBufferView,
  ): string {
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.initializers.push({ name, type, dims, data });
    return name;
  }

  /** Converts a value to bytes and back; readers of `NAME_dequantized` may take the bytes. @returns the scale */
  convert(name: string, [least, greatest]: readonly [number, number]): number {
    // Zero must be exactly representable, because borders are padded with it.
    const low = Math.min(least, 0);
    const high = Math.max(greatest, 0);
    const scale = Math.fround((high - low) / 255) || 1;
    const parameters = [
      this.add(`${name}_scale`, 'float', [], Float32Array.of(scale)),
      this.add(`${name}_zero`, 'uint8', [], Uint8Array.of(Math.round(-low / scale))),
    ];
    const bytes = `${name}_quantized`;
    this.nodes.push(
      { op: 'QuantizeLinear', inputs: [name, ...parameters], outputs: [bytes], attributes: {} },
      {
        op: 'DequantizeLinear',
        inputs: [bytes, ...parameters],
        outputs: [`${name}_dequantized`],
        attributes: {},
      },
    );
    return scale;
  }

  /** Weights as signed bytes and bias as 32-bit integers of a convolution, each with its conversion back. */
  parameters({ inputs, outputs }: OnnxNode, inputScale: number): string[] {
    const weights = this.constants.get(inputs[1] as string) as OnnxTensor;
    const bias = this.constants.get(inputs[2] ?? '');
    const channels = weights.dims[0] as number;
    const values = floatsOf(weights);
    const perChannel = values.length / channels;
    const offsets = bias ? floatsOf(bias) : new Float32Array(channels);
    const scales = new Float32Array(channels).map((_, channel) => {
      const channelValues = values.subarray(channel * perChannel, (channel + 1) * perChannel);
      const most = channelValues.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
      // A channel of tiny weights gets a coarser scale, so that its bias fits into 32 bits.
      return Math.max(most / 127, Math.abs(offsets[channel] as number) / (inputScale * 2 ** 30)) || 1;
    });
    const bytes = new Int8Array(values.length);
    for (const [channel, scale] of scales.entries()) {
      const end = (channel + 1) * perChannel;
      for (let i = channel * perChannel; i < end; i++) bytes[i] = Math.round((values[i] as number) / scale);
    }
    const name = outputs[0] as string;
    const made = [this.dequantized(`${name}_weights`, 'int8', weights.dims, bytes, scales)];
    if (bias) {
      // The scale of a sum of products is the product of both scales.
      const sums = scales.map((scale) => scale * inputScale);
      const numbers = Int32Array.from(offsets, (value, channel) =>
        Math.round(value / (sums[channel] as number)),
      );
      made.push(this.dequantized(`${name}_bias`, 'int32', [channels], numbers, sums));
    }
    return made;
  }

  private dequantized(
    name: string,
    type: 'int8' | 'int32',
    dims: readonly number[],
    numbers: Int8Array | Int32Array,
    scales: Float32Array,
  ): string {
    const inputs = [
      this.add(`${name}_${type}`, type, dims, numbers),
      this.add(`${name}_scales`, 'float', [scales.length], scales),
      this.add(`${name}_zeros`, type, [scales.length], numbers.slice(0, scales.length).fill(0)),
    ];
    const output = `${name}_${type}_dequantized`;
    this.nodes.push({ op: 'DequantizeLinear', inputs, outputs: [output], attributes: { axis: 0 } });
    return output;
  }
}
