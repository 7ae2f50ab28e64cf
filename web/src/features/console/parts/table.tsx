import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { DataTable } from '../../../components/ui/data-table';
import { Headings } from '../../../components/ui/headings';
import * as styles from './table.module.css';

interface TableProps {
  label: string;
  columns: readonly string[];
  /** The rows, each with a heading. */
  children: ReactNode;
}

/** A table. On phones, each row is a list of names and values, so that nobody scrolls sideways to its buttons. */
export function Table({ label, columns, children }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    // Their style on phones is not that of a table, which takes the roles from them in some browsers.
    for (const part of body.current?.parentElement?.querySelectorAll('thead, tbody, tr, td, th') ?? []) {
      part.setAttribute('role', roleOf(part));
    }
    body.current?.parentElement?.setAttribute('role', 'table');
    for (const row of body.current?.rows ?? []) {
      for (const [index, cell] of [...row.cells].entries()) cell.dataset.column = columns[index] ?? '';
    }
  });
  return (
    <div className={styles.table}>
      <DataTable label={label}>
        <Headings labels={columns} />
        <tbody ref={body}>{children}</tbody>
      </DataTable>
    </div>
  );
}

const roles: Readonly<Record<string, string>> = {
  THEAD: 'rowgroup',
  TBODY: 'rowgroup',
  TR: 'row',
  TD: 'cell',
};

const roleOf = (part: Element): string =>
  roles[part.tagName] ?? (part.getAttribute('scope') === 'row' ? 'rowheader' : 'columnheader');
