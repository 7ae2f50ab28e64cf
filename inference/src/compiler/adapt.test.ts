/** Files of operators' own, made here, adapted and run. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OnnxBackend } from '../backends/onnx';
import { compiledPath } from '../catalogue/compiled-path';
import type { OnnxInput, OnnxManifest } from '../catalogue/manifest';
import { encodeOnnx, type OnnxModel, type OnnxNode } from '../onnx-format/onnx-file';
import { allOf, bytesField, fieldsOf, lastOf, textOf } from '../onnx-format/protobuf-fields';
import { adaptOnnx } from './adapt';
import { ensureCompiled } from './compile';
import { verifyModel } from './verify';

const [width, height, channels] = [4, 3, 3] as const;
const size = width * height * channels;
const nchw = ['N', channels, height, width];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adapt-'));
});
afterEach(() => rm(folder, { recursive: true }));

const node = (op: string, inputs: string[], output: string, attributes = {}): OnnxNode => ({
  op,
  inputs,
  outputs: [output],
  attributes,
});

/** A graph that returns its input, one row per image. */
const echo = (changes: Partial<OnnxModel> = {}): OnnxModel => ({
  name: 'echo',
  inputs: [{ name: 'data', type: 'float', dims: nchw }],
  outputs: [{ name: 'out', type: 'float', dims: ['N', size] }],
  nodes: [node('Flatten', ['data'], 'out', { axis: 1 })],
  initializers: [],
  metadata: {},
  ...changes,
});

interface Given {
  readonly file: Uint8Array;
  readonly input?: Partial<OnnxInput>;
  readonly outputs?: OnnxManifest['outputs'];
}

/** Writes the file and gives its manifest. */
async function writeOwn({ file, input, outputs }: Given): Promise<OnnxManifest> {
  await writeFile(join(folder, 'own.onnx'), file);
  return {
    id: 'own',
    task: 'test',
    description: '',
    license: '',
    trainingData: '',
    folder,
    source: { kind: 'file', path: 'own.onnx', sha256: createHash('sha256').update(file).digest('hex') },
    input: { width, height, channels, layout: 'NCHW', ...input },
    outputs: outputs ?? [{ name: 'value', source: 'out', shape: [size] }],
  };
}

const cacheOf = () => join(folder, 'cache');

async function run(manifest: OnnxManifest, pixels: Uint8Array, batch: number) {
  await ensureCompiled(manifest, cacheOf());
  const model = await new OnnxBackend().load({ ...manifest, path: compiledPath(manifest, cacheOf()) });
  try {
    return await model.run(pixels, batch);
  } finally {
    await model.close();
  }
}

const image = (seed: number) => Uint8Array.from({ length: size }, (_, i) => (i * 37 + seed * 101) % 256);
const compile = async (given: Given) => ensureCompiled(await writeOwn(given), cacheOf());

/** Value of one channel of one pixel of an image. */
const at = (pixels: Uint8Array, place: number, channel: number) =>
  pixels[channels * place + channel] as number;

