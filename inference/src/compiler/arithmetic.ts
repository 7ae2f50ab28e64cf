/**
 * Arithmetic on float values of a graph. Operands broadcast as in ONNX, and a number is a constant. Nothing here is a matrix
 * product, because GPUs may compute those with 10 bits of mantissa (TF32), too few for positions in an image.
 */
import { elementTypes } from '../onnx-format/onnx-file';
import type { Graph } from './graph';

/** The name of a value, or a number. */
export type Operand = string | number;

export class Arithmetic {
  readonly add = this.chain('Add');
  readonly mul = this.chain('Mul');
  readonly sub = this.chain('Sub');
  readonly div = this.chain('Div');
  readonly min = this.chain('Min');
  readonly max = this.chain('Max');

  constructor(readonly graph: Graph) {}

  floor = (a: string) => this.graph.node('Floor', [a]);
  sqrt = (a: string) => this.graph.node('Sqrt', [a]);
  exp = (a: string) => this.graph.node('Exp', [a]);
  float = (a: string) => this.graph.node('Cast', [a], { to: elementTypes.float });
  int32 = (a: string) => this.graph.node('Cast', [a], { to: elementTypes.int32 });

  /** 1 where a >= b, else 0. */
  atLeast = (a: Operand, b: Operand) => this.float(this.node('GreaterOrEqual', [a, b]));

  /** `yes` where the condition is 1, `no` where it is 0. */
  where = (condition: string, yes: Operand, no: Operand) =>
    this.graph.node('Where', [this.node('Greater', [condition, 0.5]), this.name(yes), this.name(no)]);

  /** Sum along an axis, which stays with length 1. */
  sum = (a: string, axis: number) => this.graph.node('ReduceSum', [a, this.graph.int64s([axis])]);
  largest = (a: string, axis: number) => this.graph.node('ReduceMax', [a], { axes: [axis] });
  least = (a: string, axis: number) => this.graph.node('ReduceMin', [a], { axes: [axis] });

  hypot = (a: string, b: string) => this.sqrt(this.add(this.mul(a, a), this.mul(b, b)));

  concat = (axis: number, ...parts: string[]) => this.graph.node('Concat', parts, { axis });
  reshape = (a: string, shape: readonly number[]) =>
    this.graph.node('Reshape', [a, this.graph.int64s(shape)]);

  /** Values `begin` to `end` along an axis. */
  slice = (a: string, axis: number, begin: number, end = begin + 1) =>
    this.graph.node('Slice', [a, ...[[begin], [end], [axis]].map((bound) => this.graph.int64s(bound))]);

  constant(values: ArrayLike<number>, dims: readonly number[]): string {
    return this.graph.constant(Float32Array.from(values), dims, 'float');
  }

  private chain(op: string) {
    return (...[first, ...rest]: [Operand, ...Operand[]]) =>
      rest.reduce<string>((sum, operand) => this.node(op, [sum, operand]), this.name(first));
  }

  private node(op: string, operands: readonly Operand[]): string {
    return this.graph.node(
      op,
      operands.map((operand) => this.name(operand)),
    );
  }

  private name(operand: Operand): string {
    return typeof operand === 'number' ? this.graph.float(operand) : operand;
  }
}
