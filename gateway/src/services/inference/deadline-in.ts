import { Cancellation } from '../../async/cancellation';
import { AppError } from '../../errors';
import type { Deadline } from './inference-client';

/**
 * @param ms from now.
 * @param outer one that holds as well, if any: the work ends with its reason where it comes first.
 * @returns a deadline beyond which work ends with DEADLINE_EXCEEDED, and what ends the watch for it once it is done.
 */
export function deadlineIn(
  ms: number,
  outer?: Deadline,
): { readonly deadline: Deadline; readonly end: () => void } {
  const until = performance.now() + ms;
  const signal = new Cancellation();
  const onAbort = () => signal.abort(outer?.signal.reason as Error);
  const timer = setTimeout(() => signal.abort(new AppError('DEADLINE_EXCEEDED')), ms);
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
