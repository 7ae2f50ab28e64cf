/** Webhook endpoints and deliveries as the API shows them. */
import { type Role, useAccount } from '../../state/context';

export interface Endpoint {
  readonly webhookId: string;
  readonly url: string;
  /** Whether the URL is only its origin, because the rest may contain a secret. */
  readonly urlHidden?: true;
  readonly events: readonly string[];
  readonly mode: 'live' | 'test' | 'both';
  readonly type: 'async' | 'sync';
  readonly onFailure?: 'continue' | 'reject';
  readonly createdAt: string;
  readonly earlierSecretsSignUntil?: readonly string[];
  readonly disabledAt?: string;
  readonly disabledBecause?: 'operator' | 'gone' | 'failing';
}

export interface Attempt {
  readonly status?: number;
  readonly failure?: string;
  readonly tookMs?: number;
}

export interface Delivery extends Attempt {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly timestamp: string;
  readonly livemode?: boolean;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastAttemptAt?: string;
  readonly nextAttemptAt?: string;
}

export const deliveryStates = ['pending', 'delivered', 'dead', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface ExplainedDelivery extends Delivery {
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly payload: object;
  };
  readonly history: readonly (Attempt & { readonly at: string })[];
}

const makers: readonly Role[] = ['owner', 'developer'];

/** The path of the account's webhooks, and whether the person may change them. */
export function useWebhooks() {
  const { account, ...state } = useAccount();
  const path = `/accounts/${account.accountId}`;
  return { ...state, account, path, webhooks: `${path}/webhooks`, mayChange: makers.includes(account.role) };
}
