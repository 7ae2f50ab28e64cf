/** A dispatcher whose batches end when the test says so. */
import type { Dispatcher } from '../src/batching/batcher';

export interface HeldBatch {
  readonly operation: string;
  readonly items: readonly unknown[];
  /** Returns every item in capitals by default. */
  finish(results?: readonly unknown[]): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** Lets settled promises reach their awaiters. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export class ManualDispatcher implements Dispatcher {
  /** Every batch so far, in the order of dispatch. */
  readonly batches: HeldBatch[] = [];

  constructor(public capacity = 1) {}

  dispatch(operation: string, items: readonly unknown[]): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.batches.push({
        operation,
        items,
        finish: (results = items.map((item) => String(item).toUpperCase())) => {
          resolve(results);
          return settle();
        },
        fail: (error) => {
          reject(error);
          return settle();
        },
      });
    });
  }

  /** The dispatched batches, `operation:items`. */
  get log(): string[] {
    return this.batches.map(({ operation, items }) => `${operation}:${items.join('')}`);
  }

  batch(index: number): HeldBatch {
    return this.batches[index] as HeldBatch;
  }
}
