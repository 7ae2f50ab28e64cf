/**
 * The operations of ONNX that the compiler leaves in the published models, on TensorFlow.js. ONNX keeps images as NCHW, and
 * TFJS convolves NHWC only: a value keeps the layout in which its operation made it, and changes it where the next
 * operation needs the other.
 */
import * as tf from '@tensorflow/tfjs';
import { elementTypes, type OnnxAttribute, type OnnxNode, type OnnxTensor } from '../onnx-format/onnx-file';

export type Value = {
  readonly tensor: tf.Tensor;
  /** Whether the axes of an image are in TFJS's order. All other values are as in the file. */
  readonly isNhwc: boolean;
};

/** Gets undefined in place of each constant, which the operation has read before. */
export type Run = (...inputs: Value[]) => Value;

/** Prepares a node once. Returns undefined if this module does not support the node. */
type Operation = (node: OnnxNode, constants: Constants) => Run | undefined;

/** The constants of a graph, and the tensors that operations keep of them. */
export class Constants {
  readonly kept: tf.Tensor[] = [];
  private readonly byName: ReadonlyMap<string, OnnxTensor>;

  constructor(initializers: readonly OnnxTensor[]) {
    this.byName = new Map(initializers.map((tensor) => [tensor.name, tensor]));
  }

  /** Undefined if there is no constant of floats by this name. */
  floats(name = ''): tf.Tensor | undefined {
    const tensor = this.byName.get(name);
    if (tensor?.type !== 'float') return undefined;
    // A copy, because the bytes of a file are not aligned.
    return tf.tensor(new Float32Array(tensor.data.slice().buffer), [...tensor.dims]);
  }

  /** Undefined if there is no list of 64-bit integers by this name. */
  integers(name = ''): number[] | undefined {
    const tensor = this.byName.get(name);
    if (tensor?.type !== 'int64' || tensor.dims.length !== 1) return undefined;
    return [...new BigInt64Array(tensor.data.slice().buffer)].map(Number);
  }

  keep<T extends tf.Tensor | undefined>(tensor: T): T {
    if (tensor) this.kept.push(tf.keep(tensor));
    return tensor;
  }
}

export const inFileOrder = (tensor: tf.Tensor): Value => ({ tensor, isNhwc: false });
const image = (tensor: tf.Tensor): Value => ({ tensor, isNhwc: true });

/** The axes of one layout in the order of the other. */
const nhwcFromNchw = [0, 2, 3, 1];
const nchwFromNhwc = [0, 3, 1, 2];

export const toFileOrder = ({ tensor, isNhwc }: Value) =>
  isNhwc ? tf.transpose(tensor, nchwFromNhwc) : tensor;

/** A value of fewer axes, which broadcasts, gets the missing ones in front. */
function toNhwc({ tensor, isNhwc }: Value): tf.Tensor4D {
  if (isNhwc) return tensor as tf.Tensor4D;
  const missing = Array<number>(4 - tensor.rank).fill(1);
  const whole: tf.Tensor = tf.reshape(tensor, [...missing, ...tensor.shape]);
  return tf.transpose(whole, nhwcFromNchw) as tf.Tensor4D;
}

const unary =
  (compute: (x: tf.Tensor) => tf.Tensor): Operation =>
  () =>
  (x) => ({ ...x, tensor: compute(x.tensor) });

const binary =
  (compute: (a: tf.Tensor, b: tf.Tensor) => tf.Tensor): Operation =>
  ({ inputs }, constants) => {
    const known = inputs.map((name) => constants.keep(constants.floats(name)));
    return (...values) => {
      const operands = known.map((tensor, i) => (tensor ? inFileOrder(tensor) : (values[i] as Value)));
      const isNhwc = operands.some((operand) => operand.isNhwc);
      const [a, b] = operands.map((operand) => (isNhwc ? toNhwc(operand) : operand.tensor));
      return { isNhwc, tensor: compute(a as tf.Tensor, b as tf.Tensor) };
    };
  };

type Pair = [number, number];
/** Padding before and after each axis. */
type Pads = [Pair, Pair, Pair, Pair];

/** Ordinary and depthwise convolutions. */
const convolution: Operation = ({ inputs, attributes }, constants) => {
  const { group = 1, auto_pad = 'NOTSET', strides = [1, 1], dilations = [1, 1] } = attributes;
  const weights = constants.floats(inputs[1]);
  const bias = constants.keep(constants.floats(inputs[2]));
  if (weights?.rank !== 4 || auto_pad !== 'NOTSET' || (inputs[2] && !bias)) return undefined;
  const [outputs, inputsPerGroup, height, width] = weights.shape as [number, number, number, number];
  const isDepthwise = group !== 1;
  if (isDepthwise && inputsPerGroup !== 1) return undefined;
  const grouped: tf.Tensor = isDepthwise
    ? tf.reshape(weights, [Number(group), outputs / Number(group), height, width])
    : weights;
  const filter = constants.keep(
    tf.transpose(grouped, isDepthwise ? [2, 3, 0, 1] : [2, 3, 1, 0]) as tf.Tensor4D,
  );
  const convolve = isDepthwise ? tf.depthwiseConv2d : tf.conv2d;
  const [top = 0, left = 0, bottom = 0, right = 0] = (attributes.pads ?? []) as number[];
  const pads: Pads = [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ];
  return (x) => {
    const made = convolve(toNhwc(x), filter, strides as Pair, pads, 'NHWC', dilations as Pair);
    return image(bias ? tf.add(made, bias) : made);
  };
};

