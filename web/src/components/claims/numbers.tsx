import type { ReactNode } from 'react';
import * as styles from './numbers.module.css';

interface NumbersProps {
  label: string;
  rows: readonly { number: ReactNode; source: ReactNode }[];
}

/** Numbers beside the place that they come from; on a narrow screen the place is below. */
export function Numbers({ label, rows }: NumbersProps) {
  return (
    <ul className={styles.numbers} aria-label={label}>
      {rows.map(({ number, source }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that never change places.
        <li key={position}>
          <div>{number}</div>
          <div className={styles.source}>{source}</div>
        </li>
      ))}
    </ul>
  );
}
