import { Link } from 'gatsby';
import { type AuditEntry, AuditTable } from '../../parts/audit-table';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { useConsole } from '../../state/context';

type Entry = Omit<AuditEntry, 'at'> & { readonly time: string; readonly accountId?: string };

/** The audit log, newest first. @param account only entries of this one */
export function AuditLog({ account }: { account: string }) {
  const { audit: text, pages } = useConsole().words.operator;
  const list = useList<Entry>('/operator/audit', 'entries', { account });
  return (
    <ListPage of={list} none={<Message text={account ? text.noneFound : text.none} />}>
      {(entries) => (
        <AuditTable
          label={pages.audit}
          entries={entries.map(({ time, ...entry }) => ({ ...entry, at: time }))}
          about={{
            label: text.about,
            of: ({ accountId }) =>
              accountId !== undefined && (
                <Link to={`/console/operator/accounts/${accountId}`}>
                  <code>{accountId}</code>
                </Link>
              ),
          }}
        />
      )}
    </ListPage>
  );
}
