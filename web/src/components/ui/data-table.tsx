/** A wide table that scrolls by itself on a narrow screen, its first column staying in sight. */
import type { ReactNode } from 'react';
import * as styles from './data-table.module.css';

interface DataTableProps {
  label: string;
  caption?: string;
  children: ReactNode;
}

export function DataTable({ label, caption, children }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        {caption && <caption>{caption}</caption>}
        {children}
      </table>
    </section>
  );
}
