import type { OnnxNode } from '../onnx-format/onnx-file';
import type { ReadModel } from '../onnx-format/read-onnx';
import { isJoinable } from './joinable';

const node = (op: string, attributes: OnnxNode['attributes'] = {}): OnnxNode => ({
  op,
  inputs: ['a'],
  outputs: ['b'],
  attributes,
});

const graph = (changes: Partial<ReadModel>): ReadModel => ({
  name: '',
  opset: 21,
  inputs: [{ name: 'pixels', type: 'uint8', dims: ['N', 8, 8, 3] }],
  outputs: [],
  nodes: [node('Conv'), node('Resize', { mode: 'nearest' })],
  initializers: [],
  metadata: {},
  ...changes,
});

test('a graph for any batch whose operators have not changed can be part of a larger graph', () => {
  expect(isJoinable(graph({}))).toBe(true);
  expect(isJoinable(graph({ opset: 17, nodes: [node('ReduceMean', { axes: [1] })] }))).toBe(true);
});

test.each<[string, Partial<ReadModel>]>([
  ['a fixed batch', { inputs: [{ name: 'pixels', type: 'uint8', dims: [1, 8, 8, 3] }] }],
  ['an operator that a later version changed', { nodes: [node('ReduceMean', { axes: [1] })] }],
  ['an attribute that a later version added', { nodes: [node('Resize', { antialias: 1 })] }],
  ['operators of an old version', { opset: 11 }],
])('a graph with %s cannot be part of a larger graph', (_, changes) => {
  expect(isJoinable(graph(changes))).toBe(false);
});
