/**
 * When the items of a request were worked on: submits them and remembers what pool and worker tell, for the timings
 * of the answer and the trace. The batcher does not know of it.
 */
import type { Response } from 'express';
import type { Batcher, Submission } from '../batching/batcher';
import type { OperationName } from '../pipeline/operations';
import type { OperationInput, OperationShapes, WorkerTimings } from '../pool/messages';
import type { PoolObserver } from '../pool/pool';
import type { Timings } from '../wire/protocol';
import type { BytesInFlight } from './bytes-in-flight';
import type { Metrics } from './metrics';

export interface OperationServices {
  readonly batcher: Pick<Batcher<OperationShapes>, 'submit'>;
  readonly bytesInFlight: BytesInFlight;
  readonly metrics: Metrics;
  readonly workTimes: WorkTimes;
}

/** What became of one item. Times of the clock are milliseconds of `performance.now()`. */
export interface Work extends WorkerTimings {
  readonly operation: OperationName;
  readonly submitted: number;
  /** When a worker began with the batch that held it. */
  readonly begun: number;
  /** Items of that batch; its times are theirs together. */
  readonly batchItems: number;
}

type Answered = Pick<Work, 'begun' | 'batchItems'> & WorkerTimings;

/** Told by the pool; finds an item's batch again as long as the item is held. */
export class WorkTimes {
  private readonly byItem = new WeakMap<object, Answered>();

  private readonly answered: NonNullable<PoolObserver['answered']> = (_operation, timings, items) => {
    const begun = performance.now() - timings.serviceMs;
    for (const item of items)
      this.byItem.set(item as object, { ...timings, begun, batchItems: items.length });
  };

  /** Told of answers as well as `observer` is. */
  beside(observer: PoolObserver): PoolObserver {
    return {
      ...observer,
      answered: (...answer) => {
        observer.answered?.(...answer);
        this.answered(...answer);
      },
    };
  }

  of(item: object): Answered | undefined {
    return this.byItem.get(item);
  }
}

/** Submits an item and notes in `res.locals` when it was worked on. @throws as the batcher does */
export async function submit<Name extends OperationName>(
  { batcher, workTimes }: Pick<OperationServices, 'batcher' | 'workTimes'>,
  res: Response,
  task: { operation: Name; input: OperationInput<Name>; submission: Submission },
): Promise<OperationShapes[Name]['output']> {
  const { operation, input, submission } = task;
  const submitted = performance.now();
  const result = await batcher.submit(operation, input, submission);
  const answered = workTimes.of(input);
  if (answered) res.locals.work = [...(res.locals.work ?? []), { operation, submitted, ...answered }];
  return result;
}

/**
 * Answers of all items of a request that needs every one of them. Once one has failed, those that still wait are
 * withdrawn: worked on for nobody, they would keep others out, and at a tier that is full each request would leave one
 * behind in the place of another's.
 * @param submission of the request
 * @param submitAll submits the items with the submission that it is given
 * @throws as the first that fails
 */
export async function together<Results extends readonly unknown[]>(
  submission: Submission,
  submitAll: (submission: Submission) => {
    [Index in keyof Results]: Results[Index] | Promise<Results[Index]>;
  },
): Promise<Results> {
  // Not AbortSignal.any: Node keeps such a signal, and the items of those who listen to it, for as long as the process.
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

/** What the answer says of its time. @param begin when the work on the request began */
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
