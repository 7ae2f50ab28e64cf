import type { Delivery, WebhookDeliveryDecision } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { useWebhooks } from './use-webhooks';

type Attempt = Pick<Delivery, 'status' | 'failure'>;

/** Describes an attempt briefly: the status of the response, or why there was none. */
export function useOutcome(): (attempt: Attempt) => string {
  const { status: statusText, failures, noAttempt } = useWebhooks().texts.webhooks;
  return ({ status, failure }) => {
    if (status !== undefined) return fill(statusText, { status: String(status) });
    if (failure !== undefined) return failures[failure];
    return noAttempt;
  };
}

/** Describes a decision, and why the setting of the endpoint decided if the endpoint did not. */
export function useDecision(): (decision: WebhookDeliveryDecision) => string {
  const { status: statusText, failures, decisions } = useWebhooks().texts.webhooks;
  const { choices, instead, noDecision, faults } = decisions;
  return ({ decision, failure, status, fault }) => {
    const choice = choices[decision];
    if (failure === undefined) return choice;
    if (fault !== undefined) return fill(instead, { decision: choice, why: faults[fault] });
    if (failure === 'status') {
      return fill(instead, { decision: choice, why: fill(statusText, { status: String(status) }) });
    }
    const why = failure === 'response' || failure === 'unavailable' ? noDecision[failure] : failures[failure];
    return fill(instead, { decision: choice, why });
  };
}
