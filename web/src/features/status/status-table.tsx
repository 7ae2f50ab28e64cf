import { Table } from '../../components/mdx/table';
import { fill } from '../../fill';
import * as styles from './status-board.module.css';
import { type Day, missingMinutes } from './summary';
import type { Health } from './use-service';

export type TableTexts = Record<
  'summary' | 'label' | 'day' | 'available' | 'partial' | 'unavailable' | 'missing',
  string
>;

interface StatusTableProps {
  health: Health;
  /** The columns. */
  parts: readonly { readonly name: string; readonly label: string }[];
  texts: TableTexts;
}

/** The minutes of each measured day, the newest first. */
export function StatusTable({ health, parts, texts }: StatusTableProps) {
  const now = Date.parse(health.timestamp);
  const daysOf = (name: string) => health.components.find(({ component }) => component === name)?.days ?? [];
  const dates = [...new Set(parts.flatMap(({ name }) => daysOf(name).map(({ date }) => date)))]
    .sort()
    .reverse();
  if (dates.length === 0) return null;
  return (
    <details className={`prose ${styles.days}`}>
      <summary>{texts.summary}</summary>
      <Table>
        <caption className="visually-hidden">{texts.label}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.day}</th>
            {parts.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dates.map((date) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              {parts.map(({ name }) => {
                const day = daysOf(name).find((candidate) => candidate.date === date);
                return <td key={name}>{day && textOf(day, now, texts)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}

/** The minutes of a day that are not zero. */
function textOf(day: Day, now: number, texts: TableTexts): string {
  const minutes = { ...day, missing: missingMinutes(day, now) };
  return (['unavailable', 'partial', 'missing', 'available'] as const)
    .filter((kind) => minutes[kind] > 0)
    .map((kind) => fill(texts[kind], { minutes: minutes[kind] }))
    .join(', ');
}
