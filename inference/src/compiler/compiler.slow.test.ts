// Slow: it compiles every model of the catalogue and runs it beside its original in TFJS.
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import sharp from 'sharp';
import { photo } from '../../test/photos';
import { OnnxBackend } from '../backends/onnx';
import { compiledPath } from '../catalogue/compiled-path';
import {
  catalogueFolder,
  type ModelManifest,
  type PackageManifest,
  readCatalogue,
} from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { encodeOnnx } from '../onnx-format/onnx-file';
import type { Forward } from '../originals/original';
import { loadOriginal, prepareTfjs } from '../originals/original';
import { compileModel, ensureCompiled } from './compile';
import { foldConvolutions } from './fold';
import { lower, UnsupportedKernelError } from './lower';
import { trace } from './trace';
import { difference, noise, tolerance, verifyModel } from './verify';

let folder: string;
let catalogue: ModelManifest[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compiler-'));
  catalogue = await readCatalogue();
  await prepareTfjs();
});
afterAll(() => rm(folder, { recursive: true }));

/** A part of a photograph with a face, at the size a model wants. */
async function realExample({ input }: ModelManifest): Promise<Uint8Array> {
  const { width, height } = await sharp(photo(4)).metadata();
  const side = Math.round(height * 0.3);
  return sharp(photo(4))
    .extract({ left: Math.round(width * 0.3), top: 0, width: side, height: side })
    .resize(input.width, input.height)
    .toColorspace(input.channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer();
}

describe('every model of the catalogue equals its original', () => {
  // The cache of the service: what it holds was made by this compiler, whose hash is in the file names.
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  const ids = readdirSync(catalogueFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'));
  test.each(ids)('%s', async (id) => {
    const manifest = catalogue.find((candidate) => candidate.id === id) as ModelManifest;
    await ensureCompiled(manifest, cache);
    const examples = [...noise(manifest, 1), await realExample(manifest)];
    const { outputs } = await verifyModel(manifest, compiledPath(manifest, cache), examples);
    for (const output of outputs) expect(output.difference).toBeLessThanOrEqual(tolerance);
  });
});

/** Compiles a function of pixels and compares it, for a batch of three, with TFJS running it on each example. */
async function expectParity(forward: Forward, [height, width, channels]: [number, number, number]) {
  const recorded = trace(forward, [height, width, channels]);
  const { graph, outputs } = lower(recorded, 'pixels');
  const path = join(folder, 'function.onnx');
  await writeFile(
    path,
    encodeOnnx({
      name: 'function',
      inputs: [{ name: 'pixels', type: 'uint8', dims: ['N', height, width, channels] }],
      outputs: Object.entries(recorded.outputs).map(([name, { shape }]) => ({
        name: outputs[name] as string,
        type: 'float',
        dims: ['N', ...(shape[0] === 1 && shape.length > 1 ? shape.slice(1) : shape)],
      })),
      ...foldConvolutions(graph),
      metadata: {},
    }),
  );
  const spec = { id: 'function', path, input: { width, height, channels }, outputs: [] };
  const model = await new OnnxBackend().load(spec);
  const size = width * height * channels;
  const pixels = Uint8Array.from({ length: 3 * size }, (_, i) => (i * 37 + (i >> 3) * 11) % 256);
  const results = await model.run(pixels, 3);
  await model.close();
  for (let example = 0; example < 3; example++) {
    const values = Int32Array.from(pixels.subarray(example * size, (example + 1) * size));
    const references = forward(tf.tensor4d(values, [1, height, width, channels], 'int32'));
    for (const [name, tensor] of Object.entries(references)) {
      const expected = tensor.dataSync() as Float32Array;
      const all = results[outputs[name] as string] as Float32Array;
      const actual = all.subarray(example * expected.length, (example + 1) * expected.length);
      expect(actual.length).toBe(expected.length);
      for (const [i, value] of actual.entries()) expect(value).toBeCloseTo(expected[i] as number, 4);
    }
  }
}

const ramp = (...shape: number[]) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => (((i * 7) % 23) - 11) / 23),
    shape,
  );
};
const float = (x: tf.Tensor4D) => tf.div(tf.cast(x, 'float32'), 255) as tf.Tensor4D;

