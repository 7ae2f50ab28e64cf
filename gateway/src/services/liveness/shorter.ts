import { AppError } from '../../errors';
import { Cancellation } from '../cancellation';
import type { Deadline } from '../inference/inference-client';

/**
 * A deadline within another one, and what ends the watch for it, to be called once the work is done. Beyond it the
 * work ends with DEADLINE_EXCEEDED, or with the outer one's reason where that came first.
 */
export function shorter(outer: Deadline, ms: number): { readonly deadline: Deadline; end(): void } {
  const until = performance.now() + ms;
  const signal = new Cancellation();
  const onAbort = () => signal.abort(outer.signal.reason as Error);
  const timer = setTimeout(() => signal.abort(new AppError('DEADLINE_EXCEEDED')), ms);
  outer.signal.addEventListener('abort', onAbort);
  if (outer.signal.aborted) onAbort();
  return {
    deadline: { signal, leftMs: () => Math.min(outer.leftMs(), until - performance.now()) },
    end() {
      clearTimeout(timer);
      outer.signal.removeEventListener('abort', onAbort);
    },
  };
}
