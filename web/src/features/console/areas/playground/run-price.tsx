import type { KeyMode } from '@presenza/contract/console/types.d.ts';
import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { useAccountData } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './playground.module.css';

/** The price of the next run: nothing in test mode, and in live mode a unit of the quota, or the overage price above it. */
export function RunPrice({ id, mode }: { id: string; mode: KeyMode }) {
  const { texts } = useAccount();
  return (
    <p id={id} className={styles.price} aria-live="polite">
      {mode === 'test' ? texts.playground.price.test : <LivePrice />}
    </p>
  );
}

function LivePrice() {
  const { texts, account } = useAccount();
  const { price } = texts.playground;
  const params = { path: { account: account.accountId }, query: { mode: 'live' as const } };
  const { data: usage } = useData('/accounts/{account}/usage', params);
  const { data } = useAccountData();
  if (!usage || !data) return price.live;
  const { remaining } = usage.productGroups.imageAnalysis;
  if (remaining > 0) return fill(price.quota, { remaining });
  const { overage } = data.terms;
  if (overage === null) return price.hardLimit;
  return fill(price.overage, { cost: formatMoney(overage.imageAnalysis, usage.currency) });
}
