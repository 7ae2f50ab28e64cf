// Slow: it downloads and compiles the published files of the catalogue and runs them beside ONNX Runtime's own reading.
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { photo } from '../../test/photos';
import { isBuiltInOnnx, type OnnxManifest, readCatalogue } from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import type { Precision } from '../catalogue/precision';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { readOnnx } from '../onnx-format/read-onnx';
import { readOnnxSource } from '../originals/onnx-source';
import { compileModel } from './compile';
import { plainFile } from './plain-file';
import { prepare } from './reference';
import { difference } from './verify';

const cache = process.env.MODELS_CACHE ?? defaultModelCache;
let manifests: readonly OnnxManifest[];
beforeAll(async () => {
  manifests = (await readCatalogue()).filter(isBuiltInOnnx);
});
const manifestOf = (id: string) => manifests.find((manifest) => manifest.id === id) as OnnxManifest;

/** Heads of a photograph of four, at the size of a model. */
const heads = ({ input }: OnnxManifest, lefts = [0.33, 0.12]) =>
  Promise.all(
    lefts.map(async (left) => {
      const { width, height } = await sharp(photo(4)).metadata();
      return sharp(photo(4))
        .extract({ left: Math.round(left * width), top: 0, width: 300, height: Math.min(300, height) })
        .resize(input.width, input.height)
        .removeAlpha()
        .raw()
        .toBuffer();
    }),
  );

type Outputs = Readonly<Record<string, Float32Array>>;

async function run(file: Uint8Array, feeds: Record<string, Tensor>): Promise<Outputs> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  try {
    const results = await session.run(feeds);
    return Object.fromEntries(
      Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]),
    );
  } finally {
    await session.release();
  }
}

/** Compiled files by model and precision, because a file takes seconds. */
const files = new Map<string, Uint8Array>();

/** The compiled model on several images. */
async function compiled(
  manifest: OnnxManifest,
  images: readonly Uint8Array[],
  precision: Precision = 'float32',
) {
  const { width, height, channels } = manifest.input;
  const key = `${manifest.id} ${precision}`;
  const file = files.get(key) ?? (await compileModel(manifest, precision, cache));
  files.set(key, file);
  const pixels = new Tensor('uint8', Buffer.concat(images), [images.length, height, width, channels]);
  return run(file, { pixels });
}

/** A file for one image on that image. */
function original(manifest: OnnxManifest, file: Uint8Array, image: Uint8Array): Promise<Outputs> {
  const { width, height, channels } = manifest.input;
  const input = readOnnx(file)?.inputs[0]?.name as string;
  const values = prepare(image, manifest.input);
  return run(file, { [input]: new Tensor('float32', values, [1, channels, height, width]) });
}

/** Largest difference of any output, relative to the output's largest value if above 1. */
const largest = ({ outputs }: OnnxManifest, expected: Outputs, actual: Outputs) =>
  Math.max(
    ...outputs.map(({ name, source = name }) =>
      difference(
        (expected[source] ?? expected[name]) as Float32Array,
        (actual[name] ?? actual[source]) as Float32Array,
      ),
    ),
  );

/** The outputs of one image of a batch. */
const partOf = (outputs: Outputs, index: number, count: number): Outputs =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, values]) => {
      const length = values.length / count;
      return [name, values.subarray(index * length, (index + 1) * length)];
    }),
  );

test.each(['yunet', 'yunet-256', 'sface'])(
  '%s equals the dequantized graph in ONNX Runtime, and a batch of two equals each image alone',
  async (id) => {
    const manifest = manifestOf(id);
    const file = plainFile(manifest, await readOnnxSource(manifest, cache));
    const images = await heads(manifest);
    const both = await compiled(manifest, images);
    for (const [i, image] of images.entries()) {
      const part = partOf(both, i, images.length);
      expect(largest(manifest, await original(manifest, file, image), part)).toBeLessThan(1e-5);
      expect(largest(manifest, await compiled(manifest, [image]), part)).toBeLessThan(1e-6);
    }
  },
);

test("SFace's weights are those that ONNX Runtime dequantizes", async () => {
  const manifest = manifestOf('sface');
  const published = await readOnnxSource(manifest, cache);
  const model = readOnnx(published);
  if (!model) throw new Error('not read');
  // The published file lists inputs that no operation reads, and ONNX Runtime wants a value for each.
  const blocks = encodeOnnx({ ...model, inputs: model.inputs.filter(({ name }) => name === 'data') });
  expect(model.nodes.some(({ op }) => op === 'DequantizeLinear')).toBe(true);
  const [image] = (await heads(manifest)) as [Buffer, Buffer];
  const plain = plainFile(manifest, published);
  const expected = await original(manifest, blocks, image);
  expect(largest(manifest, expected, await original(manifest, plain, image))).toBeLessThan(1e-5);
});

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test.each<[Precision, number]>([
  ['float16', 0.9999],
  ['int8', 0.99],
])('SFace in %s gives almost the same embedding', async (precision, least) => {
  const manifest = manifestOf('sface');
  const images = await heads(manifest, [0.33, 0.12, 0.55, 0.74]);
  const exact = await compiled(manifest, images);
  const other = await compiled(manifest, images, precision);
  for (const i of images.keys()) {
    const [a, b] = [exact, other].map((outputs) => partOf(outputs, i, images.length).embedding) as [
      Float32Array,
      Float32Array,
    ];
    expect(cosine(a, b)).toBeGreaterThan(least);
    expect(Buffer.from(a.slice().buffer).equals(Buffer.from(b.slice().buffer))).toBe(false);
  }
});

test('YuNet in float16 gives almost the same scores and boxes', async () => {
  const manifest = manifestOf('yunet-256');
  const images = await heads(manifest);
  const exact = await compiled(manifest, images);
  expect(largest(manifest, exact, await compiled(manifest, images, 'float16'))).toBeLessThan(0.01);
});

test('the license of each file is the one that the manifest names', async () => {
  for (const manifest of manifests.filter(isBuiltInOnnx)) {
    const text = await readFile(`${manifest.folder}/${manifest.source.licenseFile}`, 'utf8');
    const name = /MIT$/.test(manifest.license) ? 'MIT License' : 'Apache License';
    expect(text).toContain(name);
  }
});
