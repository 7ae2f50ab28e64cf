/**
 * Lowers recorded TFJS kernel calls to ONNX nodes, one function per kernel. A kernel that is not in the table stops the
 * compilation with its name; nothing is approximated.
 */
import type { OnnxAttribute } from '../onnx-format/onnx-file';
import { axisOf, elementType, Graph, permute, sizeOf, toNchw, type Value } from './graph';
import type { ConstantTensor, KernelCall, KernelInput, Trace, TracedTensor } from './trace';

/** A model uses an operation that the compiler does not support. */
export class UnsupportedKernelError extends Error {
  override readonly name = 'UnsupportedKernelError';
  constructor(
    readonly kernel: string,
    readonly detail: string,
    model = 'this model',
  ) {
    super(`The compiler does not support ${kernel} in ${model}: ${detail}`);
  }
}

type Lowering = (graph: Graph, call: KernelCall) => Partial<Value> | Partial<Value>[];

/**
 * Builds the graph of a trace.
 * @returns the graph and, per output of the model, the name of its ONNX value, of shape [N, ...example].
 * @throws UnsupportedKernelError
 */
export function lower(trace: Trace, inputName: string): { graph: Graph; outputs: Record<string, string> } {
  const graph = new Graph();
  graph.define(trace.input, { shape: trace.input.shape, batchAxis: 'own', type: 'uint8', plain: inputName });
  for (const call of trace.calls) {
    const lowering = lowerings[call.kernel];
    if (!lowering) throw new UnsupportedKernelError(call.kernel, 'the table of kernels has no entry for it');
    const made = [attempt(call, () => lowering(graph, call))].flat();
    for (const [index, output] of call.outputs.entries()) {
      const { shape } = output;
      const batchAxis = shape[0] === 1 && shape.length > 1 ? 'own' : 'added';
      graph.define(output, { shape, batchAxis, type: typeOf(output), ...made[index] });
    }
  }
  const outputs = Object.entries(trace.outputs).map(([name, tensor]) => [
    name,
    graph.plain(graph.value(tensor)),
  ]);
  return { graph, outputs: Object.fromEntries(outputs) };
}

const typeOf = (tensor: TracedTensor) => elementType(tensor.dtype);

/** Names the kernel in errors of its lowering. */
function attempt<T>(call: KernelCall, lowering: () => T): T {
  try {
    if (call.attrs.dimRoundingMode) throw new Error(`rounding sizes by "${call.attrs.dimRoundingMode}"`);
    return lowering();
  } catch (error) {
    if (error instanceof UnsupportedKernelError) throw error;
    throw new UnsupportedKernelError(call.kernel, (error as Error).message);
  }
}

function input(call: KernelCall, name: string): KernelInput {
  const operand = call.inputs[name];
  if (!operand) throw new UnsupportedKernelError(call.kernel, `input "${name}" is missing`);
  return operand;
}

function constantInput(call: KernelCall, name: string): ConstantTensor {
  const operand = input(call, name);
  if (operand.kind !== 'constant') {
    throw new UnsupportedKernelError(call.kernel, `"${name}" must not depend on the image`);
  }
  return operand;
}

function attr<T>(call: KernelCall, name: string): T {
  return call.attrs[name] as T;
}

function asPair(value: number | number[] | undefined, fallback = 1): [number, number] {
  if (value === undefined || value === null) return [fallback, fallback];
  return typeof value === 'number' ? [value, value] : [value[0] as number, value[1] as number];
}

const output = (call: KernelCall) => call.outputs[0] as TracedTensor;

/**
 * A value of floats. TFJS has pixels as 32-bit integers, the graph as bytes, whose arithmetic would wrap at 255, so models
 * must cast first.
 */
function floats(graph: Graph, call: KernelCall, name: string): Value {
  const value = graph.value(input(call, name));
  if (value.type !== 'float') throw new UnsupportedKernelError(call.kernel, `arithmetic on ${value.type}`);
  return value;
}

/** True for a four-dimensional image tensor, the only kind with an NCHW form. */
const isImage = (value: Pick<Value, 'shape' | 'batchAxis'>) =>
  value.shape.length === 4 && value.batchAxis === 'own';

const prefersNchw = (value: Value) => isImage(value) && value.nchw !== undefined && value.plain === undefined;

function unary(op: string, attributes: Record<string, OnnxAttribute> = {}): Lowering {
  return (graph, call) =>
    mapValue(graph, firstValue(graph, call), (name) => graph.node(op, [name], attributes));
}

