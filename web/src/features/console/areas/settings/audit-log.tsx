import { AuditTable } from '../../parts/audit-table';
import { ListPage, useList } from '../../parts/list';
import { Block } from '../../parts/page';
import { useAccount } from '../../state/context';

/** The changes to the account, newest first. */
export function AuditLog() {
  const { texts, account } = useAccount();
  const { audit } = texts.settings;
  const list = useList('/accounts/{account}/audit', {
    name: 'entries',
    params: { path: { account: account.accountId } },
    limit: 20,
  });
  return (
    <Block title={audit.title}>
      <ListPage list={list} none={<p>{audit.none}</p>}>
        {(entries) => <AuditTable label={audit.title} entries={entries} />}
      </ListPage>
    </Block>
  );
}
