import { Link } from 'gatsby';
import { AuditTable } from '../../parts/audit-table';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { useConsole } from '../../state/context';

/** The audit log, newest first. @param account only entries of this one */
export function AuditLog({ account }: { account: string }) {
  const { audit: text, pages } = useConsole().texts.operator;
  const list = useList('/operator/audit', {
    name: 'entries',
    params: { query: { account: account || undefined } },
  });
  return (
    <ListPage list={list} none={<Message text={account ? text.noneFound : text.none} />}>
      {(entries) => (
        <AuditTable
          label={pages.audit}
          entries={entries.map(({ time, ...entry }) => ({ ...entry, at: time }))}
          about={{
            label: text.about,
            cellFor: ({ accountId }) =>
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
