import { expectClose, onnxNode, onnxTensor, runOnnx, wave } from '../../test/run-onnx';
import type { OnnxModel } from '../onnx-format/onnx-file';
import { dequantizeWeights } from './dequantize';
import { floatsOf } from './fold';

const integers = (length: number) => Int8Array.from({ length }, (_, i) => ((i * 37) % 256) - 128);

interface Case {
  readonly dims: readonly number[];
  readonly scales: readonly number[];
  readonly attributes: Record<string, number>;
  /** Index of the scale of an element. */
  readonly scaleOf: (element: number) => number;
}

/** The weights of 12 integers in two rows, with zero points. */
function graphOf({ dims, scales, attributes }: Case) {
  const count = scales.reduce((a, b) => a * b, 1);
  return {
    nodes: [
      onnxNode('DequantizeLinear', ['q', 's', 'z'], 'w', attributes),
      onnxNode('Conv', ['x', 'w'], 'y'),
    ],
    initializers: [
      onnxTensor('q', dims, integers(12)),
      onnxTensor(
        's',
        scales,
        Float32Array.from({ length: count }, (_, i) => 0.01 * (i + 1)),
      ),
      onnxTensor(
        'z',
        scales,
        Int8Array.from({ length: count }, (_, i) => 5 * i - 3),
      ),
    ],
  };
}

test.each<[string, Case]>([
  [
    'for each block of a row',
    {
      dims: [2, 6],
      scales: [2, 3],
      attributes: { axis: 1, block_size: 2 },
      scaleOf: (i) => Math.floor(i / 2),
    },
  ],
  [
    'for each block of a row whose last one is shorter',
    {
      dims: [2, 6],
      scales: [2, 2],
      attributes: { axis: 1, block_size: 4 },
      scaleOf: (i) => 2 * Math.floor(i / 6) + Math.floor((i % 6) / 4),
    },
  ],
  [
    'for each block of a list',
    { dims: [12], scales: [3], attributes: { axis: 0, block_size: 4 }, scaleOf: (i) => Math.floor(i / 4) },
  ],
  [
    'for each block of rows',
    {
      dims: [4, 3],
      scales: [2, 3],
      attributes: { axis: 0, block_size: 2 },
      scaleOf: (i) => 3 * Math.floor(i / 6) + (i % 3),
    },
  ],
  [
    'for each row',
    { dims: [2, 6], scales: [2], attributes: { axis: -2 }, scaleOf: (i) => Math.floor(i / 6) },
  ],
  [
    'for all, in spite of a block size',
    { dims: [12], scales: [1], attributes: { axis: 0, block_size: 64 }, scaleOf: () => 0 },
  ],
])('multiplies the distance from the zero point by the scale %s', (_, example) => {
  const { nodes, initializers } = dequantizeWeights(graphOf(example));
  expect(nodes.map(({ op }) => op)).toEqual(['Conv']);
  const [weights] = initializers;
  expect(weights).toMatchObject({ name: 'w', type: 'float', dims: example.dims });
  const expected = Float32Array.from(integers(12), (q, i) => {
    const scale = example.scaleOf(i);
    return 0.01 * (scale + 1) * (q - (5 * scale - 3));
  });
  expectClose(floatsOf(weights as never), expected);
});

test('gives the weights that ONNX Runtime computes, in the shape of a convolution', async () => {
  const model: OnnxModel = {
    name: 'blocks',
    opset: 21,
    inputs: [{ name: 'x', type: 'float', dims: ['N', 3, 2, 2] }],
    outputs: [{ name: 'y', type: 'float' }],
    nodes: [
      onnxNode('DequantizeLinear', ['q', 's', 'z'], 'rows', { axis: 1, block_size: 4 }),
      onnxNode('Reshape', ['rows', 'shape'], 'w'),
      onnxNode('Conv', ['x', 'w'], 'y'),
    ],
    initializers: [
      onnxTensor('q', [4, 12], integers(48)),
      onnxTensor(
        's',
        [4, 3],
        wave(12).map((value) => value / 100),
      ),
      onnxTensor('z', [4, 3], integers(12)),
      onnxTensor('shape', [4], BigInt64Array.of(0n, 3n, -1n, 2n)),
    ],
    metadata: {},
  };
  const plain = { ...model, ...dequantizeWeights(model) };
  expect(plain.nodes.map(({ op }) => op)).toEqual(['Conv']);
  expect(plain.initializers).toMatchObject([{ name: 'w', dims: [4, 3, 2, 2] }]);
  const x = wave(12);
  expectClose(await runOnnx(plain, x, [1, 3, 2, 2]), await runOnnx(model, x, [1, 3, 2, 2]));
});

const example: Case = { dims: [12], scales: [1], attributes: { axis: 0 }, scaleOf: () => 0 };

test('weights without zero points are centered at zero', () => {
  const { nodes, initializers } = graphOf(example);
  const [dequantize, convolution] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const graph = { nodes: [{ ...dequantize, inputs: ['q', 's'] }, convolution], initializers };
  const [weights] = dequantizeWeights(graph).initializers;
  expectClose(
    floatsOf(weights as never),
    Float32Array.from(integers(12), (q) => 0.01 * q),
  );
});

test('a graph that computes in integers stays as it is', () => {
  const graph = graphOf(example);
  const quantized = { ...graph, nodes: [onnxNode('QuantizeLinear', ['x', 's', 'z'], 'qx'), ...graph.nodes] };
  expect(dequantizeWeights(quantized)).toBe(quantized);
});

test('a graph without integers stays as it is', () => {
  const graph = { nodes: [onnxNode('Relu', ['x'], 'y')], initializers: [] };
  expect(dequantizeWeights(graph)).toBe(graph);
});

test('scales that do not fit their weights are refused', () => {
  const graph = graphOf({ ...example, dims: [2, 6], scales: [2, 2], attributes: { axis: 1, block_size: 2 } });
  expect(() => dequantizeWeights(graph)).toThrow('the scales of "q" have the shape [2,2], not [2,3]');
});
