/** Backend over ONNX Runtime. `session.run` blocks its thread, so this belongs in a worker thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Backend, type Model, type ModelOutputs, type ModelSpec, product } from './backend';

export class OnnxBackend implements Backend {
  readonly device = 'cpu';

  async load(spec: ModelSpec): Promise<Model> {
    const session = await InferenceSession.create(spec.path, {
      executionProviders: ['cpu'],
      // Parallelism comes from several workers; a session's own pool would spin beside them.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      // The batch varies, so a memory pattern per shape would only grow.
      enableMemPattern: false,
    });
    return new OnnxModel(spec, session);
  }
}

class OnnxModel implements Model {
  private readonly inputName: string;

  constructor(
    readonly spec: ModelSpec,
    private readonly session: InferenceSession,
  ) {
    this.inputName = session.inputNames[0] as string;
  }

  async run(pixels: Uint8Array, batch: number): Promise<ModelOutputs> {
    const { width, height, channels } = this.spec.input;
    const dims = [batch, height, width, channels];
    if (pixels.length !== product(dims)) {
      throw new Error(
        `${this.spec.id} takes ${product(dims)} bytes for a batch of ${batch}, not ${pixels.length}`,
      );
    }
    const results = await this.session.run({ [this.inputName]: new Tensor('uint8', pixels, dims) });
    return Object.fromEntries(
      Object.entries(results).map(([name, tensor]) => [name, tensor.data as Float32Array]),
    );
  }

  close(): Promise<void> {
    return this.session.release();
  }
}
