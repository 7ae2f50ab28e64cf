import type { AuditEntry } from '@presenza/contract/console/types.d.ts';
import type { ReactNode } from 'react';
import { useConsole } from '../state/context';
import * as styles from './audit-table.module.css';
import { Table } from './table';
import { Time, timeOf } from './time';

interface AuditTableProps<E extends AuditEntry> {
  label: string;
  entries: readonly E[];
  /** Another column. */
  about?: { readonly label: string; cellFor(entry: E): ReactNode };
}

/** Entries of an audit log, newest first. */
export function AuditTable<E extends AuditEntry>({ label, entries, about }: AuditTableProps<E>) {
  const { table, outcomes, operations, details } = useConsole().texts.settings.audit;
  const named: Readonly<Record<string, string>> = { ...outcomes, ...operations };
  const columns = [table.at, table.actor, table.operation, table.details, table.outcome];
  return (
    <Table label={label} columns={about ? [...columns, about.label] : columns}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page of the log does not change
        <tr key={index}>
          <th scope="row">
            <Time at={entry.at} />
          </th>
          <td className={styles.wide}>{entry.actor}</td>
          <td>{named[entry.operation] ?? entry.operation}</td>
          <td className={styles.wide}>{detailsOf(entry, details)}</td>
          <td>{named[entry.outcome] ?? entry.outcome}</td>
          {about && <td>{about.cellFor(entry)}</td>}
        </tr>
      ))}
    </Table>
  );
}

type Names = Readonly<Record<string, string>>;

/** Ids and new values with their names. Input and result may have the same id, which is shown once. */
function detailsOf({ ids, changes }: AuditEntry, names: Names): string {
  const all = Object.entries({ ...ids, ...changes });
  const texts = all.map(([name, value]) => `${names[name] ?? name}: ${textOf(value, names)}`);
  return [...new Set(texts)].join('; ');
}

function textOf(value: unknown, names: Names): string {
  if (Array.isArray(value)) return value.map((item) => textOf(item, names)).join(', ');
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(
      ([name, part]) => `${names[name] ?? name} ${textOf(part, names)}`,
    );
    return parts.join(', ');
  }
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? timeOf(text) : (names[text] ?? text);
}