describe('the input of the graph', () => {
  test('planes, blue first, scaled and normalized by channel', async () => {
    const input = {
      order: 'BGR',
      scale: 1 / 255,
      offset: 0.5,
      mean: [0.1, 0.2, 0.3],
      std: [0.5, 0.25, 2],
    } as const;
    const pixels = image(1);
    const { value } = await run(await writeOwn({ file: encodeOnnx(echo()), input }), pixels, 1);
    const expected = [0, 1, 2].flatMap((channel) =>
      Array.from({ length: width * height }, (_, place) => {
        const value = at(pixels, place, 2 - channel) / 255 + 0.5;
        return (value - (input.mean[channel] as number)) / (input.std[channel] as number);
      }),
    );
    expect([...(value as Float32Array)]).toEqual(expected.map((value) => expect.closeTo(value, 4)));
  });

  test('rows of pixels unchanged', async () => {
    const inputs = [{ name: 'data', type: 'float' as const, dims: ['N', height, width, channels] }];
    const manifest = await writeOwn({ file: encodeOnnx(echo({ inputs })), input: { layout: 'NHWC' } });
    expect([...((await run(manifest, image(2), 1)).value as Float32Array)]).toEqual([...image(2)]);
  });

  test('each image of a batch, alone and together', async () => {
    const manifest = await writeOwn({ file: encodeOnnx(echo()), input: { offset: -1 } });
    const three = [1, 2, 3].map(image);
    const { value } = await run(manifest, Buffer.concat(three), 3);
    for (const [i, pixels] of three.entries()) {
      const alone = (await run(manifest, pixels, 1)).value as Float32Array;
      expect(value?.subarray(i * size, (i + 1) * size)).toEqual(alone);
    }
  });

  test.each([1, 2])('runs a file that was exported for a batch of %i on three images', async (batch) => {
    const inputs = [{ name: 'data', type: 'float' as const, dims: [batch, channels, height, width] }];
    const outputs = [{ name: 'out', type: 'float' as const, dims: [batch, size] }];
    const manifest = await writeOwn({
      file: encodeOnnx(echo({ inputs, outputs })),
      input: { layout: 'NCHW' },
    });
    const pixels = Buffer.concat([1, 2, 3].map(image));
    const { value } = await run(manifest, pixels, 3);
    expect(value).toHaveLength(3 * size);
    for (const i of [0, 1, 2]) expect(value?.[i * size + 1]).toBe(at(image(i + 1), 1, 0));
  });
});

describe('the file', () => {
  /** Every field of the model but the graph, and the graph's fields. */
  const parts = (file: Uint8Array) => {
    const model = fieldsOf(file);
    const graph = fieldsOf((lastOf(model, 7) as { bytes: Uint8Array }).bytes);
    return { model: model.filter(({ id }) => id !== 7), graph };
  };
  const hex = (fields: readonly { raw: Uint8Array }[]) =>
    fields.map(({ raw }) => Buffer.from(raw).toString('hex'));

  test('keeps every other byte, including unknown fields', async () => {
    const known = encodeOnnx(echo());
    const { model, graph } = parts(known);
    const strange = Buffer.concat(bytesField(4000, [Buffer.from('kept')]));
    const file = Buffer.concat([
      ...model.map(({ raw }) => raw),
      strange,
      ...bytesField(7, [...graph.map(({ raw }) => raw), strange]),
    ]);
    const adapted = parts(adaptOnnx(await writeOwn({ file }), file));
    expect(hex(adapted.model)).toEqual([...hex(model), strange.toString('hex')]);
    const kept = graph.filter(({ id }) => id !== 11 && id !== 12);
    expect(hex(adapted.graph)).toEqual(expect.arrayContaining([...hex(kept), strange.toString('hex')]));
    expect(allOf(adapted.graph, 11).map(({ bytes }) => textOf(lastOf(fieldsOf(bytes), 1)))).toEqual([
      'pixels',
    ]);
  });

  test('may list its weights among its inputs, and may use our names', async () => {
    const data = new Uint8Array(Float32Array.of(2).buffer);
    const model = echo({
      inputs: [
        { name: 'w', type: 'float', dims: [1] },
        { name: 'pixels', type: 'float', dims: nchw },
      ],
      nodes: [
        node('Mul', ['pixels', 'w'], 'pixels_cast'),
        node('Flatten', ['pixels_cast'], 'out', { axis: 1 }),
      ],
      initializers: [{ name: 'w', type: 'float', dims: [1], data }],
    });
    const { value } = await run(await writeOwn({ file: encodeOnnx(model) }), image(1), 1);
    expect(value?.[0]).toBe(2 * at(image(1), 0, 0));
  });

  test('may list inputs that no operation reads', async () => {
    const inputs = [...echo().inputs, { name: 'left over', type: 'float' as const, dims: [3, 3] }];
    const { value } = await run(await writeOwn({ file: encodeOnnx(echo({ inputs })) }), image(1), 1);
    expect(value?.[1]).toBe(at(image(1), 1, 0));
  });

  test('may hold its weights as integers', async () => {
    const model = echo({
      nodes: [
        node('DequantizeLinear', ['q', 's'], 'w', { axis: 0, block_size: 64 }),
        node('Mul', ['data', 'w'], 'product'),
        node('Flatten', ['product'], 'out', { axis: 1 }),
      ],
      initializers: [
        { name: 'q', type: 'int8', dims: [1], data: Uint8Array.of(6) },
        { name: 's', type: 'float', dims: [1], data: new Uint8Array(Float32Array.of(0.5).buffer) },
      ],
      opset: 21,
    });
    const { value } = await run(await writeOwn({ file: encodeOnnx(model) }), image(1), 1);
    expect(value?.[1]).toBe(3 * at(image(1), 1, 0));
  });

  test('takes images of the size in the manifest if its input is resized', async () => {
    const inputs = [{ name: 'data', type: 'float' as const, dims: [1, channels, 2 * height, 2 * width] }];
    const outputs = [{ name: 'out', type: 'float' as const, dims: [1, 4 * size] }];
    const file = encodeOnnx(echo({ inputs, outputs }));
    await expect(compile({ file })).rejects.toThrow('own.json, input.height is 3, the file wants 6');
    const { value } = await run(
      await writeOwn({ file, input: { resized: true } }),
      Buffer.concat([1, 2].map(image)),
      2,
    );
    for (const i of [0, 1]) expect(value?.[i * size + 1]).toBe(at(image(i + 1), 1, 0));
  });

  test('may use the requested name and have further outputs', async () => {
    const model = echo({
      outputs: [
        { name: 'mean', type: 'float', dims: ['N', 1] },
        { name: 'out', type: 'float', dims: ['N', size] },
      ],
      nodes: [...echo().nodes, node('ReduceMean', ['out'], 'mean', { axes: [1] })],
    });
    const outputs = [{ name: 'mean', shape: [1] }];
    const results = await run(
      await writeOwn({ file: encodeOnnx(model), outputs }),
      new Uint8Array(size).fill(9),
      1,
    );
    expect(Object.keys(results)).toEqual(['mean']);
    expect(results.mean?.[0]).toBeCloseTo(9, 5);
  });
});

