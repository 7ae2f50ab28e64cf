import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './phone';

/**
 * Repeats a call until it is done, as every client is told to.
 * @param expected reasons of refusals that are as good as an answer
 * @throws Error with any other refusal that trying again would not change
 */
export async function retryCall(
  call: () => Promise<Answer>,
  expected: readonly string[] = [],
): Promise<Answer> {
  for (;;) {
    const answer = await call().catch(() => undefined);
    if (answer?.status === 200) return answer;
    const reason = answer?.body.error.reason;
    if (answer && expected.includes(reason)) return answer;
    const passing = !answer || answer.status >= 500 || reason === 'checking' || reason === 'inProgress';
    if (!passing) throw new Error(JSON.stringify(answer.body));
    await delay(Math.min(1_000, 1_000 * Number(answer?.headers.get('retry-after') ?? 0.1)));
  }
}
