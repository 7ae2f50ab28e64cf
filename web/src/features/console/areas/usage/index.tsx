import type { AccountUsage, KeyMode } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { Filter, Filters } from '../../parts/filters';
import { Loaded } from '../../parts/loaded';
import { Block, Page } from '../../parts/page';
import { groups, useAccountData } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { monthName, monthOf, monthsSince } from '../../state/months';
import { useData } from '../../state/queries';
import { DayChart, nameOfDay } from './day-chart';
import { Ledger } from './ledger';
import { QuotaMeter } from './quota-meter';
import { DayTable, ProductTable } from './tables';
import * as styles from './usage.module.css';
import { seriesOf, useProductLabel } from './usage-data';

/** The months that the page offers. */
const mostMonths = 36;

export default function UsagePage() {
  const { texts, account } = useAccount();
  const { title, lead, fields, modes } = texts.usage;
  const [month, setMonth] = useState(() => monthOf(Date.now()));
  const [mode, setMode] = useState<KeyMode>('live');
  const created = useAccountData().data?.createdAt;
  const usage = useData('/accounts/{account}/usage', {
    path: { account: account.accountId },
    query: { month, mode },
  });
  const months = created === undefined ? [month] : monthsSince(created, mostMonths);
  return (
    <Page title={title} lead={lead}>
      <Filters>
        <Filter
          name="month"
          label={fields.month}
          value={month}
          onChoose={setMonth}
          options={months.map((value) => [value, monthName(value)])}
        />
        <Filter
          name="mode"
          label={fields.mode}
          value={mode}
          onChoose={setMode}
          options={[
            ['live', modes.live],
            ['test', modes.test],
          ]}
        />
      </Filters>
      <Loaded query={usage}>
        {(data) => (
          <>
            <Figures usage={data} mode={mode} />
            <Ledger key={`${month} ${mode}`} month={month} mode={mode} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ usage, mode }: { usage: AccountUsage; mode: KeyMode }) {
  const { quota, byDay, byProduct, groups: labels, testNote } = useAccount().texts.usage;
  const product = useProductLabel();
  const { currency, productGroups, forecast, daily, overageCost } = usage;
  const dates = daily.map(({ date }) => date);
  return (
    <>
      <Block title={quota.title}>
        <div className={styles.meters}>
          {groups.map((group) => (
            <QuotaMeter
              key={group}
              group={group}
              usage={productGroups[group]}
              forecast={forecast?.[group]}
              currency={currency}
              end={nameOfDay(dates.at(-1) ?? '')}
            />
          ))}
        </div>
        {mode === 'test' && <p>{testNote}</p>}
        {overageCost > 0 && <p>{fill(quota.cost, { cost: formatMoney(overageCost, currency) })}</p>}
      </Block>
      <Block title={byProduct.title}>
        <ProductTable products={usage.products} />
      </Block>
      <Block title={byDay.title}>
        {groups.map((group) => (
          <DayChart
            key={group}
            label={labels[group]}
            series={seriesOf(usage, group, { group: labels[group], product })}
            dates={dates}
          />
        ))}
        <DayTable usage={usage} />
      </Block>
    </>
  );
}
