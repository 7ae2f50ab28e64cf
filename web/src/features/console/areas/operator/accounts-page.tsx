import type { Account, Plan } from '@presenza/contract/console/types.d.ts';
import { Link, navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Dialog } from '../../parts/dialog';
import { Find } from '../../parts/filters';
import { Choice, Field, Form } from '../../parts/form';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePlanName } from '../../state/plans';
import { AccountStatus } from './account-status';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';
import { usePlanOptions } from './plan-options';

export function AccountsPage(_route: Routed) {
  const { title, lead, accounts: texts } = useConsole().texts.operator;
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const list = useList('/operator/accounts', {
    name: 'accounts',
    params: { query: { search: search || undefined } },
  });
  return (
    <OperatorPage
      title={title}
      lead={lead}
      actions={<Button onClick={() => setCreating(true)}>{texts.create}</Button>}
    >
      <Find
        name="search"
        type="search"
        label={texts.find}
        action={texts.search}
        all={texts.all}
        value={search}
        onFind={setSearch}
        maxLength={100}
      />
      <ListPage list={list} none={<Message text={search ? texts.noneFound : texts.none} />}>
        {(accounts) => <AccountTable accounts={accounts} />}
      </ListPage>
      {isCreating && <Creating onClose={() => setCreating(false)} />}
    </OperatorPage>
  );
}

function AccountTable({ accounts }: { accounts: readonly Account[] }) {
  const { operator } = useConsole().texts;
  const { accounts: texts, pages } = operator;
  const nameOf = usePlanName();
  return (
    <Table label={pages.accounts} columns={[texts.account, texts.plan, texts.state, texts.created, texts.id]}>
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
              <span className={styles.mark}>{fill(texts.requests, { plan: nameOf(requestedPlan) })}</span>
            )}
          </td>
          <td>
            <AccountStatus isSuspended={suspended} />
          </td>
          <td>
            <Time at={createdAt} />
          </td>
          <td>
            <CopiedId id={accountId} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Creating({ onClose }: { onClose: () => void }) {
  const { texts: all, api } = useConsole();
  const { accounts: texts } = all.operator;
  const options = usePlanOptions();
  const create = async (body: { name: string; plan: Plan }) => {
    const { accountId } = await dataOf(api.POST('/operator/accounts', { body }));
    await navigate(`/console/operator/accounts/${accountId}`);
  };
  return (
    <Dialog title={texts.createTitle} text={texts.createText} onClose={onClose}>
      <Form action={texts.create} onSubmit={create}>
        <Field name="name" label={texts.name} required maxLength={100} autoComplete="off" />
        <Choice name="plan" label={texts.plan} options={options} />
      </Form>
    </Dialog>
  );
}