function firstValue(graph: Graph, call: KernelCall): Value {
  const [first] = Object.values(call.inputs);
  return graph.value(first as KernelInput);
}

/** Applies an element-wise function in the layout the value already has. */
function mapValue(graph: Graph, value: Value, apply: (name: string) => string): Partial<Value> {
  const { batchAxis } = value;
  return prefersNchw(value)
    ? { batchAxis, nchw: apply(graph.nchw(value)) }
    : { batchAxis, plain: apply(graph.plain(value)) };
}

function binary(op: string, left = 'a', right = 'b'): Lowering {
  return (graph, call) => {
    const operands = [input(call, left), input(call, right)];
    for (const name of [left, right]) if (input(call, name).kind === 'traced') floats(graph, call, name);
    const { names, ...layout } = align(graph, operands, output(call).shape);
    const name = graph.node(op, names);
    return layout.nchw ? { batchAxis: 'own', nchw: name } : { batchAxis: layout.batchAxis, plain: name };
  };
}

/** Brings operands into one layout in which ONNX broadcasts as TFJS did. */
function align(graph: Graph, operands: readonly KernelInput[], shape: readonly number[]) {
  const rank = shape.length;
  const values = operands.filter((o) => o.kind === 'traced').map((o) => graph.value(o));
  const constants = operands.filter((o) => o.kind === 'constant');
  const hasOwnBatch =
    values.every((v) => v.batchAxis === 'own' && v.shape.length === rank) &&
    constants.every((c) => c.shape.length < rank || c.shape[0] === 1);
  const nchw = hasOwnBatch && rank === 4 && values.some(prefersNchw);
  const names = operands.map((operand) => {
    if (operand.kind === 'constant') return nchw ? constantAsNchw(graph, operand) : graph.tensor(operand);
    const value = graph.value(operand);
    if (nchw) return graph.nchw(value);
    return hasOwnBatch ? graph.plain(value) : graph.withAddedBatch(value, rank);
  });
  return { names, nchw, batchAxis: hasOwnBatch ? ('own' as const) : ('added' as const) };
}

function constantAsNchw(graph: Graph, constant: ConstantTensor): string {
  if (sizeOf(constant.shape) === 1) return graph.constant(constant.data, [], elementType(constant.dtype));
  const shape = [...Array<number>(4 - constant.shape.length).fill(1), ...constant.shape];
  const dims = toNchw.map((axis) => shape[axis] as number);
  return graph.constant(permute(constant.data, shape, toNchw), dims, elementType(constant.dtype));
}

/**
 * ONNX broadcasts a slope to its input one way only, so the slope must not have more axes than the input.
 * @param channels of an NCHW image; undefined for a value in the recorded axis order.
 */
function prelu(graph: Graph, name: string, alpha: ConstantTensor, channels: number | undefined): string {
  if (channels === undefined) return graph.node('PRelu', [name, graph.tensor(alpha)]);
  const onePerChannel = alpha.shape.at(-1) === channels && sizeOf(alpha.shape) === channels;
  if (!onePerChannel) return graph.node('PRelu', [name, constantAsNchw(graph, alpha)]);
  // alpha x + (1 - alpha) max(x, 0), with the factors as 1x1 convolutions per channel. ONNX Runtime's PRelu on a CPU
  // leaves the blocked layout of the convolutions around it; this way the face mesh takes half the time.
  const scaled = (input: string, factor: (slope: number) => number) => {
    const weights = Float32Array.from(alpha.data, factor);
    const attributes = { group: channels, kernel_shape: [1, 1] };
    return graph.node('Conv', [input, graph.constant(weights, [channels, 1, 1, 1], 'float')], attributes);
  };
  const positive = scaled(graph.node('Relu', [name]), (slope) => 1 - slope);
  return graph.node('Add', [positive, scaled(name, (slope) => slope)]);
}

/** Applies TFJS's fused activation to a node's output. */
function activate(graph: Graph, call: KernelCall, name: string, nchw: boolean): string {
  const activation = attr<string | undefined>(call, 'activation') ?? 'linear';
  if (activation === 'linear') return name;
  if (activation === 'relu') return graph.node('Relu', [name]);
  if (activation === 'relu6') return graph.node('Clip', [name, graph.float(0), graph.float(6)]);
  if (activation === 'sigmoid') return graph.node('Sigmoid', [name]);
  if (activation === 'elu') return graph.node('Elu', [name]);
  if (activation === 'leakyrelu') {
    return graph.node('LeakyRelu', [name], { alpha: { float: attr<number>(call, 'leakyreluAlpha') } });
  }
  if (activation === 'prelu') {
    const alpha = constantInput(call, 'preluActivationWeights');
    return prelu(graph, name, alpha, nchw ? output(call).shape.at(-1) : undefined);
  }
  throw new UnsupportedKernelError(call.kernel, `activation "${activation}"`);
}