/** Supports no padding. */
const maxPool: Operation = ({ attributes }) => {
  const { kernel_shape: size, strides = [1, 1], pads = [], dilations = [] } = attributes;
  const { auto_pad = 'NOTSET', ceil_mode = 0 } = attributes;
  const isDense = (dilations as number[]).every((dilation) => dilation === 1);
  const isPadded = auto_pad !== 'NOTSET' || (pads as number[]).some((pad) => pad > 0);
  if (isPadded || !isDense || ceil_mode !== 0) return undefined;
  return (x) => image(tf.maxPool(toNhwc(x), size as Pair, strides as Pair, 'valid'));
};

/** Both find the pixel that a whole factor repeats. */
const repeating = ['asymmetric floor', 'half_pixel round_prefer_floor'];

/** Repeats each row and column a whole number of times. */
const resize: Operation = ({ inputs, attributes }, constants) => {
  const {
    mode = 'nearest',
    coordinate_transformation_mode: places = 'half_pixel',
    nearest_mode: rounding = 'round_prefer_floor',
  } = attributes;
  const [batch, channels, ...factors] = constants.floats(inputs[2])?.dataSync() ?? [];
  if (mode !== 'nearest' || !repeating.includes(`${places} ${rounding}`)) return undefined;
  if (batch !== 1 || channels !== 1 || !factors.every(Number.isInteger)) return undefined;
  const [rows, columns] = factors as Pair;
  return (x) => {
    const whole = toNhwc(x);
    const [, height, width] = whole.shape;
    return image(tf.image.resizeNearestNeighbor(whole, [height * rows, width * columns]));
  };
};

const transpose: Operation = ({ attributes: { perm } }) => {
  if (!Array.isArray(perm)) return undefined;
  return ({ tensor, isNhwc }) => {
    const axes = (perm as number[]).map((axis) => (isNhwc ? (nchwFromNhwc[axis] as number) : axis));
    // Nothing moves if the tensor already is the result in TFJS's layout.
    const isStill = axes.length === 4 && nhwcFromNchw.every((axis, i) => axes[axis] === i);
    return isStill ? image(tf.clone(tensor)) : inFileOrder(tf.transpose(tensor, axes));
  };
};

/** Selects by a constant list, such as channels in another order. */
const gather: Operation = ({ inputs, attributes: { axis = 0 } }, constants) => {
  const indices = constants.integers(inputs[1]);
  if (!indices || Number(axis) < 0) return undefined;
  return ({ tensor, isNhwc }) => {
    const at = isNhwc ? nchwFromNhwc[Number(axis)] : Number(axis);
    return { isNhwc, tensor: tf.gather(tensor, tf.tensor1d(indices, 'int32'), at) };
  };
};

const reshape: Operation = ({ inputs, attributes }, constants) => {
  const sizes = constants.integers(inputs[1]);
  if (!sizes || attributes.allowzero) return undefined;
  return (x) => {
    const tensor = toFileOrder(x);
    // Zero keeps a size.
    const shape = sizes.map((size, axis) => (size === 0 ? (tensor.shape[axis] as number) : size));
    return inFileOrder(tf.reshape(tensor, shape));
  };
};

const flatten: Operation = ({ attributes: { axis = 1 } }) => {
  if (axis !== 1) return undefined;
  return (x) => {
    const tensor = toFileOrder(x);
    return inFileOrder(tf.reshape(tensor, [tensor.shape[0] as number, -1]));
  };
};

const isOne = (factor: OnnxAttribute = { float: 1 }) =>
  typeof factor === 'object' && 'float' in factor && factor.float === 1;

const fullyConnected: Operation = ({ inputs, attributes }, constants) => {
  const weights = constants.keep(constants.floats(inputs[1]));
  const bias = constants.keep(constants.floats(inputs[2]));
  const { alpha, beta, transA = 0, transB = 0 } = attributes;
  if (!weights || (inputs[2] && !bias) || transA !== 0 || ![alpha, beta].every(isOne)) return undefined;
  return ({ tensor }) => {
    const product = tf.matMul(tensor, weights, false, transB !== 0);
    return inFileOrder(bias ? tf.add(product, bias) : product);
  };
};

export const operations: Readonly<Record<string, Operation>> = {
  Add: binary(tf.add),
  Sub: binary(tf.sub),
  Mul: binary(tf.mul),
  Div: binary(tf.div),
  Relu: unary(tf.relu),
  Sigmoid: unary(tf.sigmoid),
  Identity: unary(tf.clone),
  Dropout: unary(tf.clone),
  Cast: ({ attributes: { to } }) =>
    to === elementTypes.float
      ? ({ tensor, isNhwc }) => ({ isNhwc, tensor: tf.cast(tensor, 'float32') })
      : undefined,
  Conv: convolution,
  MaxPool: maxPool,
  Resize: resize,
  Transpose: transpose,
  Gather: gather,
  Reshape: reshape,
  Flatten: flatten,
  Gemm: fullyConnected,
};
