import type { ReactNode } from 'react';
import { fill } from '../../../../fill';
import { ColumnChart, totalsOf } from '../../parts/column-chart';
import { useConsole } from '../../state/context';
import type { Series } from './usage-data';

interface DayChartProps {
  label: string;
  series: readonly Series[];
  /** The day of each column, such as `2026-11-01`. */
  dates: readonly string[];
  /** In place of the label above the chart. */
  caption?: ReactNode;
}

const dayName = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const nameOfDay = (date: string) => dayName.format(new Date(`${date}T00:00:00Z`));

/** A column for each day, with a part for each series. A table has the same figures. */
export function DayChart({ label, series, dates, caption }: DayChartProps) {
  const { chart } = useConsole().texts.usage;
  const parts = series.map((part) => ({ label: part.label, values: part.days }));
  const totals = totalsOf(parts, dates.length);
  const highest = Math.max(...totals);
  const busiest = dates[totals.indexOf(highest)] ?? '';
  return (
    <ColumnChart
      label={label}
      summary={highest === 0 ? chart.none : fill(chart.busiest, { day: nameOfDay(busiest), units: highest })}
      series={parts}
      names={dates.map(nameOfDay)}
      labelOfScale={(units) => fill(chart.scale, { units })}
      caption={caption}
    />
  );
}
