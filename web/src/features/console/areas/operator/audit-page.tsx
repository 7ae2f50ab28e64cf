import { useState } from 'react';
import { Find } from '../../parts/filters';
import { useConsole } from '../../state/context';
import { AuditLog } from './audit-log';
import { OperatorPage, type Routed } from './operator-page';

export function AuditPage(_route: Routed) {
  const { audit: text, pages } = useConsole().texts.operator;
  const [account, setAccount] = useState('');
  return (
    <OperatorPage title={pages.audit}>
      <Find
        name="account"
        label={text.account}
        action={text.find}
        all={text.all}
        value={account}
        onFind={setAccount}
        maxLength={64}
        pattern="\s*[\w\-]*\s*"
      />
      <AuditLog account={account} />
    </OperatorPage>
  );
}
