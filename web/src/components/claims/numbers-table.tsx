import type { ReactNode } from 'react';
import { DataTable } from '../ui/data-table';
import * as styles from './claims.module.css';

interface NumbersTableProps {
  label: string;
  headings: [source: string, number: string];
  rows: { text: ReactNode; source: ReactNode }[];
}

/** Numbers beside the place in the repository that they come from. */
export function NumbersTable({ label, headings, rows }: NumbersTableProps) {
  return (
    <DataTable label={label}>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.numbers}>
        {rows.map(({ text, source }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows that never change places.
          <tr key={position}>
            <td>{source}</td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
