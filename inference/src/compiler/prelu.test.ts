import { expectClose, onnxNode, onnxTensor, runOnnx, wave } from '../../test/run-onnx';
import type { OnnxModel, OnnxNode } from '../onnx-format/onnx-file';
import { splitPrelus } from './prelu';

/** Negative, ordinary and above one, as trained slopes are. */
const slopes = Float32Array.of(-0.6, 0.25, 1.2);

const model = (slopeDims: readonly number[], ...rest: readonly OnnxNode[]): OnnxModel => ({
  name: 'prelu',
  inputs: [{ name: 'x', type: 'float', dims: ['N', 2, 3, 3] }],
  outputs: [{ name: 'y', type: 'float' }],
  nodes: [
    onnxNode('Conv', ['x', 'w'], 'c'),
    onnxNode('PRelu', ['c', 'a'], rest.length > 0 ? 'p' : 'y'),
    ...rest,
  ],
  initializers: [
    onnxTensor('w', [3, 2, 2, 2], wave(24)),
    onnxTensor('a', slopeDims, slopes.slice(0, slopeDims.includes(3) ? 3 : 1)),
    ...['scale', 'offset', 'mean'].map((name, i) => onnxTensor(name, [3], wave(3, i))),
    onnxTensor('variance', [3], Float32Array.of(0.5, 1, 2)),
  ],
  metadata: {},
});
const normalization = onnxNode('BatchNormalization', ['p', 'scale', 'offset', 'mean', 'variance'], 'y');
const split = (graph: OnnxModel): OnnxModel => ({ ...graph, ...splitPrelus(graph, ['y']) });
const x = wave(36);
const run = (graph: OnnxModel) => runOnnx(graph, x, [2, 2, 3, 3]);

test.each([[[3, 1, 1]], [[1, 3, 1, 1]]])('equals PRelu with slopes of the shape %j', async (dims) => {
  const graph = model(dims);
  const made = split(graph);
  expect(made.nodes.map(({ op }) => op)).toEqual(['Conv', 'Conv', 'Relu', 'Conv', 'Add']);
  expectClose(await run(made), await run(graph));
});

test('includes a normalization that follows', async () => {
  const graph = model([3, 1, 1], normalization);
  const made = split(graph);
  expect(made.nodes.map(({ op }) => op)).toEqual(['Conv', 'Conv', 'Relu', 'Conv', 'Conv', 'Add']);
  expectClose(await run(made), await run(graph));
});

test('keeps a normalization if the value before it is needed, too', async () => {
  const graph = model([3, 1, 1], { ...normalization, outputs: ['n'] }, onnxNode('Add', ['p', 'n'], 'y'));
  const made = split(graph);
  expect(made.nodes.map(({ op }) => op)).toContain('BatchNormalization');
  expectClose(await run(made), await run(graph));
});

test('keeps a PRelu with one slope for all channels, and one after another operation', () => {
  const shared = model([1]);
  expect(split(shared)).toEqual({ ...shared, initializers: shared.initializers.slice(0, 2) });
  const [, prelu] = shared.nodes as [OnnxNode, OnnxNode];
  const other = { ...model([3, 1, 1]), nodes: [onnxNode('Abs', ['x'], 'c'), prelu] };
  expect(split(other).nodes).toEqual(other.nodes);
});