/** ONNX `pads` (top, left, bottom, right) of a TFJS padding. SAME puts the odd pixel at the end, as TensorFlow does. */
function windowPads(
  call: KernelCall,
  inShape: readonly number[],
  window: [number, number],
  strides: [number, number],
) {
  const pad = attr<'same' | 'valid' | number | number[][]>(call, 'pad');
  if (pad === 'valid') return [0, 0, 0, 0];
  if (typeof pad === 'number') return [pad, pad, pad, pad];
  if (Array.isArray(pad)) {
    const [, [top, bottom], [left, right]] = pad as [number[], [number, number], [number, number]];
    return [top, left, bottom, right];
  }
  const total = [0, 1].map((axis) => {
    const size = inShape[axis + 1] as number;
    const steps = Math.ceil(size / (strides[axis] as number));
    return Math.max(0, (steps - 1) * (strides[axis] as number) + (window[axis] as number) - size);
  });
  const before = total.map((t) => Math.floor(t / 2));
  return [...before, ...total.map((t, axis) => t - (before[axis] as number))];
}

function convolution(depthwise: boolean): Lowering {
  return (graph, call) => {
    const x = floats(graph, call, 'x');
    const filter = constantInput(call, 'filter');
    if (attr<string>(call, 'dataFormat') === 'NCHW')
      throw new UnsupportedKernelError(call.kernel, 'NCHW input');
    const [height, width, inChannels, last] = filter.shape as [number, number, number, number];
    const strides = asPair(attr(call, 'strides'));
    const dilations = asPair(attr(call, 'dilations'));
    const window: [number, number] = [(height - 1) * dilations[0] + 1, (width - 1) * dilations[1] + 1];
    // HWIO -> OIHW; a depthwise filter HWCM becomes C*M filters of one channel each.
    const weights = permute(filter.data, filter.shape, depthwise ? [2, 3, 0, 1] : [3, 2, 0, 1]);
    const dims = depthwise ? [inChannels * last, 1, height, width] : [last, inChannels, height, width];
    const inputs = [graph.nchw(x), graph.constant(weights, dims, 'float')];
    const bias = call.inputs.bias;
    if (bias) {
      const { data, shape } = constantInput(call, 'bias');
      inputs.push(graph.constant(data, [sizeOf(shape)], 'float'));
    }
    const name = graph.node('Conv', inputs, {
      kernel_shape: [height, width],
      strides,
      dilations,
      pads: windowPads(call, x.shape, window, strides),
      group: depthwise ? inChannels : (x.shape[3] as number) / inChannels,
    });
    return { batchAxis: 'own', nchw: activate(graph, call, name, true) };
  };
}

function pooling(op: 'MaxPool' | 'AveragePool'): Lowering {
  return (graph, call) => {
    const x = floats(graph, call, 'x');
    const window = asPair(attr(call, 'filterSize'));
    const strides = asPair(attr(call, 'strides'));
    const name = graph.node(op, [graph.nchw(x)], {
      kernel_shape: window,
      strides,
      pads: windowPads(call, x.shape, window, strides),
    });
    return { batchAxis: 'own', nchw: name };
  };
}

const resizeBilinear: Lowering = (graph, call) => {
  const x = floats(graph, call, 'images');
  const [height, width] = output(call).shape.slice(1, 3) as [number, number];
  const mode = attr<boolean>(call, 'alignCorners')
    ? 'align_corners'
    : attr<boolean>(call, 'halfPixelCenters')
      ? 'half_pixel'
      : 'asymmetric';
  const sizes = graph.constant(
    Float32Array.of(1, 1, height / (x.shape[1] as number), width / (x.shape[2] as number)),
    [4],
    'float',
  );
  const name = graph.node('Resize', [graph.nchw(x), '', sizes], {
    mode: 'linear',
    coordinate_transformation_mode: mode,
  });
  return { batchAxis: 'own', nchw: name };
};

/** NCHW axis of an NHWC axis. */
const nchwAxis = [0, 2, 3, 1];

