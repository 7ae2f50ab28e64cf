/** `interactive`: a person waits; `batch`: bulk work that gets the remaining capacity, but never none. */
export type Priority = 'interactive' | 'batch';

/** An item in the queue, with the promise of its caller. */
export interface Waiting {
  readonly operation: string;
  /** The account that is served. Accounts share the workers fairly. */
  readonly account: string;
  readonly item: unknown;
  readonly weight: number;
  readonly priority: Priority;
  /** Moment of the scheduler's clock in milliseconds. */
  readonly enqueued: number;
  /** Moment of the scheduler's clock in milliseconds; infinite without a deadline. */
  readonly deadline: number;
  /** The flag of its `Ticket`. */
  readonly abandoned: SharedArrayBuffer;
  resolve(result: unknown): void;
  reject(error: Error): void;
}
