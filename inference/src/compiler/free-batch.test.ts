import { onnxNode, onnxTensor, runOnnx, wave } from '../../test/run-onnx';
import type { OnnxModel, OnnxNode } from '../onnx-format/onnx-file';
import { freeBatch } from './free-batch';

const model = (...nodes: readonly OnnxNode[]): OnnxModel => ({
  name: 'one',
  inputs: [{ name: 'x', type: 'float', dims: [1, 2, 4, 4] }],
  outputs: [{ name: 'y', type: 'float', dims: [1, 8, 2] }],
  nodes,
  initializers: [
    onnxTensor('w', [4, 2, 3, 3], wave(72)),
    onnxTensor('cells', [3], BigInt64Array.of(1n, -1n, 2n)),
    onnxTensor('flat', [2], BigInt64Array.of(-1n, 32n)),
    onnxTensor('twice', [4], Float32Array.of(1, 1, 2, 2)),
  ],
  metadata: {},
});
const free = (graph: OnnxModel) => freeBatch(graph, graph.inputs[0] as never);

test('a detector for one image takes two, with the results of each', async () => {
  const graph = model(
    onnxNode('Conv', ['x', 'w'], 'c', { pads: [1, 1, 1, 1] }),
    onnxNode('MaxPool', ['c'], 'small', { kernel_shape: [2, 2], strides: [2, 2] }),
    onnxNode('Resize', ['small', '', 'twice'], 'large', { mode: 'nearest' }),
    onnxNode('Add', ['c', 'large'], 'sum'),
    onnxNode('Transpose', ['sum'], 'rows', { perm: [0, 2, 3, 1] }),
    onnxNode('Reshape', ['rows', 'cells'], 'out'),
    onnxNode('Sigmoid', ['out'], 'y'),
  );
  const freed = free(graph) as OnnxModel;
  expect(freed.inputs[0]?.dims).toEqual(['N', 2, 4, 4]);
  expect(freed.outputs[0]?.dims).toEqual(['N', 8, 2]);
  const x = wave(64);
  const both = await runOnnx(freed, x, [2, 2, 4, 4]);
  for (const i of [0, 1]) {
    const alone = await runOnnx(graph, x.slice(32 * i, 32 * (i + 1)), [1, 2, 4, 4]);
    expect(both.subarray(i * alone.length, (i + 1) * alone.length)).toEqual(alone);
  }
});

test.each<[string, OnnxNode]>([
  ['a mean that might cover the batch', onnxNode('ReduceMean', ['x'], 'y')],
  ['a shape that merges the batch', onnxNode('Reshape', ['x', 'flat'], 'y')],
  ['a transpose of the batch', onnxNode('Transpose', ['x'], 'y', { perm: [1, 0, 2, 3] })],
  ['a concatenation with a constant', onnxNode('Concat', ['x', 'w'], 'y', { axis: 1 })],
  ['a concatenation of images', onnxNode('Concat', ['x', 'x'], 'y', { axis: 0 })],
  ['an unknown operation', onnxNode('NonMaxSuppression', ['x'], 'y')],
])('the batch stays one with %s', (_, node) => {
  expect(free(model(node))).toBeUndefined();
});

test('a batch of two stays two', () => {
  const graph = model(onnxNode('Relu', ['x'], 'y'));
  expect(freeBatch(graph, { name: 'x', type: 'float', dims: [2, 2, 4, 4] })).toBeUndefined();
});