describe('a compiled function equals TFJS on a batch', () => {
  const shape: [number, number, number] = [7, 6, 3];
  const cases: Record<string, Forward> = {
    'convolutions with SAME padding on odd sizes, stride 2': (x) => ({
      y: tf.conv2d(float(x), ramp(3, 3, 3, 4) as tf.Tensor4D, 2, 'same'),
    }),
    'convolutions with explicit padding and dilation': (x) => ({
      y: tf.conv2d(float(x), ramp(3, 3, 3, 4) as tf.Tensor4D, 1, [
        [0, 0],
        [1, 2],
        [0, 1],
        [0, 0],
      ]),
      z: tf.conv2d(float(x), ramp(2, 2, 3, 2) as tf.Tensor4D, 1, 'valid', 'NHWC', 2),
    }),
    'depthwise convolutions with a channel multiplier': (x) => ({
      y: tf.depthwiseConv2d(float(x), ramp(3, 3, 3, 2) as tf.Tensor4D, 2, 'same'),
    }),
    'fused convolution with bias and relu6': (x) => ({
      y: tf.fused.conv2d({
        x: float(x),
        filter: ramp(1, 1, 3, 5) as tf.Tensor4D,
        strides: 1,
        pad: 'same',
        bias: ramp(5),
        activation: 'relu6',
      }),
    }),
    'pools that do not count padding': (x) => ({
      max: tf.maxPool(float(x), 3, 2, 'same'),
      average: tf.avgPool(float(x), 3, 2, 'same'),
    }),
    'broadcasting after a convolution': (x) => {
      const y = tf.conv2d(float(x), ramp(3, 3, 3, 4) as tf.Tensor4D, 1, 'same');
      return { y: tf.mul(tf.add(y, ramp(4)), ramp(7, 1, 4)), z: tf.maximum(tf.sub(1, y), 0.5) };
    },
    'concatenation and padding, before and after a convolution': (x) => {
      const y = tf.conv2d(float(x), ramp(1, 1, 3, 4) as tf.Tensor4D, 1, 'same');
      const other = tf.conv2d(float(x), ramp(3, 3, 3, 2) as tf.Tensor4D, 1, 'same');
      return {
        channels: tf.concat([y, other], 3),
        widened: tf.concat([y, tf.zeros([1, 7, 6, 3])], 3),
        rows: tf.pad(
          float(x),
          [
            [0, 0],
            [1, 2],
            [0, 0],
            [0, 0],
          ],
          0.5,
        ),
      };
    },
    'a head that flattens its batch away, and a stack of its rows': (x) => {
      const rows = tf.reshape(float(x), [-1, 3]);
      return { y: tf.stack([tf.add(rows, 1), tf.mul(rows, 2)], 1) };
    },
    'means, fully connected layers and softmax': (x) => {
      const y = tf.conv2d(float(x), ramp(3, 3, 3, 4) as tf.Tensor4D, 1, 'same');
      const pooled = tf.mean(y, [1, 2]) as tf.Tensor2D;
      const dense = tf.fused.matMul({
        a: pooled,
        b: ramp(4, 6) as tf.Tensor2D,
        bias: ramp(6),
        activation: 'relu',
      });
      return { y: tf.softmax(dense), kept: tf.mean(y, [1, 2], true), all: tf.mean(float(x), 3) };
    },
    'bilinear resizing in all three coordinate systems': (x) => ({
      corners: tf.image.resizeBilinear(float(x), [14, 9], true),
      plain: tf.image.resizeBilinear(float(x), [14, 9]),
      half: tf.image.resizeBilinear(float(x), [14, 9], false, true),
    }),
    'activations with slopes': (x) => {
      const y = tf.conv2d(float(x), ramp(3, 3, 3, 4) as tf.Tensor4D, 1, 'same');
      return {
        prelu: tf.prelu(y, ramp(1, 1, 4)),
        preluOfOneSlope: tf.prelu(y, ramp(1, 1, 1)),
        preluOfPlaces: tf.prelu(y, ramp(y.shape[1] as number, y.shape[2] as number, 4)),
        sigmoid: tf.sigmoid(y),
      };
    },
  };
  test.each(Object.keys(cases))('%s', (name) => expectParity(cases[name] as Forward, shape));
});

