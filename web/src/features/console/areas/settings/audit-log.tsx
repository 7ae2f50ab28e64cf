import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { Pages, usePlace } from '../../parts/pages';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useAccount } from '../../state/context';
import { useData } from '../../state/use-call';
import * as styles from './settings.module.css';

interface Entry {
  readonly at: string;
  /** A member's email address, or a word. */
  readonly actor: string;
  readonly operation: string;
  readonly outcome: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** The changes to the account, newest first. */
export function AuditLog() {
  const { words, account } = useAccount();
  const { audit } = words.settings;
  const place = usePlace();
  const query = place.after === undefined ? '' : `&after=${encodeURIComponent(place.after)}`;
  const log = useData<{ entries: readonly Entry[]; next?: string }>(
    `/accounts/${account.accountId}/audit?limit=20${query}`,
  );
  return (
    <Block title={audit.title}>
      <Loaded of={log}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? <p>{audit.none}</p> : <Entries list={entries} />}
            <Pages place={place} next={next} />
          </>
        )}
      </Loaded>
    </Block>
  );
}

function Entries({ list }: { list: readonly Entry[] }) {
  const { title, table, outcomes, operations } = useAccount().words.settings.audit;
  const named: Readonly<Record<string, string>> = { ...outcomes, ...operations };
  return (
    <Table label={title} columns={[table.at, table.actor, table.operation, table.details, table.outcome]}>
      {list.map((entry) => (
        <tr key={`${entry.at} ${entry.operation} ${Object.values(entry.ids ?? {})}`}>
          <th scope="row">
            <Time at={entry.at} />
          </th>
          <td>{entry.actor}</td>
          <td>{named[entry.operation] ?? entry.operation}</td>
          <td className={styles.details}>{detailsOf(entry)}</td>
          <td>{named[entry.outcome] ?? entry.outcome}</td>
        </tr>
      ))}
    </Table>
  );
}

const detailsOf = ({ ids = {}, changes = {} }: Entry): string =>
  [
    ...new Set(Object.values(ids)),
    ...Object.entries(changes).map(([name, value]) => `${name}: ${textOf(value)}`),
  ].join('; ');

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
