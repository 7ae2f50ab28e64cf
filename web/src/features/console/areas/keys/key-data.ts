/** API keys as the console's API describes them, never the keys themselves. */
import { useAccount } from '../../state/context';
import type { Words } from '../../state/words';

export type ProductId = keyof Words['keys']['products'];

export interface ApiKey {
  readonly keyId: string;
  readonly mode: 'live' | 'test';
  readonly name?: string;
  /** Absent: all. */
  readonly products?: readonly ProductId[];
  /** Absent: any. */
  readonly cidrs?: readonly string[];
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly rolledTo?: string;
  /** Id of the key that created it. */
  readonly createdByKey?: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly lastUsedAt?: string;
}

/** A key that was just made. Nobody can show it again. */
export interface MadeKey {
  readonly keyId: string;
  readonly apiKey: string;
}

export type KeyStatus = keyof Words['keys']['statuses'];

export function statusOf({ state, rolledTo }: ApiKey): KeyStatus {
  if (state === 'revoked') return 'revoked';
  if (rolledTo !== undefined) return 'rolled';
  return state;
}

/** Keys without a name are known by their id. */
export const nameOf = ({ name, keyId }: Pick<ApiKey, 'name' | 'keyId'>): string => name ?? keyId;

export interface CreatedWebhook {
  readonly webhookId: string;
  readonly createdByKey?: string;
}

/** The keys that work and the webhook endpoints that a key created, also by other keys that it created. */
export function createdWith(
  keyId: string,
  keys: readonly Pick<ApiKey, 'keyId' | 'createdByKey' | 'state'>[],
  webhooks: readonly CreatedWebhook[],
) {
  const makers = new Set([keyId]);
  // A set yields what is added to it while it is read.
  for (const maker of makers) {
    for (const { keyId, createdByKey } of keys) if (createdByKey === maker) makers.add(keyId);
  }
  const isMade = ({ createdByKey }: { readonly createdByKey?: string }) =>
    createdByKey !== undefined && makers.has(createdByKey);
  return {
    keyIds: keys.filter((key) => isMade(key) && key.state === 'active').map(({ keyId }) => keyId),
    webhookIds: webhooks.filter(isMade).map(({ webhookId }) => webhookId),
  };
}

export function useKeys() {
  const { account, api, words } = useAccount();
  return {
    ...{ api, words },
    /** The path of the calls. */
    path: `/accounts/${account.accountId}/keys`,
    webhooksPath: `/accounts/${account.accountId}/webhooks`,
    mayChange: account.role === 'owner' || account.role === 'developer',
  };
}
