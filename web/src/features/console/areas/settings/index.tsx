import { navigate } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Deletion } from '../../parts/deletion';
import { Facts } from '../../parts/facts';
import { Field, Form } from '../../parts/form';
import { Block, Page } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
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
      <Facts facts={[[accountId, <CopiedId key="id" id={account.accountId} />]]} />
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
  const [undone, setUndone] = useState(0);
  const reload = useReload();
  const { notify } = usePrompts();
  const rename = async (body: { name: string }) => {
    const params = { path: { account: account.accountId } };
    await dataOf(api.PATCH('/accounts/{account}', { params, body }));
    await refresh();
    reload('/accounts/{account}/audit');
  };
  const save = async (body: { name: string }) => {
    const before = account.name;
    await rename(body);
    notify(fill(name.done, body), async () => {
      await rename({ name: before });
      setUndone(undone + 1);
    });
  };
  return (
    <Block title={name.title}>
      {/* After an undo, the field has the name before. */}
      <Form key={undone} action={name.action} onSubmit={save}>
        <Field
          name="name"
          label={name.label}
          defaultValue={account.name}
          required
          maxLength={100}
          autoComplete="organization"
        />
      </Form>
    </Block>
  );
}
