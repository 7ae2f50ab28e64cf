import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm, Dialog } from '../../parts/dialog';
import type { Values } from '../../parts/form';
import { Block } from '../../parts/page';
import { PasskeyForm } from '../../parts/passkey-form';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { type Profile, useConsole } from '../../state/context';
import { hasPasskeys, type PasskeyOptions, usePasskeys } from '../../state/passkeys';
import { useAction } from '../../state/use-call';

type Passkey = Profile['passkeys'][number];

export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { words, api, refresh } = useConsole();
  const { passkeys: own, never } = words.profile;
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const remove = async ({ passkeyId }: Passkey) => {
    await api.call('DELETE', `/profile/passkeys/${encodeURIComponent(passkeyId)}`, {});
    await refresh();
  };
  return (
    <Block
      title={own.title}
      actions={
        hasPasskeys() && (
          <Button look="secondary" onClick={() => setAdding(true)}>
            {own.add}
          </Button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <p>{own.none}</p>
      ) : (
        <Table label={own.title} columns={[own.name, own.addedAt, own.usedAt, own.actions]}>
          {passkeys.map((passkey) => (
            <tr key={passkey.passkeyId}>
              <th scope="row">{passkey.name}</th>
              <td>
                <Time at={passkey.addedAt} />
              </td>
              <td>{passkey.usedAt ? <Time at={passkey.usedAt} /> : never}</td>
              <td>
                <RowButton label={own.remove} of={passkey.name} onClick={() => setRemoved(passkey)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removed && (
        <Confirm
          title={fill(own.removal.title, { name: removed.name })}
          text={own.removal.text}
          action={own.removal.action}
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Block>
  );
}

function AddPasskey({ onClose }: { onClose(): void }) {
  const { words, api, refresh } = useConsole();
  const { passkeyHint } = words.people;
  const { addition } = words.profile.passkeys;
  const passkeys = usePasskeys();
  const add = useAction(async ({ passkeyName: name = '' }: Values) => {
    const begun = await api.call<PasskeyOptions>('POST', '/profile/passkey-options', {});
    const passkey = await passkeys.create(begun);
    await api.call('POST', '/profile/passkeys', { ticket: begun.ticket, passkey, passkeyName: name });
    await refresh();
    onClose();
  });
  return (
    <Dialog title={addition.title} text={passkeyHint} onClose={onClose}>
      <PasskeyForm action={addition.action} on={add} />
    </Dialog>
  );
}
