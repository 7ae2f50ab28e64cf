/**
 * Runs the graph of a compiled ONNX file on TensorFlow.js, operation by operation. ONNX Runtime does the same much faster;
 * the results of both must agree.
 */
import * as tf from '@tensorflow/tfjs';
import type { OnnxModel } from '../onnx-format/onnx-file';
import { readOnnx } from '../onnx-format/read-onnx';
import { type Buckets, buckets } from './buckets';
import { Constants, inFileOrder, operations, type Run, toFileOrder, type Value } from './tfjs-operations';

interface Step {
  readonly run: Run;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Values that no later step reads. */
  readonly spent: readonly string[];
}

export class TfjsGraph {
  private constructor(
    private readonly input: string,
    private readonly outputs: readonly string[],
    private readonly steps: readonly Step[],
    private readonly weights: tf.Tensor[],
    /** A file made for one batch size accepts no other. */
    readonly sizes: Pick<Buckets, 'maxBatch' | 'fixed'>,
  ) {}

  /**
   * @param file bytes of the compiled file of the model `id`.
   * @throws Error, one sentence that names the model, and the operation if there is one that TFJS does not run here.
   */
  static load(file: Uint8Array, id: string): TfjsGraph {
    const model = readOnnx(file);
    const [input] = model?.inputs ?? [];
    if (!model || !input) throw refusal(id, 'parts');
    const constants = new Constants(model.initializers);
    const steps: Step[] = [];
    // Frees everything except what operations keep.
    tf.tidy(() => {
      steps.push(...stepsOf(model, id, constants));
    });
    const outputs = model.outputs.map(({ name }) => name);
    const batch = input.dims?.[0];
    const sizes =
      typeof batch === 'number' ? { maxBatch: batch, fixed: [batch] } : { maxBatch: buckets.cpu.maxBatch };
    return new TfjsGraph(input.name, outputs, steps, constants.kept, sizes);
  }

  /**
   * @param pixels int32 [batch, height, width, channels].
   * @returns tensors by the names of the graph's outputs; the caller disposes of them.
   */
  forward(pixels: tf.Tensor4D): Record<string, tf.Tensor> {
    return tf.tidy(() => {
      const values = new Map<string, Value>([[this.input, inFileOrder(tf.clone(pixels))]]);
      const find = (name: string) => values.get(name) as Value;
      for (const { run, inputs, output, spent } of this.steps) {
        const operands = inputs.map(find);
        values.set(
          output,
          tf.tidy(() => run(...operands)),
        );
        // Otherwise every value stays in memory until the last step.
        for (const name of spent) values.get(name)?.tensor.dispose();
      }
      return Object.fromEntries(this.outputs.map((name) => [name, toFileOrder(find(name))]));
    });
  }

  dispose(): void {
    tf.dispose(this.weights);
  }
}

function stepsOf({ nodes, outputs }: OnnxModel, id: string, constants: Constants): Step[] {
  const returned = new Set(outputs.map(({ name }) => name));
  const lastReaders = new Map(nodes.flatMap((node) => node.inputs.map((name) => [name, node] as const)));
  return nodes.map((node) => {
    const run = operations[node.op]?.(node, constants);
    if (!run) throw refusal(id, `an operation ${node.op}`);
    const spent = [...new Set(node.inputs)].filter(
      (name) => lastReaders.get(name) === node && !returned.has(name),
    );
    return { run, inputs: node.inputs, output: node.outputs[0] as string, spent };
  });
}

const refusal = (id: string, what: string) =>
  new Error(
    `The model ${id} has ${what} that INFERENCE_BACKEND=tfjs does not run; choose another in INFERENCE_MODELS or set INFERENCE_BACKEND=onnx`,
  );
