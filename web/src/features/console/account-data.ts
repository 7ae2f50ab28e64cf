import { useAccount } from './context';
import { useData } from './use-call';

export type Group = 'livenessDetection' | 'imageAnalysis';
export const groups: readonly Group[] = ['livenessDetection', 'imageAnalysis'];

/** An account as the API shows it, with its terms: those of its plan, with what was agreed for it. */
export interface AccountData {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly requestedPlan?: string;
  readonly plannedPlan?: { readonly plan: string; readonly takesEffect: string };
  /** Present once the account has paid through Stripe: whether it has a subscription now. */
  readonly paysByStripe?: boolean;
  readonly terms: {
    readonly quota: Readonly<Record<Group, number>>;
    readonly overage: Readonly<Record<Group, number>> | null;
    readonly burst: { readonly limit: number; readonly windowSeconds: number };
    readonly concurrency: number;
  };
}

export function useAccountData() {
  const { account } = useAccount();
  return useData<AccountData>(`/accounts/${account.accountId}`);
}