test('verification detects a manifest with another channel order than the compiled file', async () => {
  const manifest = await writeOwn({ file: encodeOnnx(echo()) });
  await ensureCompiled(manifest, cacheOf());
  const path = compiledPath(manifest, cacheOf());
  expect((await verifyModel(manifest, path)).passed).toBe(true);
  const other = { ...manifest, input: { ...manifest.input, order: 'BGR' as const } };
  expect((await verifyModel(other, path)).passed).toBe(false);
});

describe('a sentence names manifest and field', () => {
  const refused = async (given: Given) => {
    await expect(compile(given)).rejects.toThrow(/^own\.json, /);
    expect((await readdir(cacheOf())).filter((name) => name !== 'originals')).toEqual([]);
    return compile(given).then(
      () => '',
      (error: Error) => error.message,
    );
  };
  const file = encodeOnnx(echo());
  /** The file with the fields of its graph changed. */
  const withGraph = (change: (fields: Uint8Array[]) => Uint8Array[]) =>
    Buffer.concat(
      fieldsOf(file).flatMap(({ id, raw, bytes }) =>
        id === 7 ? bytesField(7, change(fieldsOf(bytes).map((field) => field.raw))) : [raw],
      ),
    );
  const second = { name: 'other', type: 'float' as const, dims: nchw };
  const int = { name: 'data', type: 'int32' as const, dims: nchw };
  const external = Buffer.concat([Buffer.of(0x70, 1), ...bytesField(8, [Buffer.from('w')])]);

  test.each<[string, Given, string]>([
    [
      'bytes that are no model',
      { file: Buffer.from('GIF89a') },
      'source: not a whole ONNX file, it begins with',
    ],
    ['a model without a graph', { file: new Uint8Array() }, 'source: not a whole ONNX file, it begins with'],
    [
      'an old operator set',
      {
        file: Buffer.concat(
          fieldsOf(file).flatMap(({ id, raw }) => (id === 8 ? bytesField(8, [Buffer.of(0x10, 6)]) : [raw])),
        ),
      },
      'source: the file uses operator set 6; convert it to 7 or later',
    ],
    [
      'weights in another file',
      { file: withGraph((fields) => [...fields, ...bytesField(5, [external])]) },
      'source: the file keeps its weights in another file',
    ],
    [
      'two inputs',
      {
        file: encodeOnnx(
          echo({
            inputs: [...echo().inputs, second],
            nodes: [node('Add', ['data', 'other'], 'sum'), node('Flatten', ['sum'], 'out', { axis: 1 })],
          }),
        ),
      },
      'source: the file must have one input for the image, not "data", "other"',
    ],
    [
      'another type',
      { file: encodeOnnx(echo({ inputs: [int] })) },
      'source: the input "data" must take float32 values',
    ],
    ['another input', { file, input: { source: 'image' } }, 'input.source: the file has no input "image"'],
    ['another width', { file, input: { width: 5 } }, 'input.width is 5, the file wants 4'],
    ['another layout', { file, input: { layout: 'NHWC' } }, 'input.width is 4, the file wants 3'],
    [
      'another output',
      { file, outputs: [{ name: 'value', source: 'result', shape: [size] }] },
      'outputs.0.source: the file has no output "result", its outputs are "out"',
    ],
    [
      'a name that is taken',
      { file, outputs: [{ name: 'data', source: 'out', shape: [size] }] },
      'outputs.0.name: another value of the file\'s graph is called "data"',
    ],
    [
      'another shape',
      { file, outputs: [{ name: 'value', source: 'out', shape: [7] }] },
      'outputs.0.shape: [7] is 7 values, the output "value" has 36 per image',
    ],
    [
      'a graph that ONNX Runtime does not know',
      { file: encodeOnnx(echo({ nodes: [node('NoSuchOp', ['data'], 'out')] })) },
      'source: ONNX Runtime refuses the file',
    ],
    [
      'scales that do not fit their weights',
      {
        file: encodeOnnx(
          echo({
            nodes: [
              node('DequantizeLinear', ['q', 's'], 'w', { axis: 0, block_size: 2 }),
              node('Mul', ['data', 'w'], 'product'),
              node('Flatten', ['product'], 'out', { axis: 1 }),
            ],
            initializers: [
              { name: 'q', type: 'int8', dims: [4], data: new Uint8Array(4) },
              { name: 's', type: 'float', dims: [3], data: new Uint8Array(12) },
            ],
            opset: 21,
          }),
        ),
      },
      'source: the scales of "q" have the shape [3], not [2]',
    ],
    [
      'a graph that mixes the images of a batch',
      {
        file: encodeOnnx(
          echo({
            nodes: [
              node('ReduceMean', ['data'], 'mean', { axes: [0] }),
              node('Sub', ['data', 'mean'], 'rest'),
              node('Flatten', ['rest'], 'out', { axis: 1 }),
            ],
          }),
        ),
      },
      'input.batch: the results of a batch differ from those of its images alone',
    ],
  ])('%s', async (_, given, sentence) => {
    expect(await refused(given)).toContain(sentence);
  });

  test('accepts a graph that mixes a batch if its batch is one', async () => {
    const model = echo({
      nodes: [
        node('ReduceMax', ['data'], 'max', { axes: [0] }),
        node('Add', ['data', 'max'], 'sum'),
        node('Flatten', ['sum'], 'out', { axis: 1 }),
      ],
    });
    const manifest = await writeOwn({ file: encodeOnnx(model), input: { batch: 1 } });
    const { value } = await run(manifest, Buffer.concat([image(1), image(2)]), 2);
    expect(value?.[size]).toBe(2 * at(image(2), 0, 0));
  });

  test('refuses a missing file and one with another hash', async () => {
    const manifest = await writeOwn({ file });
    const missing = { ...manifest, source: { ...manifest.source, path: 'nowhere.onnx' } } as OnnxManifest;
    await expect(ensureCompiled(missing, cacheOf())).rejects.toThrow(
      /^own\.json, source\.path: .*nowhere\.onnx cannot be read \(ENOENT\)$/,
    );
    const changed = { ...manifest, source: { ...manifest.source, sha256: '0'.repeat(64) } } as OnnxManifest;
    await expect(ensureCompiled(changed, cacheOf())).rejects.toThrow(
      /^own\.json, source\.sha256: .* has SHA-256/,
    );
  });
});
