import { onnxNode, onnxTensor } from '../../test/run-onnx';
import { encodeOnnx, type OnnxModel } from './onnx-file';
import { bytesField, fieldsOf } from './protobuf-fields';
import { readOnnx } from './read-onnx';

const model: OnnxModel = {
  name: 'graph',
  opset: 21,
  inputs: [
    { name: 'x', type: 'float', dims: ['N', 3] },
    { name: 'any', type: 'int64' },
  ],
  outputs: [{ name: 'y', type: 'float', dims: [1, 3] }],
  nodes: [
    onnxNode('Custom', ['x', 'w'], 'y', {
      axis: -1,
      mode: 'linear',
      alpha: { float: 0.5 },
      pads: [0, 1, -1],
      scales: { floats: [1.5, 2] },
      value: { tensor: onnxTensor('inner', [2], BigInt64Array.of(-1n, 2n ** 62n)) },
    }),
  ],
  initializers: [onnxTensor('w', [1, 3], Float32Array.of(1, -2, 3))],
  metadata: { license: 'MIT' },
};

test('reads what was written', () => {
  expect(readOnnx(encodeOnnx(model))).toEqual(model);
});

/** A model of one initializer, given by the fields of its TensorProto. */
const withTensor = (...fields: readonly Uint8Array[]) =>
  readOnnx(Buffer.concat(bytesField(7, bytesField(5, fields))));

test('reads weights that are lists of numbers', () => {
  const type = (id: number) => Buffer.of(0x10, id);
  const floats = Buffer.from(Float32Array.of(1.5, -2).buffer);
  expect(withTensor(type(1), ...bytesField(4, [floats]))?.initializers[0]).toMatchObject({
    type: 'float',
    data: new Uint8Array(floats),
  });
  // The varints of 1 and of -1, which has ten bytes.
  const integers = Buffer.of(1, ...Array<number>(9).fill(0xff), 1);
  expect(withTensor(type(7), ...bytesField(7, [integers]))?.initializers[0]?.data).toEqual(
    new Uint8Array(BigInt64Array.of(1n, -1n).buffer),
  );
  expect(withTensor(type(3), ...bytesField(5, [integers]))?.initializers[0]?.data).toEqual(
    Uint8Array.of(1, 255),
  );
});

test('turns constant nodes into weights', () => {
  const value = onnxTensor('', [1], Float32Array.of(7));
  const constant = onnxNode('Constant', [], 'seven', { value: { tensor: value } });
  const read = readOnnx(encodeOnnx({ ...model, nodes: [constant, ...model.nodes] }));
  expect(read?.nodes).toEqual(model.nodes);
  expect(read?.initializers.at(-1)).toEqual({ ...value, name: 'seven' });
});

/** The file with fields added to its graph. */
const withGraphFields = (...fields: readonly Uint8Array[]) =>
  Buffer.concat(
    fieldsOf(encodeOnnx(model)).flatMap(({ id, raw, bytes }) =>
      id === 7 ? bytesField(7, [bytes, ...fields]) : [raw],
    ),
  );
const text = (id: number, value: string) => Buffer.concat(bytesField(id, [Buffer.from(value)]));

test.each<[string, Uint8Array]>([
  ['bytes that are no model', Buffer.from('<!DOCTYPE html>')],
  ['no bytes', new Uint8Array()],
  ['a function', Buffer.concat([encodeOnnx(model), ...bytesField(25, [text(1, 'function')])])],
  [
    'an operator of another domain',
    withGraphFields(...bytesField(1, [text(4, 'Gelu'), text(7, 'com.example')])),
  ],
  // An attribute of the type GRAPH, 5.
  ['a loop', withGraphFields(...bytesField(1, [text(4, 'Loop'), ...bytesField(5, [Buffer.of(0xa0, 1, 5)])]))],
  ['weights of doubles', withGraphFields(...bytesField(5, [Buffer.of(0x10, 11)]))],
  ['weights in another file', withGraphFields(...bytesField(5, [Buffer.of(0x10, 1, 0x70, 1)]))],
  [
    'an integer that a number would round',
    withGraphFields(
      ...bytesField(1, [
        text(4, 'Slice'),
        // An attribute of the type INT, 2, with the largest 64-bit integer.
        ...bytesField(5, [Buffer.of(0x18, ...Array<number>(8).fill(0xff), 0x7f, 0xa0, 1, 2)]),
      ]),
    ),
  ],
])('does not read %s', (_, file) => {
  expect(readOnnx(file)).toBeUndefined();
});
