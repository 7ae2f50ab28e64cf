import sharp from 'sharp';
import { photo } from '../../test/photos';
import { loadModel } from '../../test/pipeline-models';
import { product } from '../backends/backend';
import { type ModelManifest, readCatalogue } from '../catalogue/manifest';
import type { OnnxNode, OnnxTensor } from '../onnx-format/onnx-file';
import type { NodesAndConstants } from './fold';
import { quantize, quantizedValues } from './quantize';

let catalogue: ModelManifest[];

beforeAll(async () => {
  catalogue = await readCatalogue();
});

const node = (op: string, inputs: string[], output: string): OnnxNode => ({
  op,
  inputs,
  outputs: [output],
  attributes: {},
});
const weights = (name: string, ...dims: number[]): OnnxTensor => ({
  name,
  type: 'float',
  dims,
  data: new Uint8Array(Float32Array.from({ length: product(dims) }, (_, i) => i - 1.5).buffer),
});

/** Two convolutions in a row, the first with an activation; the second gives the output. */
const chain: NodesAndConstants = {
  nodes: [
    node('Cast', ['pixels'], 'x'),
    node('Conv', ['x', 'w1', 'b1'], 'c1'),
    node('Relu', ['c1'], 'r1'),
    node('MaxPool', ['r1'], 'p1'),
    node('Conv', ['p1', 'w2'], 'c2'),
    node('Reshape', ['c2', 'shape'], 'output'),
  ],
  initializers: [weights('w1', 2, 1, 1, 1), weights('b1', 2), weights('w2', 1, 2, 1, 1)],
};
const ranges = [
  [-1, 3],
  [0, 4],
  [0, 4],
] as const;

test('converts inputs and activated outputs of inner operations, not the outputs of the model', () => {
  expect(quantizedValues(chain)).toEqual(['x', 'r1', 'p1']);
  const { nodes } = quantize(chain, { source: 'test', ranges });
  const convolutions = nodes.filter(({ op }) => op === 'Conv');
  expect(convolutions[0]?.inputs).toEqual([
    'x_dequantized',
    'c1_weights_int8_dequantized',
    'c1_bias_int32_dequantized',
  ]);
  expect(convolutions[1]?.inputs).toEqual(['p1_dequantized', 'w2']);
});

test('scales: bytes span the range with zero on a byte, weights the largest value per channel, sums both', () => {
  const { initializers } = quantize(chain, { source: 'test', ranges });
  const data = (name: string) => initializers.find((tensor) => tensor.name === name)?.data as Uint8Array;
  const floats = (name: string) => [...new Float32Array(data(name).slice().buffer)];
  expect(floats('x_scale')[0]).toBeCloseTo(4 / 255, 6);
  expect([...data('x_zero')]).toEqual([64]);
  expect([...data('r1_zero')]).toEqual([0]);
  expect([...new Int8Array(data('c1_weights_int8').slice().buffer)]).toEqual([-127, -127]);
  expect(floats('c1_weights_scales')[0]).toBeCloseTo(1.5 / 127, 6);
  const sums = floats('c1_bias_scales');
  expect(sums[1]).toBeCloseTo((0.5 / 127) * (4 / 255), 8);
  expect(new Int32Array(data('c1_bias_int32').slice().buffer)[1]).toBe(
    Math.round(-0.5 / (sums[1] as number)),
  );
});

describe('with selected operations', () => {
  const layers: NodesAndConstants = {
    nodes: [
      node('Conv', ['x', 'w1', 'b1'], 'c1'),
      node('Relu', ['c1'], 'r1'),
      node('Conv', ['r1', 'w2'], 'c2'),
      node('Add', ['c2', 'c2'], 'sum'),
      node('Flatten', ['sum'], 'flat'),
      { ...node('Gemm', ['flat', 'w3', 'b3'], 'output'), attributes: { transB: 1 } },
    ],
    initializers: [...chain.initializers, weights('w3', 3, 4), weights('b3', 3)],
  };

  test('only these become bytes, each from the value before it to its own', () => {
    const operations = ['c2', 'output'];
    expect(quantizedValues(layers, operations)).toEqual(['r1', 'c2', 'flat']);
    const { nodes } = quantize(layers, { source: 'test', operations, ranges });
    const inputsOf = (output: string) => nodes.find(({ outputs }) => outputs[0] === output)?.inputs;
    expect(inputsOf('c1')).toEqual(['x', 'w1', 'b1']);
    expect(inputsOf('c2')).toEqual(['r1_dequantized', 'c2_weights_int8_dequantized']);
    expect(inputsOf('sum')).toEqual(['c2_dequantized', 'c2_dequantized']);
    expect(inputsOf('output')).toEqual([
      'flat_dequantized',
      'output_weights_int8_dequantized',
      'output_bias_int32_dequantized',
    ]);
  });

  test.each(['c3', 'sum'])('%s, which has no weights, is refused', (name) => {
    expect(() => quantizedValues(layers, [name])).toThrow(
      `quantization names the operation "${name}", which has no constant weights`,
    );
  });
});

test('a manifest for another graph is refused', () => {
  expect(() => quantize(chain, { source: 'test', ranges: ranges.slice(1) })).toThrow(
    'needs 3 ranges, the manifest has 2',
  );
});

/** Heads of a photograph of four, as rough chips. */
async function chips({ input }: ModelManifest): Promise<Uint8Array[]> {
  const { width, height } = await sharp(photo(4)).metadata();
  return Promise.all(
    [0.33, 0.12, 0.55, 0.74].map((left) =>
      sharp(photo(4))
        .extract({ left: Math.round(left * width), top: 0, width: 300, height: Math.min(300, height) })
        .resize(input.width, input.height)
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test.each([
  ['face-recognition', 'embedding', 0.998],
  ['sface', 'embedding', 0.99],
])('%s gives nearly the same results in bytes as in floats', async (id, output, least) => {
  const manifest = catalogue.find((candidate) => candidate.id === id) as ModelManifest;
  const pixels = await chips(manifest);
  const exact = await loadModel(id);
  const bytes = await loadModel(id, 'int8');
  const results = await Promise.all(
    [exact, bytes].map((model) => model.run(Buffer.concat(pixels), pixels.length)),
  );
  await exact.close();
  await bytes.close();
  const [a, b] = results.map((result) => result[output] as Float32Array) as [Float32Array, Float32Array];
  const length = a.length / pixels.length;
  for (let i = 0; i < pixels.length; i++) {
    const part = (all: Float32Array) => all.subarray(i * length, (i + 1) * length);
    expect(cosine(part(a), part(b))).toBeGreaterThan(least);
    // The two outputs must differ.
    expect(part(a)).not.toEqual(part(b));
  }
});
