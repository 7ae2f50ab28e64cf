/**
 * Graphs in 16-bit floats (IEEE 754 binary16), for GPUs, which compute them several times as fast as 32-bit ones. Inputs and
 * outputs keep their types. The operations from the last weights to an output stay in 32 bits, because 16 bits would round the
 * position of a point to an eighth of a pixel; so do means over whole images.
 */
import { elementTypes, type OnnxNode, type OnnxTensor } from '../onnx-format/onnx-file';
import { floatsOf, type NodesAndConstants } from './fold';

const weighted = new Set(['Conv', 'MatMul']);
const exactOperations = new Set(['ReduceMean']);

/** Inputs that must be 32-bit floats in any graph: the scales of Resize. */
const isParameter = (node: OnnxNode, position: number) => node.op === 'Resize' && position > 0;

/**
 * @param graph one in 32-bit floats; its first operation casts the pixels, and integers appear only as constants.
 * @param outputs names of the values that the graph returns.
 */
export function toFloat16({ nodes, initializers }: NodesAndConstants, outputs: readonly string[]) {
  const exact = exactNodes(nodes, outputs);
  const constants = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  const isHalf = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, !exact.has(node)])));
  const made = new Map<string, OnnxTensor>();
  const result: OnnxNode[] = [];
  const casts = new Set<string>();

  const constantAs = (tensor: OnnxTensor, half: boolean): string => {
    const constant = half && tensor.type === 'float' ? halfOf(tensor) : tensor;
    made.set(constant.name, constant);
    return constant.name;
  };
  const valueAs = (name: string, half: boolean): string => {
    // Neither an empty optional input nor the pixels are floats.
    if ((isHalf.get(name) ?? half) === half) return name;
    const cast = `${name}_${half ? 'float16' : 'float32'}`;
    if (!casts.has(cast)) {
      const to = half ? elementTypes.float16 : elementTypes.float;
      result.push({ op: 'Cast', inputs: [name], outputs: [cast], attributes: { to } });
      casts.add(cast);
    }
    return cast;
  };

  for (const node of nodes) {
    const half = !exact.has(node);
    const inputs = node.inputs.map((name, position) => {
      const constant = constants.get(name);
      if (constant) return constantAs(constant, half && !isParameter(node, position));
      return valueAs(name, half);
    });
    const toFloat = node.op === 'Cast' && node.attributes.to === elementTypes.float;
    const attributes = half && toFloat ? { to: elementTypes.float16 } : node.attributes;
    result.push({ ...node, inputs, attributes });
  }
  return { nodes: result, initializers: [...made.values()] };
}

/** The operations between the last weights and the outputs, with those weights, and sums. */
function exactNodes(nodes: readonly OnnxNode[], outputs: readonly string[]): Set<OnnxNode> {
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const exact = new Set(nodes.filter(({ op }) => exactOperations.has(op)));
  const visited = new Set<OnnxNode>();
  const visit = (name: string): void => {
    const node = producers.get(name);
    if (!node || visited.has(node)) return;
    visited.add(node);
    exact.add(node);
    if (!weighted.has(node.op)) node.inputs.forEach(visit);
  };
  outputs.forEach(visit);
  return exact;
}

function halfOf(tensor: OnnxTensor): OnnxTensor {
  const bits = Uint16Array.from(floatsOf(tensor), float16Of);
  const data = new Uint8Array(bits.buffer);
  return { ...tensor, name: `${tensor.name}_float16`, type: 'float16', data };
}

const largest = 65_504;
const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/**
 * The bits of the nearest 16-bit float, the even one of two. Values past the largest finite one become that one.
 * @param value a 32-bit float, not NaN.
 */
export function float16Of(value: number): number {
  const size = Math.min(Math.abs(value), largest);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  // The smallest exponent of normal numbers is -14; below it, steps are 2^-24.
  single[0] = size;
  const exponent = Math.max(-14, ((singleBits[0] as number) >>> 23) - 127);
  const steps = size * 2 ** (10 - exponent);
  const floor = Math.floor(steps);
  const rest = steps - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  // 1,024 steps are the leading one, and a carry out of the fraction raises the exponent.
  return sign | ((exponent + 14) * 1024 + rounded);
}