const reshape: Lowering = (graph, call) => {
  const x = firstValue(graph, call);
  const { shape } = output(call);
  const hasOwnBatch = shape[0] === 1 && shape.length > 1;
  if (
    hasOwnBatch &&
    x.batchAxis === 'own' &&
    shape.length === x.shape.length &&
    shape.every((d, i) => d === x.shape[i])
  ) {
    return { ...x };
  }
  // 0 copies N from the input: the batch is the first axis on both sides.
  const target = graph.int64s([0, ...(hasOwnBatch ? shape.slice(1) : shape)]);
  return { batchAxis: hasOwnBatch ? 'own' : 'added', plain: graph.node('Reshape', [graph.plain(x), target]) };
};

const concat: Lowering = (graph, call) => {
  const { shape } = output(call);
  const axis = (attr<number>(call, 'axis') + shape.length) % shape.length;
  const { before, values, after, fill } = splitConstants(graph, call, axis);
  const hasOwnBatch = values.every((v) => v.batchAxis === 'own') && axis > 0;
  const nchw = hasOwnBatch && shape.length === 4 && values.some(prefersNchw);
  const batchAxis = hasOwnBatch ? 'own' : 'added';
  const names = values.map((v) => {
    if (nchw) return graph.nchw(v);
    return hasOwnBatch ? graph.plain(v) : graph.withAddedBatch(v, shape.length);
  });
  const onnxAxis = nchw ? (nchwAxis[axis] as number) : axisOf({ batchAxis }, axis);
  let name = names.length === 1 ? (names[0] as string) : graph.node('Concat', names, { axis: onnxAxis });
  if (before > 0 || after > 0) {
    const rank = hasOwnBatch ? shape.length : shape.length + 1;
    const pads = Array<number>(2 * rank).fill(0);
    pads[onnxAxis] = before;
    pads[rank + onnxAxis] = after;
    name = graph.node('Pad', [name, graph.int64s(pads), graph.float(fill)]);
  }
  return nchw ? { batchAxis, nchw: name } : { batchAxis, plain: name };
};

/**
 * Separates the constants of a Concat. A constant has no batch axis, but a block of one value at either end (as dlib's
 * network widens its residuals) is padding.
 */
function splitConstants(graph: Graph, call: KernelCall, axis: number) {
  const operands = Object.values(call.inputs);
  const first = operands.findIndex((o) => o.kind === 'traced');
  const last = operands.findLastIndex((o) => o.kind === 'traced');
  const constants = operands.filter((o) => o.kind === 'constant');
  const fill = constants[0]?.data[0] ?? 0;
  if (
    constants.some((c) => c.data.some((value) => value !== fill)) ||
    operands.slice(first, last).some((o) => o.kind === 'constant')
  ) {
    throw new UnsupportedKernelError(call.kernel, 'joining a constant that is not padding');
  }
  const width = (some: KernelInput[]) => some.reduce((sum, o) => sum + (o.shape[axis] as number), 0);
  return {
    before: width(operands.slice(0, first)),
    values: operands.slice(first, last + 1).map((o) => graph.value(o)),
    after: width(operands.slice(last + 1)),
    fill,
  };
}

const pack: Lowering = (graph, call) => {
  const rank = output(call).shape.length;
  const axis = (attr<number>(call, 'axis') + rank) % rank;
  const names = Object.values(call.inputs).map((operand) => {
    const name = graph.withAddedBatch(graph.value(operand), rank - 1);
    return graph.node('Unsqueeze', [name, graph.int64s([axis + 1])]);
  });
  return { batchAxis: 'added', plain: graph.node('Concat', names, { axis: axis + 1 }) };
};

const pad: Lowering = (graph, call) => {
  const x = graph.value(input(call, 'x'));
  const paddings = attr<[number, number][]>(call, 'paddings');
  const value = graph.float(attr<number>(call, 'constantValue') ?? 0);
  if (x.batchAxis === 'own' && (paddings[0]?.[0] || paddings[0]?.[1])) {
    throw new UnsupportedKernelError(call.kernel, 'padding of the batch axis');
  }
  const ordered = prefersNchw(x)
    ? toNchw.map((axis) => paddings[axis] as [number, number])
    : x.batchAxis === 'own'
      ? paddings
      : [[0, 0] as [number, number], ...paddings];
  const pads = graph.int64s([...ordered.map((p) => p[0]), ...ordered.map((p) => p[1])]);
  return mapValue(graph, x, (name) => graph.node('Pad', [name, pads, value]));
};

