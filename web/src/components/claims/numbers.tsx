import type { ReactNode } from 'react';
import * as styles from './numbers.module.css';

interface NumbersProps {
  label: string;
  rows: readonly { number: ReactNode; source: ReactNode }[];
}

/** Numbers beside their sources, or above them on narrow screens. */
export function Numbers({ label, rows }: NumbersProps) {
  return (
    <ul className={styles.numbers} aria-label={label}>
      {rows.map(({ number, source }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are static.
        <li key={position}>
          <div>{number}</div>
          <div className={styles.source}>{source}</div>
        </li>
      ))}
    </ul>
  );
}
