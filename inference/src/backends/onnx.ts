/** Backend over ONNX Runtime. `session.run` blocks its thread, so it runs in worker threads. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  type Backend,
  checkPixels,
  type LoadedModel,
  type ModelOutputs,
  type ModelSpec,
  type Program,
  product,
} from './backend';
import { type Buckets, buckets, type Chunk, chunksOf } from './buckets';
import type { OnnxDevice } from './device';
import { hasByteDotProducts } from './processor';
import { type Exclusively, exclusivelyBy, type ThreadLock } from './thread-lock';

export class OnnxBackend implements Backend {
  readonly name = 'onnx';
  readonly warmBatches: readonly number[];
  private readonly exclusively: Exclusively;

  /** @param lock shared by all threads on this device, if its provider is not thread-safe */
  constructor(
    readonly device: OnnxDevice = 'cpu',
    private readonly deviceId = 0,
    lock?: ThreadLock,
  ) {
    this.warmBatches = buckets[device].warm;
    this.exclusively = exclusivelyBy(lock);
  }

  async load(spec: ModelSpec): Promise<LoadedModel> {
    const session = await this.open(spec.path);
    const [input] = session.inputMetadata;
    const batch = input?.isTensor ? input.shape[0] : undefined;
    // A file made for one batch size accepts no other, even if the device prefers another.
    const sizes = typeof batch === 'number' ? { maxBatch: batch, fixed: [batch] } : buckets[this.device];
    return new OnnxModel(spec, session, sizes, this.exclusively);
  }

  async loadProgram(path: string): Promise<Program> {
    const session = await this.open(path);
    return {
      sizes: buckets[this.device],
      run: async (inputs) => {
        const feeds = Object.entries(inputs).map(([name, { data, dims }]) => [
          name,
          new Tensor('int32', data, dims),
        ]);
        const results = await this.exclusively(() => session.run(Object.fromEntries(feeds)));
        return Object.fromEntries(
          Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]),
        );
      },
      close: () => this.exclusively(() => session.release()),
    };
  }

  private open(path: string): Promise<InferenceSession> {
    const options = sessionOptions(this.device, this.deviceId);
    return this.exclusively(() => InferenceSession.create(path, options));
  }
}

/** Options of every session, including the probe's. */
export function sessionOptions(device: OnnxDevice, deviceId: number): InferenceSession.SessionOptions {
  return {
    executionProviders: [device === 'cuda' ? { name: 'cuda', deviceId } : device],
    // Workers provide the parallelism; a session's own pool would compete with them.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // The batch varies, so memory patterns, one per shape, would only grow. The arena reuses its memory.
    enableMemPattern: false,
    enableCpuMemArena: true,
    // An x64 processor without VNNI would sum products of bytes in 16 bits, which saturate. With this setting it uses 32
    // bits. Processors with VNNI do so anyway, and the setting would slow comparisons there by a seventh. ONNX Runtime reads
    // it only for its CPU kernels, so it has no effect on a GPU.
    ...(!hasByteDotProducts() && { extra: { session: { x64quantprecision: '1' } } }),
    // Warnings concern nodes that belong on the CPU; errors are thrown anyway.
    logSeverityLevel: 3,
  };
}

class OnnxModel implements LoadedModel {
  private readonly inputName: string;

  constructor(
    readonly spec: ModelSpec,
    private readonly session: InferenceSession,
    private readonly sizes: Pick<Buckets, 'maxBatch' | 'fixed'>,
    private readonly exclusively: Exclusively,
  ) {
    this.inputName = session.inputNames[0] as string;
  }

  async run(pixels: Uint8Array, batch: number): Promise<ModelOutputs> {
    checkPixels(this.spec, pixels, batch);
    const chunks = chunksOf(batch, this.sizes);
    const parts: ModelOutputs[] = [];
    for (const chunk of chunks) parts.push(await this.runChunk(pixels, chunk));
    return parts.length === 1 ? (parts[0] as ModelOutputs) : joined(parts);
  }

  private async runChunk(pixels: Uint8Array, { start, count, size }: Chunk): Promise<ModelOutputs> {
    const { width, height, channels } = this.spec.input;
    const item = product([height, width, channels]);
    let bytes = pixels.subarray(start * item, (start + count) * item);
    if (size > count) {
      const padded = new Uint8Array(size * item);
      padded.set(bytes);
      bytes = padded;
    }
    const tensor = new Tensor('uint8', bytes, [size, height, width, channels]);
    const results = await this.exclusively(() => this.session.run({ [this.inputName]: tensor }));
    return Object.fromEntries(
      Object.entries(results).map(([name, { data }]) => [
        name,
        withoutPadding(data as Float32Array, count, size),
      ]),
    );
  }

  close(): Promise<void> {
    return this.exclusively(() => this.session.release());
  }
}

const withoutPadding = (data: Float32Array, count: number, size: number) =>
  size > count ? data.subarray(0, (data.length / size) * count) : data;

function joined(parts: readonly ModelOutputs[]): ModelOutputs {
  const names = Object.keys(parts[0] as ModelOutputs);
  return Object.fromEntries(
    names.map((name) => [name, concat(parts.map((part) => part[name] as Float32Array))]),
  );
}

function concat(arrays: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
