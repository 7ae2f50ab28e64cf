import { expectClose, onnxNode, onnxTensor, runOnnx, wave } from '../../test/run-onnx';
import type { OnnxModel, OnnxNode } from '../onnx-format/onnx-file';
import { foldConvolutions } from './fold';

const statistics = ['scale', 'offset', 'mean', 'variance'];
const normalized = (input: string, output: string) =>
  onnxNode('BatchNormalization', [input, ...statistics], output, { epsilon: { float: 1e-3 } });

const model = (nodes: readonly OnnxNode[], changes: Partial<OnnxModel> = {}): OnnxModel => ({
  name: 'fold',
  inputs: [{ name: 'x', type: 'float', dims: ['N', 2, 2, 2] }],
  outputs: [{ name: 'y', type: 'float' }],
  nodes,
  initializers: [
    onnxTensor('w', [3, 2, 2, 2], wave(24)),
    onnxTensor('rows', [3, 8], wave(24, 1)),
    onnxTensor('b', [3], wave(3)),
    ...['scale', 'offset', 'mean'].map((name, i) => onnxTensor(name, [3], wave(3, i))),
    onnxTensor('variance', [3], Float32Array.of(0.5, 1, 2)),
  ],
  metadata: {},
  ...changes,
});

const flat = onnxNode('Flatten', ['x'], 'f', { axis: 1 });
const fullyConnected = (attributes: OnnxNode['attributes']) =>
  onnxNode('Gemm', ['f', 'rows', 'b'], 'c', attributes);

test.each<[string, readonly OnnxNode[]]>([
  ['a convolution', [onnxNode('Conv', ['x', 'w', 'b'], 'c'), normalized('c', 'y')]],
  ['a convolution without bias', [onnxNode('Conv', ['x', 'w'], 'c'), normalized('c', 'y')]],
  ['a fully connected layer', [flat, fullyConnected({ transB: 1 }), normalized('c', 'y')]],
])('a normalization after %s disappears into its weights', async (_, nodes) => {
  const graph = model(nodes);
  const folded = { ...graph, ...foldConvolutions(graph, ['y']) };
  expect(folded.nodes.map(({ op }) => op)).toEqual(nodes.slice(0, -1).map(({ op }) => op));
  const x = wave(16);
  expectClose(await runOnnx(folded, x, [2, 2, 2, 2]), await runOnnx(graph, x, [2, 2, 2, 2]));
});

test.each<[string, readonly OnnxNode[], readonly string[]]>([
  ['the value before it is an output', [onnxNode('Conv', ['x', 'w'], 'c'), normalized('c', 'y')], ['c', 'y']],
  [
    'another operation reads the value before it',
    [onnxNode('Conv', ['x', 'w'], 'c'), normalized('c', 'n'), onnxNode('Add', ['c', 'n'], 'y')],
    ['y'],
  ],
  [
    'a factor scales the layer',
    [flat, fullyConnected({ transB: 1, alpha: { float: 2 } }), normalized('c', 'y')],
    ['y'],
  ],
  ['the weights of the layer are columns', [flat, fullyConnected({}), normalized('c', 'y')], ['y']],
])('a normalization stays if %s', (_, nodes, outputs) => {
  expect(foldConvolutions(model(nodes), outputs).nodes).toEqual(nodes);
});
