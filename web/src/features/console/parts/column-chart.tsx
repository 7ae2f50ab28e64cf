import type { ReactNode } from 'react';
import * as styles from './column-chart.module.css';
import { scaleOf } from './scale';

/** The parts of the columns under a label. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly number[];
  /** Default: a color by its place among the series. */
  readonly tone?: 'muted' | 'danger';
}

interface ColumnChartProps {
  label: string;
  /** The same in short, for people who hear it. */
  summary: string;
  series: readonly ChartSeries[];
  /** The name of each column. */
  names: readonly string[];
  /** The label of the top line. @param units that it stands for */
  labelOfScale(units: number): string;
  /** In place of the label above the chart. */
  caption?: ReactNode;
}

const column = 10;
const height = 100;
const colors = [styles.first, styles.second, styles.third, styles.fourth];
const tones = { muted: styles.muted, danger: styles.danger };

/** The sum of all series in each column. */
export const totalsOf = (series: readonly ChartSeries[], count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );

/** A column for each name, with a part for each series. */
export function ColumnChart({ label, summary, series, names, labelOfScale, caption }: ColumnChartProps) {
  const scale = scaleOf(Math.max(...totalsOf(series, names.length)));
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{caption ?? label}</span>
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <p className={styles.scale} aria-hidden>
        {labelOfScale(scale)}
      </p>
      <svg
        viewBox={`0 0 ${column * names.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. ${summary}`}
      >
        {[0, height / 2, height].map((y) => (
          <line key={y} className={styles.grid} x2={column * names.length} y1={y} y2={y} />
        ))}
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two hours have one name when the clock goes back
          <Column key={index} x={column * index} name={name} series={series} index={index} scale={scale} />
        ))}
      </svg>
      <p className={styles.ends} aria-hidden>
        <span>{names[0]}</span>
        <span>{names.at(-1)}</span>
      </p>
    </figure>
  );
}

interface ColumnProps extends Pick<ColumnChartProps, 'series'> {
  x: number;
  name: string;
  index: number;
  scale: number;
}

function Column({ x, name, series, index, scale }: ColumnProps) {
  let y = height;
  return (
    <g className={styles.column}>
      {series.map((part, position) => {
        const units = part.values[index] ?? 0;
        const tall = (height * units) / scale;
        y -= tall;
        return (
          units > 0 && (
            <rect
              key={part.label}
              className={colorOf(part, position)}
              x={x + 1}
              y={y}
              width={column - 2}
              height={tall}
            >
              <title>{`${name}, ${part.label}: ${units}`}</title>
            </rect>
          )
        );
      })}
    </g>
  );
}

const colorOf = ({ tone }: ChartSeries, position: number) => (tone ? tones[tone] : colors[position]);

const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <span className={styles.legend}>
    {series.map((part, position) => (
      <span key={part.label}>
        <svg viewBox="0 0 10 10" aria-hidden>
          <rect className={colorOf(part, position)} width="10" height="10" />
        </svg>
        {part.label}
      </span>
    ))}
  </span>
);
