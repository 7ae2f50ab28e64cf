import { navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Field, Form, type Values } from '../../parts/form';
import { Block, Page } from '../../parts/page';
import { type ErasureReceipt, Receipt } from '../../parts/receipt';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/use-call';
import { AuditLog } from './audit-log';

export default function SettingsPage() {
  const { words, account } = useAccount();
  const { title, accountId } = words.settings;
  return (
    <Page title={title}>
      <Facts facts={[[accountId, <code key="id">{account.accountId}</code>]]} />
      <AccountName />
      <AuditLog />
      <DeleteAccount />
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

function DeleteAccount() {
  const { words, api, account, refresh } = useAccount();
  const { deletion } = words.settings;
  const [isAsking, setAsking] = useState(false);
  const [receipt, setReceipt] = useState<ErasureReceipt>();
  const remove = async () => {
    const path = `/accounts/${account.accountId}`;
    const result = await api.call<{ receipt: ErasureReceipt }>('DELETE', path, { confirm: account.name });
    setReceipt(result.receipt);
  };
  const leave = async () => {
    await refresh();
    await navigate('/console');
  };
  return (
    <Block title={deletion.title}>
      <p>{deletion.text}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {deletion.action}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={fill(deletion.confirm, { account: account.name })}
          text={deletion.text}
          action={deletion.action}
          name={account.name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
      {receipt && <Receipt receipt={receipt} onClose={() => void leave()} />}
    </Block>
  );
}
