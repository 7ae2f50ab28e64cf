/**
 * The one interface between the pipeline and whatever runs a model. Nothing above this file knows a runtime.
 */
export interface ModelSpec {
  readonly id: string;
  /** Path of the file that the backend loads. */
  readonly path: string;
  readonly input: { readonly width: number; readonly height: number; readonly channels: number };
  readonly outputs: readonly { readonly name: string; readonly shape: readonly number[] }[];
}

/** Values by output name; each holds `batch * product(shape)` numbers, row-major. */
export type ModelOutputs = Readonly<Record<string, Float32Array>>;

export interface Model {
  readonly spec: ModelSpec;
  /**
   * @param pixels uint8 [batch, height, width, channels], row-major, values 0 to 255.
   * @throws Error when the number of bytes does not fit the batch.
   */
  run(pixels: Uint8Array, batch: number): Promise<ModelOutputs>;
  close(): Promise<void>;
}

export interface Backend {
  /** What computes: `cpu`, later `cuda` or `webgpu`. */
  readonly device: string;
  load(spec: ModelSpec): Promise<Model>;
}

export const product = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);
