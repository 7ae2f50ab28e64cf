/**
 * Records one forward pass of a TFJS model. Graph models, layers models and models written as code all call
 * `engine().runKernel(name, inputs, attrs)`, so the recorded calls are the model. Calls that do not depend on the input are
 * not recorded; their results are constants of the graph.
 */
import * as tf from '@tensorflow/tfjs';
import type { Forward } from '../originals/original';

export type TensorData = Float32Array | Int32Array | Uint8Array;

/** A tensor of the recorded pass, with its shape for one example. */
export interface TracedTensor {
  readonly kind: 'traced';
  readonly id: number;
  readonly shape: readonly number[];
  readonly dtype: string;
}

export interface ConstantTensor {
  readonly kind: 'constant';
  readonly id: number;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly data: TensorData;
}

export type KernelInput = TracedTensor | ConstantTensor;

export interface KernelCall {
  readonly kernel: string;
  /** Inputs by TFJS's own names (`x`, `filter`, ...); lists are keyed "0", "1", ... */
  readonly inputs: Readonly<Record<string, KernelInput>>;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly outputs: readonly TracedTensor[];
}

export interface Trace {
  readonly input: TracedTensor;
  readonly calls: readonly KernelCall[];
  readonly outputs: Readonly<Record<string, TracedTensor>>;
}

type KernelArguments = Record<string, tf.Tensor | tf.Tensor[] | undefined | null>;
type RunKernel = (kernel: string, inputs: KernelArguments, attrs?: Record<string, unknown>) => unknown;

/**
 * Runs `forward` once on a blank example and records its kernel calls.
 * @param inputShape height, width and channels of one example; values are pixels 0 to 255.
 * @throws Error when an output does not depend on the input.
 */
export function trace(forward: Forward, inputShape: readonly [number, number, number]): Trace {
  const engine = tf.engine() as unknown as { runKernel: RunKernel; readSync: (dataId: object) => TensorData };
  const recorder = new Recorder(engine.runKernel.bind(engine));
  const { runKernel, readSync } = engine;
  tf.engine().startScope();
  try {
    const example = tf.zeros([1, ...inputShape], 'int32') as tf.Tensor4D;
    const input = recorder.follow(example);
    engine.runKernel = recorder.runKernel;
    // A value read during the pass would become a constant of this blank example.
    engine.readSync = (dataId) => {
      if (recorder.follows(dataId)) throw new Error('The model reads values that depend on its input');
      return readSync.call(engine, dataId);
    };
    const outputs = Object.entries(forward(example)).map(
      ([name, tensor]) => [name, recorder.traced(name, tensor)] as const,
    );
    return { input, calls: recorder.calls, outputs: Object.fromEntries(outputs) };
  } finally {
    engine.runKernel = runKernel;
    engine.readSync = readSync;
    tf.engine().endScope();
  }
}

class Recorder {
  readonly calls: KernelCall[] = [];
  private readonly followed = new Map<number, TracedTensor>();
  private readonly constants = new Map<number, ConstantTensor>();
  private readonly data = new WeakSet<object>();
  private depth = 0;

  constructor(private readonly run: RunKernel) {}

  follows(dataId: object): boolean {
    return this.depth === 0 && this.data.has(dataId);
  }

  follow(tensor: tf.Tensor): TracedTensor {
    this.data.add(tensor.dataId);
    const traced: TracedTensor = {
      kind: 'traced',
      id: tensor.id,
      shape: [...tensor.shape],
      dtype: tensor.dtype,
    };
    this.followed.set(tensor.id, traced);
    return traced;
  }

  traced(name: string, tensor: tf.Tensor): TracedTensor {
    const traced = this.followed.get(tensor.id);
    if (!traced) throw new Error(`Output "${name}" does not depend on the model's input`);
    return traced;
  }

  readonly runKernel: RunKernel = (kernel, inputs, attrs) => {
    // A kernel may call others; only the outermost call belongs to the graph.
    this.depth += 1;
    let result: unknown;
    try {
      result = this.run(kernel, inputs, attrs);
    } finally {
      this.depth -= 1;
    }
    if (this.depth === 0) this.record(kernel, inputs, attrs ?? {}, result);
    return result;
  };

  private record(
    kernel: string,
    args: KernelArguments,
    attrs: Record<string, unknown>,
    result: unknown,
  ): void {
    const flat = Object.entries(args).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((t, i) => [String(i), t] as const) : [[name, value] as const],
    );
    const inputs = flat.filter(
      (entry): entry is readonly [string, tf.Tensor] => entry[1] instanceof tf.Tensor,
    );
    if (!inputs.some(([, tensor]) => this.followed.has(tensor.id))) return;
    this.calls.push({
      kernel,
      inputs: Object.fromEntries(inputs.map(([name, tensor]) => [name, this.describe(tensor)])),
      attrs,
      outputs: (Array.isArray(result) ? result : [result]).map((tensor: tf.Tensor) => this.follow(tensor)),
    });
  }

  private describe(tensor: tf.Tensor): KernelInput {
    const traced = this.followed.get(tensor.id);
    if (traced) return traced;
    let constant = this.constants.get(tensor.id);
    if (!constant) {
      // Read the values now, because the tensor may be disposed of before the pass ends.
      const data = tensor.dataSync().slice() as TensorData;
      constant = { kind: 'constant', id: tensor.id, shape: [...tensor.shape], dtype: tensor.dtype, data };
      this.constants.set(tensor.id, constant);
    }
    return constant;
  }
}