const mean: Lowering = (graph, call) => {
  const x = floats(graph, call, 'x');
  const { shape } = output(call);
  const rank = x.shape.length;
  const given = attr<number | number[] | null | undefined>(call, 'axis');
  if (given === null || given === undefined)
    throw new UnsupportedKernelError(call.kernel, 'no axis is given');
  const axes = [given].flat().map((axis) => (axis + rank) % rank);
  if (x.batchAxis === 'own' && axes.includes(0))
    throw new UnsupportedKernelError(call.kernel, 'the batch axis');
  const keepdims = shape.length === rank ? 1 : 0;
  if (prefersNchw(x)) {
    const name = graph.node('ReduceMean', [graph.nchw(x)], {
      axes: axes.map((a) => nchwAxis[a] as number),
      keepdims,
    });
    // NCHW and NHWC are the same [N, C] without the spatial axes.
    if (keepdims) return { batchAxis: 'own', nchw: name };
    if (axes.length === 2 && !axes.includes(3)) return { batchAxis: 'own', plain: name };
  }
  const name = graph.node('ReduceMean', [graph.plain(x)], {
    axes: axes.map((axis) => axisOf(x, axis)),
    keepdims,
  });
  return { batchAxis: x.batchAxis, plain: name };
};

function matMul(fused: boolean): Lowering {
  return (graph, call) => {
    const a = floats(graph, call, 'a');
    const b = constantInput(call, 'b');
    if (a.batchAxis === 'own' && b.shape.length > 2 && b.shape[0] !== 1) {
      throw new UnsupportedKernelError(call.kernel, 'a constant with a batch of its own');
    }
    if (attr<boolean>(call, 'transposeA'))
      throw new UnsupportedKernelError(call.kernel, 'a transposed batch');
    const transposed = attr<boolean>(call, 'transposeB');
    const rank = b.shape.length;
    const perm = [...Array(rank).keys()];
    if (transposed) perm.splice(rank - 2, 2, rank - 1, rank - 2);
    const weights = transposed ? permute(b.data, b.shape, perm) : b.data;
    const dims = perm.map((axis) => b.shape[axis] as number);
    let name = graph.node('MatMul', [graph.plain(a), graph.constant(weights, dims, 'float')]);
    if (!fused) return { batchAxis: a.batchAxis, plain: name };
    if (call.inputs.bias) name = graph.node('Add', [name, graph.tensor(constantInput(call, 'bias'))]);
    return { batchAxis: a.batchAxis, plain: activate(graph, call, name, false) };
  };
}

const softmax: Lowering = (graph, call) => {
  const x = firstValue(graph, call);
  return { batchAxis: x.batchAxis, plain: graph.node('Softmax', [graph.plain(x)], { axis: -1 }) };
};

const cast: Lowering = (graph, call) => {
  const x = firstValue(graph, call);
  const target = elementType(attr<string>(call, 'dtype'));
  if (target === x.type) return { ...x };
  const code = { float: 1, int32: 6 }[target as 'float' | 'int32'];
  return mapValue(graph, x, (name) => graph.node('Cast', [name], { to: code }));
};

const identity: Lowering = (graph, call) => ({ ...firstValue(graph, call) });

const preluKernel: Lowering = (graph, call) => {
  const x = floats(graph, call, 'x');
  const alpha = constantInput(call, 'alpha');
  const channels = prefersNchw(x) ? x.shape.at(-1) : undefined;
  return mapValue(graph, x, (name) => prelu(graph, name, alpha, channels));
};

const relu6: Lowering = (graph, call) =>
  mapValue(graph, firstValue(graph, call), (name) =>
    graph.node('Clip', [name, graph.float(0), graph.float(6)]),
  );

const lowerings: Readonly<Record<string, Lowering>> = {
  Add: binary('Add'),
  AvgPool: pooling('AveragePool'),
  BatchMatMul: matMul(false),
  Cast: cast,
  Concat: concat,
  Conv2D: convolution(false),
  DepthwiseConv2dNative: convolution(true),
  FusedConv2D: convolution(false),
  FusedDepthwiseConv2D: convolution(true),
  Identity: identity,
  MaxPool: pooling('MaxPool'),
  Maximum: binary('Max'),
  Mean: mean,
  Minimum: binary('Min'),
  Multiply: binary('Mul'),
  Pack: pack,
  PadV2: pad,
  Prelu: preluKernel,
  RealDiv: binary('Div'),
  Relu: unary('Relu'),
  Relu6: relu6,
  Reshape: reshape,
  ResizeBilinear: resizeBilinear,
  Sigmoid: unary('Sigmoid'),
  Softmax: softmax,
  Sub: binary('Sub'),
  _FusedMatMul: matMul(true),
};
