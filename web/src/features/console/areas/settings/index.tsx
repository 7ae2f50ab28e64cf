import { navigate } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Deletion } from '../../parts/deletion';
import { Facts } from '../../parts/facts';
import { Field, Form, type Values } from '../../parts/form';
import { Block, Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/use-call';
import { AuditLog } from './audit-log';

export default function SettingsPage() {
  const { words, account, refresh } = useAccount();
  const { title, accountId, deletion } = words.settings;
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
        words={deletion}
        question={{ title: fill(deletion.confirm, { account: account.name }), text: deletion.text }}
        name={account.name}
        path={`/accounts/${account.accountId}`}
        body={{ confirm: account.name }}
        onClose={() => void leave()}
      />
    </Page>
  );
}

function AccountName() {
  const { words, api, account, refresh } = useAccount();
  const { name } = words.settings;
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async (values: Values) => {
    setSaved(false);
    await api.call('PATCH', `/accounts/${account.accountId}`, values);
    await refresh();
    setSaved(true);
  });
  return (
    <Block title={name.title}>
      <Form action={name.action} on={save}>
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
