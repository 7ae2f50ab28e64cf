/** A wide table that scrolls on narrow screens below a fixed first column. */
import type { ReactNode } from 'react';
import * as styles from './data-table.module.css';

interface DataTableProps {
  label: string;
  caption?: string;
  children: ReactNode;
}

export function DataTable({ label, caption, children }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll.
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        {caption && <caption>{caption}</caption>}
        {children}
      </table>
    </section>
  );
}
