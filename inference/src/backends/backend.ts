/**
 * The interface between the pipeline and the runtimes of its models. The code that serves imports a runtime only in this
 * folder. The compiler and `originals` import runtimes, too, to record originals and to compare compiled models with them.
 */
import type { Decoding } from '../catalogue/manifest-parts';
import type { Buckets } from './buckets';
import type { Device } from './device';

export interface ModelSpec {
  readonly id: string;
  /** Path of the compiled file. */
  readonly path: string;
  readonly input: { readonly width: number; readonly height: number; readonly channels: number };
  readonly outputs: readonly { readonly name: string; readonly shape: readonly number[] }[];
  /** How the pipeline reads the outputs of a detector; backends ignore it. */
  readonly decoding?: Decoding;
  /** Folder of the model's manifest, for a backend that reads originals. Default: the built-in catalogue. */
  readonly folder?: string;
}

/** Values by output name; each holds `batch * product(shape)` numbers, row-major. */
export type ModelOutputs = Readonly<Record<string, Float32Array>>;

export interface Model {
  readonly spec: ModelSpec;
  /**
   * @param pixels uint8 [batch, height, width, channels], row-major, values 0 to 255.
   * @param batch a whole number from 1; the backend splits it into the sizes that its device supports.
   * @throws Error if the number of bytes does not fit the batch.
   */
  run(pixels: Uint8Array, batch: number): Promise<ModelOutputs>;
}

export interface LoadedModel extends Model {
  close(): Promise<void>;
}

/** Whole numbers of 32 bits, row-major. */
export interface IntTensor {
  readonly data: Int32Array;
  readonly dims: readonly number[];
}

/** A graph with inputs of its own, unlike the models, which take pixels of one size. */
export interface Program {
  /** Batches that the device accepts. */
  readonly sizes: Pick<Buckets, 'maxBatch' | 'fixed'>;
  /** The first dimension of every input and output is the batch. */
  run(inputs: Readonly<Record<string, IntTensor>>): Promise<ModelOutputs>;
  close(): Promise<void>;
}

export interface Backend {
  readonly name: BackendName;
  readonly device: Device;
  /** Batches to run once before the first request: the first run of a shape plans and allocates. */
  readonly warmBatches: readonly number[];
  load(spec: ModelSpec): Promise<LoadedModel>;
  /** Loads an ONNX file whose inputs are 32-bit integers and whose outputs are floats. Only ONNX Runtime can. */
  loadProgram?(path: string): Promise<Program>;
}

export type BackendName = 'onnx' | 'tfjs';

/** The backend and device that the main thread chose for a worker. */
export interface BackendChoice {
  readonly name: BackendName;
  readonly device: Device;
  /** Selects one of several devices of a kind. */
  readonly deviceId: number;
  /** Memory of the lock that all threads on this device share; absent if the provider is thread-safe. */
  readonly lockMemory?: SharedArrayBuffer;
}

export const product = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

/** The values of one example in an output of a batch, without copying. */
export function exampleOf(output: Float32Array | undefined, index: number, batch: number): Float32Array {
  const values = output as Float32Array;
  const length = values.length / batch;
  return values.subarray(index * length, (index + 1) * length);
}

/** @throws Error unless the bytes are those of a whole batch */
export function checkPixels({ id, input }: ModelSpec, pixels: Uint8Array, batch: number): void {
  const expected = product([batch, input.height, input.width, input.channels]);
  if (batch < 1 || !Number.isInteger(batch) || pixels.length !== expected) {
    throw new Error(`${id} takes ${expected} bytes for a batch of ${batch}, not ${pixels.length}`);
  }
}
