/**
 * Submits the items of a request and records when workers ran them, for the timings of the response and for the trace.
 * The batcher does not depend on it.
 */
import type { Response } from 'express';
import type { Batcher, Submission } from '../batching/batcher';
import type { OperationInput, OperationName } from '../pipeline/operations';
import type { OperationShapes, WorkerTimings } from '../pool/messages';
import type { PoolObserver } from '../pool/pool';
import type { Timings } from '../wire';
import type { BytesInFlight } from './bytes-in-flight';
import type { Metrics } from './metrics';

export interface OperationServices {
  readonly batcher: Pick<Batcher<OperationShapes>, 'submit'>;
  readonly bytesInFlight: BytesInFlight;
  readonly metrics: Metrics;
  readonly workTimes: WorkTimes;
}

/** The run of one item. Times of the clock are milliseconds of `performance.now()`. */
export interface Work extends WorkerTimings {
  readonly operation: OperationName;
  readonly submitted: number;
  /** When a worker began the batch of the item. */
  readonly begun: number;
  /** Items of that batch; its times cover all of them. */
  readonly batchItems: number;
}

type Run = Pick<Work, 'begun' | 'batchItems'> & WorkerTimings;

/** Remembers the run of each item for as long as the item exists. */
export class WorkTimes {
  private readonly byItem = new WeakMap<object, Run>();

  private readonly completed: NonNullable<PoolObserver['completed']> = (_operation, timings, items) => {
    const begun = performance.now() - timings.serviceMs;
    for (const item of items)
      this.byItem.set(item as object, { ...timings, begun, batchItems: items.length });
  };

  /** @returns an observer that records runs here and reports everything to `observer` */
  observe(observer: PoolObserver): PoolObserver {
    return {
      ...observer,
      completed: (...batch) => {
        observer.completed?.(...batch);
        this.completed(...batch);
      },
    };
  }

  of(item: object): Run | undefined {
    return this.byItem.get(item);
  }
}

/** Submits an item and records its run in `res.locals`. @throws as the batcher does */
export async function submit<Name extends OperationName>(
  { batcher, workTimes }: Pick<OperationServices, 'batcher' | 'workTimes'>,
  res: Response,
  task: { operation: Name; input: OperationInput<Name>; submission: Submission },
): Promise<OperationShapes[Name]['output']> {
  const { operation, input, submission } = task;
  const submitted = performance.now();
  const result = await batcher.submit(operation, input, submission);
  const run = workTimes.of(input);
  if (run) res.locals.work = [...(res.locals.work ?? []), { operation, submitted, ...run }];
  return result;
}

/**
 * Submits several items of a request that needs all of their results. When one fails, the items that still wait are
 * withdrawn, because in a full queue they would take the places of other requests' items.
 * @param submission of the request
 * @param submitAll submits the items with the submission that it receives
 * @throws the first failure
 */
export async function together<Results extends readonly unknown[]>(
  submission: Submission,
  submitAll: (submission: Submission) => {
    [Index in keyof Results]: Results[Index] | Promise<Results[Index]>;
  },
): Promise<Results> {
  // Not AbortSignal.any: Node keeps such a signal, and the items of its listeners, until the process exits.
  const withdrawal = new AbortController();
  const withdraw = () => withdrawal.abort();
  if (submission.signal?.aborted) withdraw();
  submission.signal?.addEventListener('abort', withdraw, { once: true });
  try {
    return (await Promise.all(submitAll({ ...submission, signal: withdrawal.signal }))) as unknown as Results;
  } catch (error) {
    withdraw();
    throw error;
  }
}

const endOf = ({ begun, serviceMs }: Work) => begun + serviceMs;

/** @param begin when the handler of the request began */
export function timingsOf({ locals }: Response, begin: number): Timings {
  const totalMs = performance.now() - begin;
  const all: readonly Work[] = locals.work ?? [];
  if (all.length === 0) return { totalMs };
  const last = all.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
  return {
    totalMs,
    queueMs: Math.max(0, last.begun - last.submitted),
    decodeMs: last.decodeMs,
    modelMs: Object.values(last.modelMs).reduce((sum, ms) => sum + ms, 0),
  };
}
