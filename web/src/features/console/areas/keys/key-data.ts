/** API keys as the console's API describes them, never the keys themselves. */
import type { Endpoint, Key } from '@presenza/contract/console/types.d.ts';
import { useAccount } from '../../state/context';
import type { Texts } from '../../state/texts';

export type KeyStatus = keyof Texts['keys']['statuses'];

export function statusOf({ state, rolledTo }: Key): KeyStatus {
  if (state === 'revoked') return 'revoked';
  if (rolledTo !== undefined) return 'rolled';
  return state;
}

/** Keys without a name are known by their id. */
export const nameOf = ({ name, keyId }: Pick<Key, 'name' | 'keyId'>): string => name ?? keyId;

/** The keys that work and the webhook endpoints that a key created, also by other keys that it created. */
export function createdWith(
  keyId: string,
  keys: readonly Pick<Key, 'keyId' | 'createdByKey' | 'state'>[],
  webhooks: readonly Pick<Endpoint, 'webhookId' | 'createdByKey'>[],
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
  const { account, api, texts, may } = useAccount();
  return { api, texts, may, account: account.accountId };
}
