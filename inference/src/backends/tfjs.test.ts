/** ONNX models on TFJS, in place of ONNX Runtime. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { heads } from '../../test/heads';
import { ownManifest, ownModelsFolder } from '../../test/own-models';
import { photo } from '../../test/photos';
import { onnxNode, onnxTensor, wave } from '../../test/run-onnx';
import { compiledPath } from '../catalogue/compiled-path';
import { type ModelManifest, readModels } from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { ensureCompiled } from '../compiler/compile';
import { difference, noise } from '../compiler/verify';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { type Backend, exampleOf, type ModelSpec } from './backend';
import { OnnxBackend } from './onnx';
import { TfjsBackend } from './tfjs';

const folders: string[] = [];
let tfjs: TfjsBackend;
beforeAll(async () => {
  tfjs = await TfjsBackend.start('wasm');
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function run(backend: Backend, spec: ModelSpec, images: readonly Uint8Array[]) {
  const model = await backend.load(spec);
  try {
    return await model.run(Buffer.concat(images), images.length);
  } finally {
    await model.close();
  }
}

/** Largest difference of the backends, relative to an output's largest value if above 1, and the outputs of TFJS. */
async function compare(spec: ModelSpec, images: readonly Uint8Array[]) {
  const expected = await run(new OnnxBackend(), spec, images);
  const actual = await run(tfjs, spec, images);
  const each = spec.outputs.map(({ name }) =>
    difference(expected[name] as Float32Array, actual[name] as Float32Array),
  );
  return { largest: Math.max(...each), actual };
}

const specOf = async (id: string): Promise<ModelSpec> => {
  const manifest = (await readModels()).find((candidate) => candidate.id === id) as ModelManifest;
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  await ensureCompiled(manifest, cache);
  return { ...manifest, path: compiledPath(manifest, cache) };
};

const pixelsOf = (image: sharp.Sharp, { input }: ModelSpec) =>
  image.resize(input.width, input.height, { fit: 'contain' }).removeAlpha().raw().toBuffer();

const photographs = () => [1, 4, 6].map((number) => sharp(photo(number)));

test.each([
  ['yunet', photographs],
  ['yunet-256', photographs],
  ['sface', async () => (await heads()).slice(0, 3)],
] as const)(
  '%s gives the results of ONNX Runtime, and a batch those of single images',
  async (id, images) => {
    const spec = await specOf(id);
    const pixels = await Promise.all((await images()).map((image) => pixelsOf(image, spec)));
    const { largest, actual } = await compare(spec, pixels);
    expect(largest).toBeLessThan(1e-4);
    const single = await run(tfjs, spec, pixels.slice(1, 2));
    for (const { name } of spec.outputs) {
      const part = exampleOf(actual[name], 1, pixels.length);
      expect(difference(single[name] as Float32Array, part)).toBeLessThan(1e-6);
    }
  },
);

/** Every step between the pixels and the input of a graph. */
const conversion = { order: 'BGR', mean: [104, 117, 123], std: [57, 58, 59], scale: 0.5, offset: 3 };

/** A small convolution and a fully connected layer, as a file of an operator. */
async function ownModel(batch: number | string, layout: 'NCHW' | 'NHWC') {
  const dims = layout === 'NCHW' ? [batch, 3, 32, 32] : [batch, 32, 32, 3];
  const file = encodeOnnx({
    name: 'own',
    inputs: [{ name: 'x', type: 'float', dims }],
    outputs: [{ name: 'y', type: 'float', dims: [batch, 4] }],
    nodes: [
      ...(layout === 'NHWC' ? [onnxNode('Transpose', ['x'], 'image', { perm: [0, 3, 1, 2] })] : []),
      onnxNode('Conv', [layout === 'NHWC' ? 'image' : 'x', 'w'], 'c', { strides: [4, 4] }),
      onnxNode('Reshape', ['c', 'flat'], 'f'),
      onnxNode('Gemm', ['f', 'dense'], 'y'),
    ],
    initializers: [
      onnxTensor('w', [2, 3, 4, 4], wave(96)),
      onnxTensor('flat', [2], BigInt64Array.of(BigInt(Number(batch) || 0), 128n)),
      onnxTensor('dense', [128, 4], wave(512)),
    ],
    metadata: {},
  });
  const sha256 = createHash('sha256').update(file).digest('hex');
  const manifest = ownManifest({
    source: { kind: 'file', path: 'conv.onnx', sha256 },
    input: { width: 32, height: 32, channels: 3, layout, ...conversion },
  });
  const folder = ownModelsFolder({ 'own.json': manifest });
  writeFileSync(join(folder, 'conv.onnx'), file);
  return compiledOwn(folder);
}

/** The model of a folder, and noise for a batch that TFJS splits. */
async function compiledOwn(folder: string): Promise<{ spec: ModelSpec; images: Uint8Array[] }> {
  const cache = mkdtempSync(join(tmpdir(), 'tfjs-'));
  folders.push(folder, cache);
  const manifest = (await readModels(folder)).find(({ id }) => id === 'own') as ModelManifest;
  await ensureCompiled(manifest, cache);
  return { spec: { ...manifest, path: compiledPath(manifest, cache) }, images: noise(manifest, 11) };
}

test.each([
  ['any batch', 'N', 'NCHW'],
  ['any batch, channels last', 'N', 'NHWC'],
  ['batches of four', 4, 'NCHW'],
] as const)('an own file for %s gets the same pixels as in ONNX Runtime', async (_, batch, layout) => {
  const { spec, images } = await ownModel(batch, layout);
  expect((await compare(spec, images)).largest).toBeLessThan(1e-5);
});

test('an own file with another operation is refused by its name', async () => {
  const { spec } = await compiledOwn(ownModelsFolder({ 'own.json': ownManifest() }));
  await expect(tfjs.load(spec)).rejects.toThrow(
    'The model own has an operation ReduceMean that INFERENCE_BACKEND=tfjs does not run; choose another in INFERENCE_MODELS or set INFERENCE_BACKEND=onnx',
  );
});
