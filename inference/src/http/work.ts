/** Submits the items of a request and records when workers ran them, for the timings of the response and for the trace. */
import type { Response } from 'express';
import type { ItemResult, OperationInput, OperationName, OperationOutput } from '../pipeline/operations';
import { busyMsOf, type WorkerTimings } from '../pool/messages';
import type { Done } from '../pool/pool';
import type { Scheduler, Submission } from '../scheduling/scheduler';
import type { Timings } from '../wire';
import type { BytesInFlight } from './bytes-in-flight';
import type { Metrics } from './metrics';

export interface OperationServices {
  readonly scheduler: Pick<Scheduler<Done>, 'submit'>;
  readonly bytesInFlight: BytesInFlight;
  readonly metrics: Metrics;
}

/** The run of one item. Times of the clock are milliseconds of `performance.now()`. */
export interface Work extends WorkerTimings {
  readonly operation: OperationName;
  readonly submitted: number;
  /** When a worker began the item. */
  readonly begun: number;
}

/** Submits an item and records its run in `res.locals`. @throws as the scheduler does */
export async function submit<Name extends OperationName>(
  { scheduler }: Pick<OperationServices, 'scheduler'>,
  res: Response,
  task: { operation: Name; input: OperationInput<Name>; submission: Submission },
): Promise<ItemResult<OperationOutput<Name>>> {
  const { operation, input, submission } = task;
  const submitted = performance.now();
  const { result, timings } = await scheduler.submit(operation, input, submission);
  const work: Work = { operation, submitted, begun: performance.now() - timings.serviceMs, ...timings };
  res.locals.work = [...(res.locals.work ?? []), work];
  res.set('x-work', String(operationsOf(res.locals.work)));
  return result as ItemResult<OperationOutput<Name>>;
}

/**
 * Submits several items of a request that needs all of their results. When one fails, the items that still wait are
 * withdrawn, because in a full queue they would take the places of other requests' items.
 * @param submission of the request
 * @param submitAll submits the items with the submission that it receives
 * @throws the first failure
 */
export async function together<Result>(
  submission: Submission,
  submitAll: (submission: Submission) => readonly Promise<Result>[],
): Promise<Result[]> {
  // AbortSignal.any does not fit: Node keeps its signal, and the items of its listeners, until the process exits.
  const withdrawal = new AbortController();
  const withdraw = () => withdrawal.abort();
  if (submission.signal?.aborted) withdraw();
  submission.signal?.addEventListener('abort', withdraw, { once: true });
  try {
    return await Promise.all(submitAll({ ...submission, signal: withdrawal.signal }));
  } catch (error) {
    withdraw();
    throw error;
  }
}

/** Decoding time that counts as one operation: several times that of an ordinary photograph. */
const msPerOperation = 100;

/** How many operations the images of a request are worth, by the price of decoding them; at least one. */
const operationsOf = (all: readonly Work[]) =>
  Math.max(1, Math.ceil(all.reduce((sum, { priceMs }) => sum + priceMs, 0) / msPerOperation));

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
    modelMs: busyMsOf(last.models),
  };
}
