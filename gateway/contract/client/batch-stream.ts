/** Reads the results of a batch as they arrive, one line of JSON each (NDJSON). */

import type { BatchOutcome } from './batch.ts';
import { PresenzaError } from './errors.ts';
import { envelopeError, isErrorResponse, parseJson, unexpectedResponse } from './response.ts';
import type { TransportResponse } from './transport.ts';
import type { BatchEnd } from './types.d.ts';

/** Splits chunks of text into lines. The last line may lack its line feed. */
function lineReader(response: TransportResponse): () => Promise<string | undefined> {
  let rest = '';
  let ended = false;
  return async () => {
    let end = rest.indexOf('\n');
    while (end < 0 && !ended) {
      const piece = await response.read();
      ended = piece === undefined;
      const searched = rest.length;
      rest += piece ?? '';
      end = rest.indexOf('\n', searched);
    }
    const line = end < 0 ? rest : rest.slice(0, end);
    rest = end < 0 ? '' : rest.slice(end + 1);
    return line === '' && end < 0 ? undefined : line;
  };
}

export interface BatchStreamOptions {
  /** Sends the batch; called once, for the first result. */
  readonly open: () => Promise<TransportResponse>;
  /** Results to expect, one for each operation. */
  readonly count: number;
  /** Converts an error of the transport into the error for the caller. */
  readonly failure: (error: unknown) => unknown;
  readonly now: () => number;
}

/**
 * Iterates over the results in the order of their arrival.
 *
 * The iterator is written by hand, because k6 has no async generators and never finishes compiling `for await`.
 */
export function batchStream(options: BatchStreamOptions): AsyncIterableIterator<BatchOutcome> {
  let response: TransportResponse | undefined;
  let nextResult: (() => Promise<BatchOutcome | undefined>) | undefined;
  let over = false;
  const done = { done: true, value: undefined } as const;

  return {
    async next() {
      if (over) return done;
      try {
        response ??= await options.open();
        nextResult ??= resultReader(response, options);
        const value = await nextResult();
        if (value !== undefined) return { done: false, value };
        over = true;
        return done;
      } catch (error) {
        over = true;
        await response?.cancel().catch(() => {});
        throw options.failure(error);
      }
    },
    async return() {
      if (!over) await response?.cancel();
      over = true;
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** @throws {PresenzaError} CONNECTION_FAILED if the response ends before every operation has its result */
function resultReader(response: TransportResponse, { count, now }: BatchStreamOptions) {
  if (!response.header('content-type')?.startsWith('application/x-ndjson'))
    throw unexpectedResponse(response);
  const nextLine = lineReader(response);
  let seen = 0;
  return async (): Promise<BatchOutcome | undefined> => {
    const value = parseJson((await nextLine()) ?? '');
    if (isErrorResponse(value) && !('index' in value)) throw envelopeError(value, response, now());
    if (isEnd(value) && seen === count) return undefined;
    if (!isResult(value)) throw incomplete(seen, count);
    seen += 1;
    return value;
  };
}

/** Whether this is the last line, which has the totals. */
const isEnd = (value: unknown): boolean =>
  typeof (value as Partial<BatchEnd> | null | undefined)?.data?.succeeded === 'number';

const isResult = (value: unknown): value is BatchOutcome =>
  typeof (value as Partial<BatchOutcome> | null | undefined)?.index === 'number';

function incomplete(seen: number, count: number): PresenzaError {
  return new PresenzaError({
    code: 'CONNECTION_FAILED',
    message: `The response ended after ${seen} of ${count} results. Repeat the batch with the same idempotencyKey: nothing is billed twice.`,
  });
}
