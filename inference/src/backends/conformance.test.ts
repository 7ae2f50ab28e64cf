/**
 * The contract of every backend, on every device of this machine. Tests of a device that is missing are skipped; ONNX
 * Runtime on the CPU and TFJS on WebAssembly are always there. `npm run test:gpu` brings a WebGPU device in software.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeNow } from '../../test/probe';
import { compiledPath } from '../catalogue/compiled-path';
import { type ModelManifest, readCatalogue } from '../catalogue/manifest';
import { ensureCompiled } from '../compiler/compile';
import { noise, tolerance } from '../compiler/verify';
import { type Backend, type BackendChoice, type LoadedModel, type ModelSpec, product } from './backend';
import { createBackend } from './create';
import type { Device } from './device';
import { hasTfjsGpu } from './tfjs-gpu';

/** A small model of each kind of source: layers with one gray channel, a graph, code. */
const ids = ['emotion', 'facemesh', 'face-expression'];

let folder: string;
let specs: ModelSpec[];
let pixels: Uint8Array[];
/** The outputs of ONNX Runtime on the CPU, by model and output, for a batch of three. */
let reference: Record<string, Float32Array>[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const catalogue = await readCatalogue();
  const manifests = ids.map((id) => catalogue.find((manifest) => manifest.id === id) as ModelManifest);
  for (const manifest of manifests) await ensureCompiled(manifest, folder);
  specs = manifests.map((manifest) => ({ ...manifest, path: compiledPath(manifest, folder) }));
  pixels = manifests.map((manifest) => Buffer.concat(noise(manifest, 3)));
  const backend = await createBackend({ name: 'onnx', device: 'cpu', deviceId: 0 });
  reference = [];
  for (const [i, spec] of specs.entries()) {
    const model = await backend.load(spec);
    reference.push({ ...(await model.run(pixels[i] as Uint8Array, 3)) });
    await model.close();
  }
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Largest difference allowed from the CPU, relative to the output's largest value if above 1. From Ampere on, cuDNN
 * multiplies in TF32, which keeps 10 bits of the mantissa: 6.6e-3 was seen, which changes no match.
 */
const tolerances: Readonly<Record<Device, number>> = {
  cpu: tolerance,
  wasm: tolerance,
  webgpu: tolerance,
  cuda: 1e-2,
  tensorflow: 1e-2,
};

const choices: BackendChoice[] = [
  { name: 'onnx', device: 'cpu', deviceId: 0 },
  { name: 'tfjs', device: 'wasm', deviceId: 0 },
  { name: 'onnx', device: 'webgpu', deviceId: 0 },
  { name: 'onnx', device: 'cuda', deviceId: 0 },
  { name: 'tfjs', device: 'tensorflow', deviceId: 0 },
];

/** Asked before any test is defined, because Jest skips tests only then. */
function isMissing({ device }: BackendChoice): boolean {
  if (device === 'tensorflow') return !hasTfjsGpu();
  if (device !== 'webgpu' && device !== 'cuda') return false;
  const report = probeNow(device);
  if (!report.works) process.stdout.write(`Skipped: ${device}, because ${report.message}\n`);
  return !report.works;
}

describe.each(choices)('$name on $device', (choice) => {
  let backend: Backend;
  let models: LoadedModel[] = [];
  const check = isMissing(choice) ? test.skip : test;

  const expectNear = (actual: Float32Array, expected: Float32Array) => {
    expect(actual.length).toBe(expected.length);
    const scale = Math.max(1, ...expected.map(Math.abs));
    const difference = Math.max(...expected.map((value, i) => Math.abs(value - (actual[i] as number))));
    expect(difference / scale).toBeLessThanOrEqual(tolerances[choice.device]);
  };

  beforeAll(async () => {
    backend = await createBackend(choice);
    models = await Promise.all(specs.map((spec) => backend.load(spec)));
  });
  afterAll(() => Promise.all(models.map((model) => model.close())));

  check('reports its name and device', () => {
    const { name, device, warmBatches } = backend;
    expect({ name, device }).toEqual({ name: choice.name, device: choice.device });
    expect(warmBatches[0]).toBe(1);
  });

  check('returns every output in the shape of the manifest, equal to the reference', async () => {
    for (const [i, model] of models.entries()) {
      const outputs = await model.run(pixels[i] as Uint8Array, 3);
      for (const { name, shape } of model.spec.outputs) {
        expect(outputs[name]).toBeInstanceOf(Float32Array);
        expect(outputs[name]?.length).toBe(3 * product(shape));
        expectNear(outputs[name] as Float32Array, reference[i]?.[name] as Float32Array);
      }
    }
  });

  check('a batch gives the results of single runs, even if the device splits it', async () => {
    const [model, bytes] = [models[0] as LoadedModel, pixels[0] as Uint8Array];
    const size = bytes.length / 3;
    // 35 exceeds the largest bucket of a GPU, and its rest needs padding.
    for (const batch of [2, 35]) {
      const order = Array.from({ length: batch }, (_, i) => i % 3);
      const together = await model.run(
        Buffer.concat(order.map((i) => bytes.subarray(i * size, (i + 1) * size))),
        batch,
      );
      for (const { name, shape } of model.spec.outputs) {
        const length = product(shape);
        const singles = reference[0]?.[name] as Float32Array;
        const expected = order.flatMap((i) => [...singles.subarray(i * length, (i + 1) * length)]);
        expectNear(together[name] as Float32Array, Float32Array.from(expected));
      }
    }
  });

  check('a wrong number of bytes is refused with the model and both numbers', async () => {
    const [model, bytes] = [models[0] as LoadedModel, pixels[0] as Uint8Array];
    const size = bytes.length / 3;
    await expect(model.run(bytes.subarray(1), 3)).rejects.toThrow(
      `${model.spec.id} takes ${3 * size} bytes for a batch of 3, not ${3 * size - 1}`,
    );
    await expect(model.run(new Uint8Array(0), 0)).rejects.toThrow('batch of 0');
  });

  check('two models run at once, each with its own results', async () => {
    const both = await Promise.all(
      [0, 1].map((i) => (models[i] as LoadedModel).run(pixels[i] as Uint8Array, 3)),
    );
    for (const [i, outputs] of both.entries()) {
      for (const [name, expected] of Object.entries(reference[i] ?? {})) {
        expectNear(outputs[name] as Float32Array, expected);
      }
    }
  });

  check('a closed model no longer runs, and the others do', async () => {
    const model = await backend.load(specs[1] as ModelSpec);
    await model.close();
    await expect(model.run(pixels[1] as Uint8Array, 3)).rejects.toThrow();
    await expect((models[1] as LoadedModel).run(pixels[1] as Uint8Array, 3)).resolves.toBeDefined();
  });
});