describe('a model that cannot be compiled is refused', () => {
  test('with the name of an unknown kernel', () => {
    const recorded = trace((x) => ({ y: tf.erf(float(x)) }), [2, 2, 3]);
    expect(() => lower(recorded, 'pixels')).toThrow(UnsupportedKernelError);
    expect(() => lower(recorded, 'pixels')).toThrow('does not support Erf in this model');
  });

  const cases: Record<string, [Forward, string]> = {
    'arithmetic on bytes, which would wrap': [
      (x) => ({ y: tf.add(x, x) }),
      'Add in this model: arithmetic on uint8',
    ],
    'rounding of sizes': [
      (x) => ({ y: tf.maxPool(float(x), 2, 2, 0, 'ceil') }),
      'MaxPool in this model: rounding sizes',
    ],
    'values read during the pass': [
      (x) => ({ y: tf.mul(float(x), float(x).dataSync()[0] as number) }),
      'reads values that depend on its input',
    ],
    'a stack with a constant': [
      (x) => ({ y: tf.stack([float(x), tf.zeros([1, 6, 6, 3])]) }),
      'Pack in this model: an operand',
    ],
    'a convolution over a batch made of one image': [
      (x) => ({
        y: tf.conv2d(
          tf.reshape(float(x), [3, 6, 6, 1]) as tf.Tensor4D,
          ramp(1, 1, 1, 2) as tf.Tensor4D,
          1,
          'same',
        ),
      }),
      'is no image of one example',
    ],
    'a constant matrix with a batch of its own': [
      (x) => ({ y: tf.matMul(tf.reshape(float(x), [1, 36, 3]), ramp(2, 3, 4)) }),
      'a constant with a batch of its own',
    ],
    'a mean over everything': [(x) => ({ y: tf.mean(tf.reshape(float(x), [4, 27])) }), 'Mean'],
  };
  test.each(Object.keys(cases))('%s', (name) => {
    const [forward, message] = cases[name] as [Forward, string];
    expect(() => lower(trace(forward, [6, 6, 3]), 'pixels')).toThrow(message);
  });

  test('an output that ignores the input', () => {
    expect(() => trace(() => ({ y: tf.zeros([1]) }), [2, 2, 3])).toThrow('"y" does not depend');
  });

  test('a source file with another SHA-256', async () => {
    const [manifest] = catalogue as [PackageManifest];
    const [first, ...others] = manifest.source.files as [{ path: string; sha256: string }];
    const files = [{ ...first, sha256: '0'.repeat(64) }, ...others];
    await expect(loadOriginal({ ...manifest, source: { ...manifest.source, files } })).rejects.toThrow(
      `${first.path} has SHA-256`,
    );
  });

  test('an output with another shape than the manifest says', async () => {
    const manifest = catalogue.find(({ id }) => id === 'facemesh') as PackageManifest;
    const outputs = manifest.outputs.map((output) => ({ ...output, shape: [7] }));
    await expect(compileModel({ ...manifest, outputs }, 'float32')).rejects.toThrow(
      'facemesh: output "mesh"',
    );
  });

  test('a manifest with a wrong field', async () => {
    const brokenFolder = await mkdtemp(join(folder, 'catalogue-'));
    await writeFile(
      join(brokenFolder, 'broken.json'),
      JSON.stringify({ ...catalogue[0], id: 'broken', input: { width: 0 } }),
    );
    await expect(readCatalogue(brokenFolder)).rejects.toThrow(/broken\.json is not valid: .*\/input/);
  });
});

test('the cache recompiles a model only when its recipe changes', async () => {
  const cache = await mkdtemp(join(folder, 'cache-'));
  const manifest = catalogue.find(({ id }) => id === 'facemesh') as PackageManifest;
  expect(await ensureCompiled(manifest, cache)).toBe(true);
  const before = await readFile(compiledPath(manifest, cache));
  expect(await ensureCompiled({ ...manifest, description: 'other words' }, cache)).toBe(false);
  const changed = { ...manifest, input: { ...manifest.input, scale: 2 / 255 } };
  expect(await ensureCompiled(changed, cache)).toBe(true);
  expect(before.equals(await readFile(compiledPath(changed, cache)))).toBe(false);
  expect(await readdir(cache)).toHaveLength(2);
});

test('NaN never hides a difference', () => {
  const values = Float32Array.of(1, 2, 3);
  expect(difference(values, Float32Array.of(1, 2, 3.5))).toBeCloseTo(0.5 / 3);
  expect(difference(values, Float32Array.of(1, Number.NaN, 3))).toBeNaN();
  expect(difference(values, Float32Array.of(Number.NaN, 2, 3))).toBeNaN();
  expect(difference(values, Float32Array.of(1, 2))).toBeNaN();
});
