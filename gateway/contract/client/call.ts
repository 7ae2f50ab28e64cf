/** Runs one call as attempts within a deadline, all with the same Idempotency-Key. */

import { PresenzaError } from './errors.ts';
import { errorOf, readText } from './response.ts';
import { delayMs, isRetryable, isUnderWay } from './retry.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Dependencies of a call. Tests replace the clock. */
export interface CallContext {
  readonly transport: Transport;
  /** Maximum number of retries. */
  readonly retries: number;
  readonly timeoutMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Resolves after the given milliseconds; may reject when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How a method of the client becomes a request. */
export interface Operation {
  readonly method: TransportRequest['method'];
  /** The path, with `{name}` for each id that the method takes as an argument. */
  readonly path: string;
  /** Options that the query string carries. */
  readonly query?: readonly string[];
  /** Whether its body is an empty object, which the method does not take as an argument. */
  readonly isEmpty?: boolean;
}

export type CallRequest = Omit<TransportRequest, 'timeoutMs'>;

/**
 * Sends a request until it succeeds, fails permanently, or runs out of retries or time.
 * @param read reads the response; if the connection fails meanwhile, the request is retried
 * @throws {PresenzaError}
 * @throws the signal's reason once it is aborted
 */
export async function call<T>(
  context: CallContext,
  request: CallRequest,
  read: (response: TransportResponse) => Promise<T>,
): Promise<T> {
  const { retries, timeoutMs, random, sleep, now } = context;
  const { signal } = request;
  const deadline = now() + timeoutMs;
  let failures = 0;
  let retried = 0;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt(context, { ...request, timeoutMs: deadline - now() }, read);
    } catch (thrown) {
      const error = failureOf(thrown, signal);
      if (!(error instanceof PresenzaError)) throw error;
      if (!isUnderWay(error)) {
        if (!isRetryable(error) || retried >= retries) throw error;
        retried += 1;
      }
      failures += 1;
      const delay = delayMs(error, failures, random);
      // Fail now instead of waiting past the deadline.
      if (now() + delay >= deadline) throw error;
      await sleep(delay, signal);
    }
  }
}

async function attempt<T>(
  { transport, now }: CallContext,
  request: TransportRequest,
  read: (response: TransportResponse) => Promise<T>,
): Promise<T> {
  const response = await transport(request);
  if (response.status >= 200 && response.status < 300) return read(response);
  throw errorOf(response, await readText(response), now());
}

/** Returns the error for the caller: a PresenzaError, or the reason of the signal. */
export function failureOf(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof PresenzaError) return thrown;
  if (signal?.aborted) return signal.reason;
  if ((thrown as Partial<Error> | undefined)?.name === 'TimeoutError')
    return new PresenzaError({ code: 'TIMED_OUT', message: 'The call took too long.', cause: thrown });
  return new PresenzaError({ code: 'CONNECTION_FAILED', message: 'The connection failed.', cause: thrown });
}

/** Waits between attempts. */
export function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
