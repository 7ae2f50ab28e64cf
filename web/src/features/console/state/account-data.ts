import type { ProductGroup } from '@presenza/contract/console/types.d.ts';
import { useAccount } from './context';
import { useData } from './queries';

/** Groups in the order in which pages show them. */
export const groups: readonly ProductGroup[] = ['livenessDetection', 'imageAnalysis'];

export function useAccountData() {
  const { account } = useAccount();
  return useData('/accounts/{account}', { path: { account: account.accountId } });
}
