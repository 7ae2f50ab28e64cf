import { fill } from '../../../../fill';
import { useConsole } from '../../state/context';
import { scaleOf } from './scale';
import * as styles from './usage.module.css';
import type { Series } from './usage-data';

interface DayChartProps {
  label: string;
  series: readonly Series[];
  /** The day of each column, such as `2026-11-01`. */
  dates: readonly string[];
}

const column = 10;
const height = 100;
const colors = [styles.first, styles.second, styles.third, styles.fourth];

const dayName = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const nameOfDay = (date: string) => dayName.format(new Date(`${date}T00:00:00Z`));

/** A column for each day, with a part for each series. The table beside it has the same figures. */
export function DayChart({ label, series, dates }: DayChartProps) {
  const { chart } = useConsole().texts.usage;
  const totals = dates.map((_, day) => series.reduce((sum, { days }) => sum + (days[day] ?? 0), 0));
  const highest = Math.max(...totals);
  const scale = scaleOf(highest);
  const busiest = dates[totals.indexOf(highest)] ?? '';
  const summary =
    highest === 0 ? chart.none : fill(chart.busiest, { day: nameOfDay(busiest), units: highest });
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{label}</span>
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <p className={styles.scale} aria-hidden>
        {fill(chart.scale, { units: scale })}
      </p>
      <svg
        viewBox={`0 0 ${column * dates.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. ${summary}`}
      >
        {[0, height / 2, height].map((y) => (
          <line key={y} className={styles.grid} x2={column * dates.length} y1={y} y2={y} />
        ))}
        {dates.map((date, day) => (
          <Column key={date} x={column * day} date={date} series={series} day={day} scale={scale} />
        ))}
      </svg>
      <p className={styles.ends} aria-hidden>
        <span>{nameOfDay(dates[0] ?? '')}</span>
        <span>{nameOfDay(dates.at(-1) ?? '')}</span>
      </p>
    </figure>
  );
}

interface ColumnProps extends Pick<DayChartProps, 'series'> {
  x: number;
  date: string;
  day: number;
  scale: number;
}

function Column({ x, date, series, day, scale }: ColumnProps) {
  let y = height;
  return (
    <g>
      {series.map(({ label, days }, position) => {
        const units = days[day] ?? 0;
        const tall = (height * units) / scale;
        y -= tall;
        return (
          units > 0 && (
            <rect key={label} className={colors[position]} x={x + 1} y={y} width={column - 2} height={tall}>
              <title>{`${nameOfDay(date)}, ${label}: ${units}`}</title>
            </rect>
          )
        );
      })}
    </g>
  );
}

const Legend = ({ series }: { series: readonly Series[] }) => (
  <span className={styles.legend}>
    {series.map(({ label }, position) => (
      <span key={label}>
        <svg viewBox="0 0 10 10" aria-hidden>
          <rect className={colors[position]} width="10" height="10" />
        </svg>
        {label}
      </span>
    ))}
  </span>
);
