/** Retries calls after a lost connection or an overload. */
import { meaningOf } from './failures';
import type { Result } from './gateway';
import type { Trouble } from './machine';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const JITTER = 0.2;

/** @param tries consecutive failures, from 1 */
export const backoffMs = (tries: number, random = Math.random) =>
  Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS) * (1 + JITTER * (random() - 0.5));

interface Persistence {
  signal: AbortSignal;
  onTrouble(trouble: Trouble): void;
}

/** Retries a call while its failures are temporary. Resolves to the last result. */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<Result<T>>,
  { signal, onTrouble }: Persistence,
): Promise<Result<T>> {
  for (let tries = 1; ; tries++) {
    const result = await call(signal);
    if (result.ok || signal.aborted) return result;
    const meaning = meaningOf(result.failure);
    if (meaning.kind !== 'wait') return result;
    onTrouble(meaning.trouble);
    await rest(meaning.afterMs ?? backoffMs(tries), signal);
  }
}

/** Ends early when the connection is back or the signal aborts. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
