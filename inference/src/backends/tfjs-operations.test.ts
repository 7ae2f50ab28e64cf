import * as tf from '@tensorflow/tfjs';
import { onnxNode, onnxTensor, runOnnx, wave } from '../../test/run-onnx';
import { difference } from '../compiler/verify';
import { encodeOnnx, type OnnxModel, type OnnxNode } from '../onnx-format/onnx-file';
import { prepareTfjs } from '../originals/original';
import { TfjsGraph } from './tfjs-graph';

beforeAll(() => prepareTfjs());

const model = (...nodes: readonly OnnxNode[]): OnnxModel => ({
  name: 'operations',
  inputs: [{ name: 'x', type: 'float', dims: ['N', 4, 6, 8] }],
  outputs: [{ name: 'y', type: 'float' }],
  nodes,
  initializers: [
    onnxTensor('w3', [6, 4, 3, 3], wave(216)),
    onnxTensor('w1', [6, 4, 1, 1], wave(24)),
    onnxTensor('depthwise', [8, 1, 3, 3], wave(72)),
    onnxTensor('half', [4, 2, 3, 3], wave(72)),
    onnxTensor('bias', [6], wave(6, 1)),
    onnxTensor('channels', [4, 1, 1], wave(4, 2)),
    onnxTensor('dense', [192, 5], wave(960)),
    onnxTensor('transposed', [5, 192], wave(960)),
    onnxTensor('offsets', [5], wave(5)),
    onnxTensor('twice', [4], Float32Array.of(1, 1, 2, 2)),
    onnxTensor('halved', [4], Float32Array.of(1, 1, 0.5, 0.5)),
    onnxTensor('cells', [3], BigInt64Array.of(0n, -1n, 4n)),
    onnxTensor('order', [4], BigInt64Array.of(2n, 0n, 1n, 3n)),
    onnxTensor('first', [], BigInt64Array.of(0n)),
  ],
  metadata: {},
});

const dims = [2, 4, 6, 8] as const;
const x = wave(384);

function runTfjs(graph: OnnxModel): Float32Array {
  const loaded = TfjsGraph.load(encodeOnnx(graph), 'operations');
  return tf.tidy(() => {
    const { y } = loaded.forward(tf.tensor4d(x, [...dims]));
    return y?.dataSync() as Float32Array;
  });
}

/** An image in TFJS's layout, so that what follows starts from it. */
const convolved = onnxNode('Conv', ['x', 'depthwise'], 'c', { group: 4, pads: [1, 1, 1, 1] });
const pool = { kernel_shape: [2, 2], strides: [2, 2] };
const repeated = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };

