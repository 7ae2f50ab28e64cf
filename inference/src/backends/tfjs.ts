/**
 * Backend over TensorFlow.js: runs the models of packages as these ship them, and ONNX models from their compiled files,
 * on a GPU if tfjs-node-gpu is installed, otherwise on WebAssembly. It is much slower than ONNX Runtime and serves as a
 * reference.
 */
import { readFile } from 'node:fs/promises';
import * as tf from '@tensorflow/tfjs';
import { isOnnx, type PackageManifest, readCatalogue } from '../catalogue/manifest';
import { type Forward, loadOriginal, prepareTfjs } from '../originals/original';
import {
  type Backend,
  checkPixels,
  type LoadedModel,
  type ModelOutputs,
  type ModelSpec,
  product,
} from './backend';
import { type Buckets, chunksOf } from './buckets';
import { tfjsGpuPackage } from './tfjs-gpu';
import { TfjsGraph } from './tfjs-graph';

export class TfjsBackend implements Backend {
  readonly name = 'tfjs';
  readonly warmBatches = [1];

  private constructor(readonly device: 'tensorflow' | 'wasm') {}

  static async start(device: 'tensorflow' | 'wasm' = 'wasm'): Promise<TfjsBackend> {
    // Preparing first keeps later loads from choosing WebAssembly again.
    await prepareTfjs();
    if (device === 'wasm') return new TfjsBackend('wasm');
    require(tfjsGpuPackage);
    if (!(await tf.setBackend('tensorflow')))
      throw new Error(`${tfjsGpuPackage} is installed but does not start`);
    return new TfjsBackend('tensorflow');
  }

  /** @throws Error if the model is not in the catalogue, or is an ONNX file that `TfjsGraph` does not run. */
  async load(spec: ModelSpec): Promise<LoadedModel> {
    const manifest = (await readCatalogue(spec.folder)).find(({ id }) => id === spec.id);
    if (!manifest) throw new Error(`The model ${spec.id} is not in the catalogue`);
    return new TfjsModel(spec, isOnnx(manifest) ? await openGraph(spec) : await openOriginal(manifest));
  }
}

interface Runner {
  readonly forward: Forward;
  readonly sizes: Pick<Buckets, 'maxBatch' | 'fixed'>;
  dispose?(): void;
}

async function openOriginal(manifest: PackageManifest): Promise<Runner> {
  const { forward } = await loadOriginal(manifest);
  // Some originals squeeze or hard-code a batch of one.
  return { forward, sizes: { maxBatch: 1 } };
}

const openGraph = async ({ id, path }: ModelSpec): Promise<Runner> =>
  TfjsGraph.load(await readFile(path), id);

class TfjsModel implements LoadedModel {
  constructor(
    readonly spec: ModelSpec,
    private runner: Runner | undefined,
  ) {}

  async run(pixels: Uint8Array, batch: number): Promise<ModelOutputs> {
    checkPixels(this.spec, pixels, batch);
    const { runner } = this;
    if (!runner) throw new Error(`${this.spec.id} is closed`);
    const { width, height, channels } = this.spec.input;
    const item = product([height, width, channels]);
    const outputs = Object.fromEntries(
      this.spec.outputs.map(({ name, shape }) => [name, new Float32Array(batch * product(shape))]),
    );
    for (const { start, count, size } of chunksOf(batch, runner.sizes)) {
      const values = new Int32Array(size * item);
      values.set(pixels.subarray(start * item, (start + count) * item));
      tf.tidy(() => {
        const results = runner.forward(tf.tensor4d(values, [size, height, width, channels], 'int32'));
        for (const { name, shape } of this.spec.outputs) {
          const length = product(shape);
          const made = results[name]?.dataSync() as Float32Array;
          // `subarray` leaves out the padding of a chunk.
          outputs[name]?.set(made.subarray(0, count * length), start * length);
        }
      });
    }
    return outputs;
  }

  async close(): Promise<void> {
    this.runner?.dispose?.();
    this.runner = undefined;
  }
}
