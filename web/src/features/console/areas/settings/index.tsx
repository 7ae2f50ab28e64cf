import { navigate } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Deletion } from '../../parts/deletion';
import { Facts } from '../../parts/facts';
import { Field, Form } from '../../parts/form';
import { Block, Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { useReload } from '../../state/queries';
import { AuditLog } from './audit-log';

export default function SettingsPage() {
  const { texts, api, account, refresh } = useAccount();
  const { title, accountId, deletion } = texts.settings;
  const erase = () =>
    dataOf(
      api.DELETE('/accounts/{account}', {
        params: { path: { account: account.accountId } },
        body: { confirm: account.name },
      }),
    );
  const leave = async () => {
    await refresh();
    await navigate('/console');
  };
  return (
    <Page title={title}>
      <Facts facts={[[accountId, <code key="id">{account.accountId}</code>]]} />
      <AccountName />
      <AuditLog />
      <Deletion
        texts={deletion}
        question={{ title: fill(deletion.confirm, { account: account.name }), text: deletion.text }}
        name={account.name}
        erase={erase}
        onClose={() => void leave()}
      />
    </Page>
  );
}

function AccountName() {
  const { texts, api, account, refresh } = useAccount();
  const { name } = texts.settings;
  const [isSaved, setSaved] = useState(false);
  const reload = useReload();
  const save = async (body: { name: string }) => {
    setSaved(false);
    const params = { path: { account: account.accountId } };
    await dataOf(api.PATCH('/accounts/{account}', { params, body }));
    await refresh();
    setSaved(true);
    reload('/accounts/{account}/audit');
  };
  return (
    <Block title={name.title}>
      <Form action={name.action} onSubmit={save}>
        <Field
          name="name"
          label={name.label}
          defaultValue={account.name}
          required
          maxLength={100}
          autoComplete="organization"
        />
      </Form>
      <p role="status">{isSaved && name.done}</p>
    </Block>
  );
}
