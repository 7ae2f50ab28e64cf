import { useAccount } from '../../state/context';

/** Texts, calls and permissions that the pages of webhooks need. */
export function useWebhooks() {
  const { account, api, texts, may } = useAccount();
  return { texts, api, may, account: account.accountId, plan: account.plan };
}
