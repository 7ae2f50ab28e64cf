/** API keys as the console's API describes them, never the keys themselves. */
import { useAccount } from '../../context';
import type { Words } from '../../words';

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

export function useKeys() {
  const { account, api, words } = useAccount();
  return {
    ...{ api, words },
    /** The path of the calls. */
    path: `/accounts/${account.accountId}/keys`,
    mayChange: account.role === 'owner' || account.role === 'developer',
  };
}
