/**
 * Backend over TensorFlow.js: runs the models as their packages ship them, on a GPU if tfjs-node-gpu is installed,
 * otherwise on WebAssembly. It is much slower than compiled models and serves as their reference.
 */
import * as tf from '@tensorflow/tfjs';
import { isOnnx, readCatalogue } from '../catalogue/manifest';
import { loadOriginal, type Original, prepareTfjs } from '../originals/original';
import {
  type Backend,
  checkPixels,
  type LoadedModel,
  type ModelOutputs,
  type ModelSpec,
  product,
} from './backend';
import { tfjsGpuPackage } from './tfjs-gpu';

export class TfjsBackend implements Backend {
  readonly name = 'tfjs';
  readonly warmBatches = [1];

  private constructor(readonly device: 'tensorflow' | 'wasm') {}

  static async start(device: 'tensorflow' | 'wasm' = 'wasm'): Promise<TfjsBackend> {
    // Also keeps later loads from choosing WebAssembly again.
    await prepareTfjs();
    if (device === 'wasm') return new TfjsBackend('wasm');
    require(tfjsGpuPackage);
    if (!(await tf.setBackend('tensorflow')))
      throw new Error(`${tfjsGpuPackage} is installed but does not start`);
    return new TfjsBackend('tensorflow');
  }

  /** @throws Error if the model is not a TFJS model of the catalogue. */
  async load(spec: ModelSpec): Promise<LoadedModel> {
    const manifest = (await readCatalogue(spec.folder)).find(({ id }) => id === spec.id);
    if (!manifest) throw new Error(`The model ${spec.id} is not in the catalogue`);
    if (isOnnx(manifest)) throw new Error(`The model ${spec.id} is an ONNX file, which TFJS does not run`);
    return new TfjsModel(spec, await loadOriginal(manifest));
  }
}

class TfjsModel implements LoadedModel {
  constructor(
    readonly spec: ModelSpec,
    private original: Original | undefined,
  ) {}

  async run(pixels: Uint8Array, batch: number): Promise<ModelOutputs> {
    checkPixels(this.spec, pixels, batch);
    const { original } = this;
    if (!original) throw new Error(`${this.spec.id} is closed`);
    const { width, height, channels } = this.spec.input;
    const size = product([height, width, channels]);
    const outputs = Object.fromEntries(
      this.spec.outputs.map(({ name, shape }) => [name, new Float32Array(batch * product(shape))]),
    );
    // One at a time, because some originals squeeze or hard-code a batch of one.
    for (let i = 0; i < batch; i++) {
      const values = Int32Array.from(pixels.subarray(i * size, (i + 1) * size));
      tf.tidy(() => {
        const results = original.forward(tf.tensor4d(values, [1, height, width, channels], 'int32'));
        for (const { name, shape } of this.spec.outputs) {
          outputs[name]?.set(results[name]?.dataSync() as Float32Array, i * product(shape));
        }
      });
    }
    return outputs;
  }

  async close(): Promise<void> {
    this.original = undefined;
  }
}
