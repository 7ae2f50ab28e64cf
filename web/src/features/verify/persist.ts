/** Calls that outlive a lost connection and a busy service. */
import { meaningOf } from './failures';
import type { Answer } from './gateway';
import type { Trouble } from './machine';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const JITTER = 0.2;

/** @param tries so many that failed in a row, from 1 */
export const backoffMs = (tries: number, random = Math.random) =>
  Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS) * (1 + JITTER * (random() - 0.5));

interface Persistence {
  signal: AbortSignal;
  onTrouble(trouble: Trouble): void;
  /** Whether another try still makes sense. */
  worthwhile(): boolean;
}

/** Repeats a call for as long as it meets nothing but trouble. The last answer is the answer. */
export async function persist<T>(
  call: (signal: AbortSignal) => Promise<Answer<T>>,
  { signal, onTrouble, worthwhile }: Persistence,
): Promise<Answer<T>> {
  for (let tries = 1; ; tries++) {
    const answer = await call(signal);
    if (answer.ok || signal.aborted) return answer;
    const meaning = meaningOf(answer.failure);
    if (meaning.kind !== 'wait' || !worthwhile()) return answer;
    onTrouble(meaning.trouble);
    await rest(meaning.afterMs ?? backoffMs(tries), signal);
  }
}

/** Ends early when the connection is back, or when nobody waits any more. */
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
