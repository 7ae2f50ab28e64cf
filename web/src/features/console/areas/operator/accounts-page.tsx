import { Link, navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Find } from '../../parts/filters';
import { Choice, Field, Form, type Values } from '../../parts/form';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/use-call';
import { AccountStatus } from './account-status';
import * as styles from './operator.module.css';
import type { AccountOfOperator } from './operator-data';
import { OperatorPage, type Routed } from './operator-page';
import { useNameOfPlan, usePlanOptions } from './plan-names';

export function AccountsPage(_route: Routed) {
  const { title, lead, accounts: words } = useConsole().words.operator;
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const list = useList<AccountOfOperator>('/operator/accounts', 'accounts', { search });
  return (
    <OperatorPage
      title={title}
      lead={lead}
      actions={<Button onClick={() => setCreating(true)}>{words.create}</Button>}
    >
      <Find
        name="search"
        type="search"
        label={words.find}
        action={words.search}
        all={words.all}
        value={search}
        onFind={setSearch}
        maxLength={100}
      />
      <ListPage of={list} none={<Message text={search ? words.noneFound : words.none} />}>
        {(accounts) => <AccountTable accounts={accounts} />}
      </ListPage>
      {isCreating && <Creating onClose={() => setCreating(false)} />}
    </OperatorPage>
  );
}

function AccountTable({ accounts }: { accounts: readonly AccountOfOperator[] }) {
  const { operator } = useConsole().words;
  const { accounts: words, pages } = operator;
  const nameOf = useNameOfPlan();
  return (
    <Table label={pages.accounts} columns={[words.account, words.plan, words.state, words.created, words.id]}>
      {accounts.map(({ accountId, name, plan, requestedPlan, suspended, createdAt }) => (
        <tr key={accountId}>
          <th scope="row">
            <Link className={styles.name} to={`/console/operator/accounts/${accountId}`}>
              {name}
            </Link>
          </th>
          <td>
            {nameOf(plan)}
            {requestedPlan !== undefined && (
              <span className={styles.mark}>{fill(words.requests, { plan: nameOf(requestedPlan) })}</span>
            )}
          </td>
          <td>
            <AccountStatus isSuspended={suspended} />
          </td>
          <td>
            <Time at={createdAt} />
          </td>
          <td>
            <code>{accountId}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Creating({ onClose }: { onClose: () => void }) {
  const { words: all, api } = useConsole();
  const { accounts: words } = all.operator;
  const options = usePlanOptions();
  const create = useAction(async (values: Values) => {
    const made = await api.call<AccountOfOperator>('POST', '/operator/accounts', values);
    await navigate(`/console/operator/accounts/${made.accountId}`);
  });
  return (
    <Dialog title={words.createTitle} text={words.createText} onClose={onClose}>
      <Form action={words.create} on={create}>
        <Field name="name" label={words.name} required maxLength={100} autoComplete="off" />
        <Choice name="plan" label={words.plan} options={options} />
      </Form>
    </Dialog>
  );
}
