import { fill } from '../../../../fill';
import { type Attempt, useWebhooks } from './endpoint-data';

/** Describes an attempt in a few words: the status of the response, or why there was none. */
export function useOutcome(): (attempt: Attempt) => string {
  const { status: statusText, failures, noAttempt } = useWebhooks().words.webhooks;
  return ({ status, failure }) => {
    if (status !== undefined) return fill(statusText, { status: String(status) });
    if (failure !== undefined) return failures[failure as keyof typeof failures] ?? failure;
    return noAttempt;
  };
}