test.each<[string, ...OnnxNode[]]>([
  ['a convolution', onnxNode('Conv', ['x', 'w3', 'bias'], 'y', { pads: [1, 1, 1, 1] })],
  ['one without padding', onnxNode('Conv', ['x', 'w1'], 'y', { kernel_shape: [1, 1] })],
  [
    'one with a stride and uneven padding',
    onnxNode('Conv', ['x', 'w3'], 'y', { strides: [2, 2], pads: [0, 1, 1, 0] }),
  ],
  ['one with a dilation', onnxNode('Conv', ['x', 'w3'], 'y', { dilations: [2, 2], pads: [2, 2, 2, 2] })],
  ['a depthwise convolution with two outputs per channel', { ...convolved, outputs: ['y'] }],
  [
    'a depthwise convolution with a stride',
    onnxNode('Conv', ['x', 'depthwise'], 'y', { group: 4, strides: [2, 2], pads: [1, 1, 1, 1] }),
  ],
  [
    'arithmetic with a constant per channel',
    onnxNode('MaxPool', ['x'], 'p', pool),
    onnxNode('Sub', ['p', 'channels'], 's'),
    onnxNode('Mul', ['s', 'p'], 'm'),
    onnxNode('Relu', ['m'], 'y'),
  ],
  [
    'a constant on either side',
    onnxNode('Sub', ['channels', 'x'], 's'),
    onnxNode('Div', ['s', 'channels'], 'd'),
    onnxNode('Conv', ['d', 'w1'], 'y'),
  ],
  [
    'a sum of values in both layouts',
    onnxNode('Conv', ['x', 'depthwise'], 'c', { group: 4, pads: [1, 1, 1, 1] }),
    onnxNode('Gather', ['c', 'order'], 'g', { axis: 1 }),
    onnxNode('Mul', ['x', 'channels'], 'm'),
    onnxNode('Add', ['m', 'g'], 'y'),
  ],
  ['nearest resizing', convolved, onnxNode('Resize', ['c', '', 'twice'], 'y', repeated)],
  ['nearest resizing from pixel centers', onnxNode('Resize', ['x', '', 'twice'], 'y', { mode: 'nearest' })],
  ['channels in another order', onnxNode('Gather', ['x', 'order'], 'y', { axis: 1 })],
  [
    'an image as rows',
    convolved,
    onnxNode('Transpose', ['c'], 't', { perm: [0, 2, 3, 1] }),
    onnxNode('Reshape', ['t', 'cells'], 'r'),
    onnxNode('Sigmoid', ['r'], 'y'),
  ],
  [
    'a transposition to images and back',
    onnxNode('Transpose', ['x'], 't', { perm: [0, 3, 1, 2] }),
    onnxNode('Transpose', ['t'], 'y', { perm: [0, 3, 2, 1] }),
  ],
  [
    'a fully connected layer',
    onnxNode('Flatten', ['x'], 'f'),
    onnxNode('Gemm', ['f', 'dense', 'offsets'], 'y'),
  ],
  [
    'a fully connected layer on a convolution',
    onnxNode('Conv', ['x', 'depthwise'], 'c', { group: 4, strides: [2, 1], pads: [1, 1, 1, 1] }),
    onnxNode('Dropout', ['c'], 'd'),
    onnxNode('Flatten', ['d'], 'f'),
    onnxNode('Gemm', ['f', 'transposed', 'offsets'], 'y', { transB: 1 }),
  ],
])('%s equals ONNX Runtime', async (_, ...nodes) => {
  const graph = model(...nodes);
  const made = runTfjs(graph);
  expect(difference(await runOnnx(graph, x, dims), made)).toBeLessThan(1e-6);
});

test.each<[string, string, OnnxNode]>([
  ['an unknown operation', 'Softmax', onnxNode('Softmax', ['x'], 'y')],
  ['a convolution in two groups', 'Conv', onnxNode('Conv', ['x', 'half'], 'y', { group: 2 })],
  ['a convolution with weights that are computed', 'Conv', onnxNode('Conv', ['x', 'x'], 'y')],
  ['a padded pool', 'MaxPool', onnxNode('MaxPool', ['x'], 'y', { ...pool, pads: [0, 0, 1, 1] })],
  ['a linear resize', 'Resize', onnxNode('Resize', ['x', '', 'twice'], 'y', { mode: 'linear' })],
  ['a resize to half', 'Resize', onnxNode('Resize', ['x', '', 'halved'], 'y', repeated)],
  ['a selection that drops an axis', 'Gather', onnxNode('Gather', ['x', 'first'], 'y', { axis: 1 })],
  ['a conversion to integers', 'Cast', onnxNode('Cast', ['x'], 'y', { to: 6 })],
  ['a factor of a product', 'Gemm', onnxNode('Gemm', ['x', 'dense'], 'y', { alpha: { float: 2 } })],
])('%s is refused by the name of the operation', (_, operation, node) => {
  expect(() => TfjsGraph.load(encodeOnnx(model(node)), 'own')).toThrow(
    `The model own has an operation ${operation} that INFERENCE_BACKEND=tfjs does not run; choose another in INFERENCE_MODELS or set INFERENCE_BACKEND=onnx`,
  );
});

test('keeps nothing of a pass in memory, and nothing at all once it is closed', () => {
  const before = tf.memory().numTensors;
  const graph = TfjsGraph.load(
    encodeOnnx(model(onnxNode('Conv', ['x', 'w1', 'bias'], 'c'), onnxNode('Relu', ['c'], 'y'))),
    'operations',
  );
  const loaded = tf.memory().numTensors;
  const input = tf.tensor4d(x, [...dims]);
  const { y } = graph.forward(input);
  expect(tf.memory().numTensors).toBe(loaded + 2);
  tf.dispose([input, y as tf.Tensor]);
  graph.dispose();
  expect(tf.memory().numTensors).toBe(before);
});
