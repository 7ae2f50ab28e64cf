import * as tf from '@tensorflow/tfjs';
import { prepareTfjs } from './original';
import { repairPrelu } from './repair-prelu';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const float = { T: { type: 'DT_FLOAT' } };

/**
 * y = PReLU(depthwise convolution of x), as an export writes it and a converter breaks it: `fused` has the Relu inside the
 * convolution.
 */
function broken({ fused = true } = {}): tf.io.ModelArtifacts {
  const list = { list: { s: ['BiasAdd', ...(fused ? ['Relu'] : [])].map(base64) } };
  const constant = (name: string) => ({ name, op: 'Const', attr: { dtype: { type: 'DT_FLOAT' } } });
  const node = [
    { name: 'x', op: 'Placeholder', attr: { dtype: { type: 'DT_FLOAT' } } },
    ...['filter', 'bias', 'c'].map(constant),
    {
      name: 'conv',
      op: 'FusedDepthwiseConv2dNative',
      input: ['x', 'filter', 'bias'],
      attr: {
        ...float,
        strides: { list: { i: ['1', '1', '1', '1'] } },
        dilations: { list: { i: ['1', '1', '1', '1'] } },
        padding: { s: base64('SAME') },
        data_format: { s: base64('NHWC') },
        fused_ops: list,
        num_args: { i: '1' },
      },
    },
    ...(fused ? [] : [{ name: 'relu', op: 'Relu', input: ['conv'], attr: float }]),
    { name: 'abs', op: 'Abs', input: ['conv'], attr: float },
    { name: 'sub', op: 'Sub', input: ['conv', 'abs'], attr: float },
    { name: 'mul', op: 'Mul', input: ['sub', 'c'], attr: float },
    { name: 'y', op: 'Add', input: [fused ? 'conv' : 'relu', 'mul'], attr: float },
  ];
  const weights = { filter: [1, 1], bias: [0, 0], c: [-0.125, -0.5] };
  return {
    format: 'graph-model',
    modelTopology: { node, versions: {} },
    weightSpecs: [
      { name: 'filter', shape: [1, 1, 2, 1], dtype: 'float32' },
      { name: 'bias', shape: [2], dtype: 'float32' },
      { name: 'c', shape: [2], dtype: 'float32' },
    ],
    weightData: Float32Array.from(Object.values(weights).flat()).buffer,
  };
}

async function run(artifacts: tf.io.ModelArtifacts): Promise<number[]> {
  const model = await tf.loadGraphModel(tf.io.fromMemory(artifacts));
  const y = model.execute(tf.tensor4d([-8, -8, 4, 4], [1, 1, 2, 2]), 'y') as tf.Tensor;
  return [...y.dataSync()];
}

beforeAll(() => prepareTfjs());

test.each([true, false])('restores the slopes of negative values; Relu fused: %s', async (fused) => {
  const artifacts = broken({ fused });
  repairPrelu(artifacts, { kind: 'prelu', slope: -2 });
  // The slopes are 0.25 and 1.
  expect(await run(artifacts)).toEqual([-2, -8, 4, 4]);
});

test('the graph as published clips negative values', async () => {
  expect(await run(broken())).toEqual([0, 0, 4, 4]);
});

test('refuses a graph without such a group', () => {
  const artifacts = broken();
  const { node } = artifacts.modelTopology as { node: { name: string }[] };
  artifacts.modelTopology = { node: node.filter(({ name }) => name !== 'abs') };
  expect(() => repairPrelu(artifacts, { kind: 'prelu', slope: 2 })).toThrow('no PReLU to repair');
});
