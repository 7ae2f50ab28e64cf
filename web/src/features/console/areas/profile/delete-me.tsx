import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { type ErasureReceipt, Receipt } from '../../parts/receipt';
import { useConsole } from '../../state/context';
import type { OfProfile } from './index';

/** Deletes the person, and accounts without other members. */
export function DeleteMe({ profile: { email } }: OfProfile) {
  const { words, api, refresh } = useConsole();
  const { deletion } = words.profile;
  const [isAsking, setAsking] = useState(false);
  const [receipt, setReceipt] = useState<ErasureReceipt>();
  const remove = async () => {
    const result = await api.call<{ receipt: ErasureReceipt }>('DELETE', '/profile', {});
    setReceipt(result.receipt);
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
          title={deletion.title}
          text={deletion.confirm}
          action={deletion.action}
          name={email}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
      {receipt && <Receipt receipt={receipt} onClose={() => void refresh()} />}
    </Block>
  );
}
