/** A slider for a threshold from 0 to 1, with marks for the compared values. */
import { useId } from 'react';
import { twoDecimals } from './text';
import * as styles from './threshold.module.css';

interface ThresholdProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  disabled: boolean;
  /** Values on the ruler, 0 to 1. */
  marks: readonly { name: string; value: number }[];
  /** The contract's named ranges, and the name for the current value. */
  bands?: readonly { from: number; to: number }[];
  band?: string | undefined;
}

const percent = (value: number) => `${(value * 100).toFixed(2)}%`;
const TICKS = Array.from({ length: 21 }, (_, i) => i / 20);

export function Threshold({ label, value, onChange, disabled, marks, bands = [], band }: ThresholdProps) {
  const id = useId();
  return (
    <div className={styles.threshold}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id}>{twoDecimals(value)}</output>
        {band && <span className={styles.band}>{band}</span>}
      </div>
      <div className={styles.scale}>
        <svg className={styles.ruler} aria-hidden="true">
          <line className={styles.line} x1="0" x2="100%" y1="34" y2="34" />
          {TICKS.map((tick, i) => (
            <line
              key={tick}
              className={styles.line}
              x1={percent(tick)}
              x2={percent(tick)}
              y1="34"
              y2={i % 10 ? (i % 2 ? 29 : 26) : 20}
            />
          ))}
          {bands.map(({ from, to }) => (
            <line
              key={from}
              className={styles.named}
              x1={percent(from + 0.004)}
              x2={percent(to - 0.004)}
              y1="38"
              y2="38"
            />
          ))}
          {marks.map((mark) => (
            <svg
              key={mark.name}
              aria-hidden="true"
              className={styles.mark}
              x={percent(mark.value)}
              overflow="visible"
            >
              <path d="M0 32l-6-11h12z" />
              <text y="14" textAnchor={mark.value > 0.85 ? 'end' : mark.value < 0.15 ? 'start' : 'middle'}>
                {mark.name} {twoDecimals(mark.value)}
              </text>
            </svg>
          ))}
        </svg>
        <input
          id={id}
          type="range"
          min="0"
          max="1"
          step="0.01"
          value={value}
          disabled={disabled}
          aria-valuetext={band ? `${twoDecimals(value)}, ${band}` : twoDecimals(value)}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      </div>
    </div>
  );
}
