import { type AuditEntry, AuditTable } from '../../parts/audit-table';
import { ListPage, useList } from '../../parts/list';
import { Block } from '../../parts/page';
import { useAccount } from '../../state/context';

/** The changes to the account, newest first. */
export function AuditLog() {
  const { words, account } = useAccount();
  const { audit } = words.settings;
  const list = useList<AuditEntry>(`/accounts/${account.accountId}/audit`, 'entries', {}, 20);
  return (
    <Block title={audit.title}>
      <ListPage of={list} none={<p>{audit.none}</p>}>
        {(entries) => <AuditTable label={audit.title} entries={entries} />}
      </ListPage>
    </Block>
  );
}
