import type { AccountUsage, KeyMode } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { useState } from 'react';
import { formatCount, formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { Toggle } from '../../parts/toggle';
import { groups } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import { DayChart } from '../usage/day-chart';
import { seriesOf, useProductLabel } from '../usage/usage-data';
import * as styles from './home.module.css';

/** The usage of this month by product and day, and what is left of the quota. */
export function Month() {
  const { texts, account } = useAccount();
  const { usage: text } = texts.home;
  const [mode, setMode] = useState<KeyMode>('live');
  const usage = useData('/accounts/{account}/usage', {
    path: { account: account.accountId },
    query: { mode },
  });
  return (
    <Block
      title={text.title}
      actions={
        <>
          <Toggle
            label={text.keys}
            value={mode}
            onChoose={setMode}
            options={[
              ['live', text.modes.live],
              ['test', text.modes.test],
            ]}
          />
          <Link to="/console/usage">{text.action}</Link>
        </>
      }
    >
      <Loaded query={usage}>
        {(data) => groups.map((group) => <GroupChart key={group} usage={data} group={group} />)}
      </Loaded>
    </Block>
  );
}

interface GroupChartProps {
  usage: AccountUsage;
  group: (typeof groups)[number];
}

function GroupChart({ usage, group }: GroupChartProps) {
  const { home, usage: usageTexts } = useAccount().texts;
  const product = useProductLabel();
  const { currency, productGroups, daily } = usage;
  const { used, quota, overageUnits, overageCost } = productGroups[group];
  const label = usageTexts.groups[group];
  return (
    <DayChart
      label={label}
      series={seriesOf(usage, group, { group: label, product })}
      dates={daily.map(({ date }) => date)}
      caption={
        <>
          <span className={styles.name}>{label}</span>
          <span className={styles.figure}>{formatCount(used)}</span>{' '}
          <span className={styles.beside}>
            {overageUnits > 0
              ? fill(home.usage.overage, {
                  units: overageUnits,
                  cost: formatMoney(overageCost, currency),
                })
              : fill(home.usage.of, { quota })}
          </span>
        </>
      }
    />
  );
}
