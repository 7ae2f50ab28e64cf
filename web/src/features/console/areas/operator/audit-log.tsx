import { Link } from 'gatsby';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Pages, usePlace } from '../../parts/pages';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useData } from '../../state/use-call';
import * as styles from './operator.module.css';
import type { AuditEntry } from './operator-data';

const pageSize = 50;

/** The audit log, newest first. @param account only entries of this one */
export function AuditLog({ account }: { account?: string }) {
  const { audit: text, pages } = useConsole().words.operator;
  const place = usePlace();
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(account && { account }),
    ...(place.after !== undefined && { after: place.after }),
  });
  const page = useData<{ entries: readonly AuditEntry[]; next?: string }>(`/operator/audit?${query}`);
  return (
    <Loaded of={page}>
      {({ entries, next }) => (
        <>
          {entries.length === 0 ? (
            <Message text={account ? text.noneFound : text.none} />
          ) : (
            <Table
              label={pages.audit}
              columns={[text.operation, text.outcome, text.time, text.actor, text.about, text.changes]}
            >
              {entries.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a page of the log does not change
                <tr key={index}>
                  <th scope="row" className={styles.name}>
                    {entry.operation}
                  </th>
                  <td>{entry.outcome}</td>
                  <td>
                    <Time at={entry.time} />
                  </td>
                  <td className={styles.name}>{entry.actor}</td>
                  <td className={styles.name}>
                    {entry.accountId !== undefined && <AccountLink accountId={entry.accountId} />}
                  </td>
                  <td className={styles.details}>
                    {detailsOf(entry).map((line) => (
                      <code key={line}>{line}</code>
                    ))}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <Pages place={place} next={next} />
        </>
      )}
    </Loaded>
  );
}

const AccountLink = ({ accountId }: { accountId: string }) => (
  <Link to={`/console/operator/accounts/${accountId}`}>
    <code>{accountId}</code>
  </Link>
);

/** Ids and new values, a line each. */
const detailsOf = ({ ids = {}, changes = {} }: AuditEntry): string[] =>
  [...Object.entries(ids), ...Object.entries(changes)].map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
