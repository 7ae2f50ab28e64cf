/** A dispatcher whose items the test ends. */

import type { Done } from '../src/pool/pool';
import type { Dispatcher, Ticket } from '../src/scheduling/scheduler';

export interface HeldRun {
  readonly operation: string;
  readonly item: unknown;
  readonly ticket: Ticket;
  /** Returns the item in capitals by default. @param busyMs what it cost */
  finish(result?: unknown, busyMs?: number): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** Lets settled promises reach their awaiters. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export class ManualDispatcher implements Dispatcher<Done> {
  /** Every item so far, in the order of dispatch. */
  readonly runs: HeldRun[] = [];

  constructor(public capacity = 1) {}

  dispatch(operation: string, item: unknown, ticket: Ticket): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.runs.push({
        operation,
        item,
        ticket,
        finish: (result = String(item).toUpperCase(), busyMs = 1) => {
          const timings = { serviceMs: 0, decodeMs: 0, priceMs: 0, models: {} };
          resolve({ result: result as Done['result'], timings, busyMs });
          return settle();
        },
        fail: (error) => {
          reject(error);
          return settle();
        },
      });
    });
  }

  /** The dispatched items, with spaces between them. */
  get log(): string {
    return this.runs.map(({ item }) => item).join(' ');
  }

  run(index: number): HeldRun {
    return this.runs[index] as HeldRun;
  }
}
