/** One account for operators, in parts with an address each. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Missing } from '../../parts/missing';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import { AccountKeys } from './account-keys';
import { AccountRequests, AccountSessions } from './account-lists';
import { AccountOverview } from './account-overview';
import { AccountWebhooks } from './account-webhooks';
import { AuditLog } from './audit-log';
import { LinkRow } from './link-row';
import { OperatorPage, type Routed } from './operator-page';
import type { PartProps } from './part-props';

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
  const { texts, api } = useConsole();
  const { operator } = texts;
  const { account: text, pages } = operator;
  const params = { path: { account: accountId } };
  const account = useData('/operator/accounts/{account}', params);
  const [isAsked, setAsked] = useState(false);
  const { data } = account;
  const change = data?.suspended ? text.resume : text.suspend;
  const Part = parts[part as keyof typeof parts];
  if (!Object.hasOwn(parts, part)) return <Missing />;
  const address = `/console/operator/accounts/${accountId}`;
  const links = Object.entries(text.parts).map(([name, label]) => ({
    label,
    to: name === 'overview' ? address : `${address}/${name}`,
  }));
  return (
    <OperatorPage
      title={data?.name ?? pages.accounts}
      actions={
        data && (
          <Button variant={data.suspended ? 'secondary' : 'danger'} onClick={() => setAsked(true)}>
            {change.action}
          </Button>
        )
      }
    >
      <Loaded query={account}>
        {(loaded) => (
          <>
            <LinkRow label={text.navigation} links={links} />
            <Part account={loaded} />
          </>
        )}
      </Loaded>
      {isAsked && data && (
        <Confirm
          title={change.title}
          text={change.text}
          action={change.action}
          variant={data.suspended ? 'primary' : 'danger'}
          onConfirm={async () => {
            const body = { suspended: !data.suspended };
            await dataOf(api.PATCH('/operator/accounts/{account}', { params, body }));
            void account.refetch();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </OperatorPage>
  );
}
