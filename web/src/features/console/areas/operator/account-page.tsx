/** One account for operators, in parts with an address each. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Missing } from '../../parts/missing';
import { useConsole } from '../../state/context';
import { useData } from '../../state/use-call';
import { AccountKeys } from './account-keys';
import { AccountRequests, AccountSessions } from './account-lists';
import { AccountOverview } from './account-overview';
import { AccountWebhooks } from './account-webhooks';
import { AuditLog } from './audit-log';
import { LinkRow } from './link-row';
import { type AccountOfOperator, type PartProps, pathOf } from './operator-data';
import { OperatorPage, type Routed } from './operator-page';

const parts = {
  overview: AccountOverview,
  keys: AccountKeys,
  webhooks: AccountWebhooks,
  sessions: AccountSessions,
  requests: AccountRequests,
  audit: ({ account }: PartProps) => <AuditLog account={account.accountId} />,
};

interface AccountPageProps extends Routed {
  /** From the address. */
  account?: string;
  part?: string;
}

export function AccountPage({ account: accountId = '', part = 'overview' }: AccountPageProps) {
  const { words, api } = useConsole();
  const { operator } = words;
  const { account: text, pages } = operator;
  const account = useData<AccountOfOperator>(pathOf(accountId));
  const [isAsked, setAsked] = useState(false);
  const { data } = account;
  const change = data?.suspended ? text.resume : text.suspend;
  const Part = parts[part as keyof typeof parts];
  if (!Object.hasOwn(parts, part)) return <Missing />;
  const own = `/console/operator/accounts/${accountId}`;
  const links = Object.entries(text.parts).map(([name, label]) => ({
    ...{ label, to: name === 'overview' ? own : `${own}/${name}` },
  }));
  return (
    <OperatorPage
      title={data?.name ?? pages.accounts}
      actions={
        data && (
          <Button look={data.suspended ? 'secondary' : 'danger'} onClick={() => setAsked(true)}>
            {change.action}
          </Button>
        )
      }
    >
      <Loaded of={account}>
        {(found) => (
          <>
            <LinkRow label={text.navigation} links={links} />
            <Part account={found} onChanged={account.reload} />
          </>
        )}
      </Loaded>
      {isAsked && data && (
        <Confirm
          title={change.title}
          text={change.text}
          action={change.action}
          look={data.suspended ? 'primary' : 'danger'}
          onConfirm={async () => {
            await api.call('PATCH', pathOf(accountId), { suspended: !data.suspended });
            account.reload();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </OperatorPage>
  );
}
