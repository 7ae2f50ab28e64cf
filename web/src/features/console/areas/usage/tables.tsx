import type { AccountUsage, ProductUsage } from '@presenza/contract/console/types.d.ts';
import { formatCount } from '../../../../components/pricing/money';
import { DataTable } from '../../../../components/ui/data-table';
import { Disclosure } from '../../../../components/ui/disclosure';
import { groups } from '../../state/account-data';
import { useConsole } from '../../state/context';
import { nameOfDay } from './day-chart';
import * as styles from './usage.module.css';
import { type Series, seriesOf, useProductLabel } from './usage-data';

export function ProductTable({ products }: { products: readonly ProductUsage[] }) {
  const { byProduct, groups: labels } = useConsole().texts.usage;
  const label = useProductLabel();
  return (
    <DataTable label={byProduct.title}>
      <thead>
        <tr>
          <th scope="col">{byProduct.product}</th>
          <th scope="col">{byProduct.group}</th>
          <NumberHeading text={byProduct.units} />
        </tr>
      </thead>
      <tbody>
        {products.map(({ product, group, used }) => (
          <tr key={product}>
            <th scope="row">{label(product)}</th>
            <td>{labels[group]}</td>
            <NumberCell value={used} />
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** The figures of the charts, of the days that have begun. */
export function DayTable({ usage }: { usage: AccountUsage }) {
  const { byDay, groups: labels } = useConsole().texts.usage;
  const product = useProductLabel();
  const series = groups.flatMap((group) => seriesOf(usage, group, { group: labels[group], product }));
  const today = new Date().toISOString().slice(0, 10);
  const days = usage.daily.map(({ date }) => date).filter((date) => date <= today);
  return (
    <Disclosure summary={byDay.table}>
      <DataTable label={byDay.table}>
        <thead>
          <tr>
            <th scope="col">{byDay.day}</th>
            {series.map(({ label }) => (
              <NumberHeading key={label} text={label} />
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((date, day) => (
            <DayRow key={date} name={nameOfDay(date)} series={series} unitsOf={(units) => units[day] ?? 0} />
          ))}
        </tbody>
        <tfoot>
          <DayRow
            name={byDay.total}
            series={series}
            unitsOf={(units) => units.reduce((sum, count) => sum + count, 0)}
          />
        </tfoot>
      </DataTable>
    </Disclosure>
  );
}

interface DayRowProps {
  name: string;
  series: readonly Series[];
  unitsOf(days: readonly number[]): number;
}

const DayRow = ({ name, series, unitsOf }: DayRowProps) => (
  <tr>
    <th scope="row" className={styles.day}>
      {name}
    </th>
    {series.map(({ label, days }) => (
      <NumberCell key={label} value={unitsOf(days)} />
    ))}
  </tr>
);

const NumberHeading = ({ text }: { text: string }) => (
  <th scope="col" className={styles.number}>
    {text}
  </th>
);

const NumberCell = ({ value }: { value: number }) => <td className={styles.number}>{formatCount(value)}</td>;
