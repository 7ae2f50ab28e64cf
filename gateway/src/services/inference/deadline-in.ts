import { Cancellation } from '../../async/cancellation';
import { ApiError } from '../../errors';
import type { Deadline } from './inference-client';

/**
 * @param ms from now.
 * @param outer a deadline that also applies: where it comes first, the work ends with its reason.
 * @returns a deadline after which work ends with DEADLINE_EXCEEDED, and a function that stops its timer.
 */
export function deadlineIn(
  ms: number,
  outer?: Deadline,
): { readonly deadline: Deadline; readonly end: () => void } {
  const until = performance.now() + ms;
  const signal = new Cancellation();
  const onAbort = () => signal.abort(outer?.signal.reason as Error);
  const timer = setTimeout(() => signal.abort(new ApiError('DEADLINE_EXCEEDED')), ms);
  outer?.signal.addEventListener('abort', onAbort);
  if (outer?.signal.aborted) onAbort();
  return {
    deadline: {
      signal,
      leftMs: () => Math.min(until - performance.now(), outer?.leftMs() ?? Number.POSITIVE_INFINITY),
    },
    end: () => {
      clearTimeout(timer);
      outer?.signal.removeEventListener('abort', onAbort);
    },
  };
}
