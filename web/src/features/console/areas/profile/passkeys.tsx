import type { Passkey } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm, Dialog } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { type NamedPasskey, PasskeyForm } from '../../parts/passkey-form';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { hasPasskeys, usePasskeys } from '../../state/passkeys';
import { usePrompts } from '../../state/prompts';
import { useReload } from '../../state/queries';

export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { texts, api, refresh } = useConsole();
  const { passkeys: text, never } = texts.profile;
  const { notify } = usePrompts();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const remove = async ({ passkeyId, name }: Passkey) => {
    await dataOf(api.DELETE('/profile/passkeys/{passkeyId}', { params: { path: { passkeyId } } }));
    await refresh();
    notify(fill(text.removed, { name }));
  };
  return (
    <Block
      title={text.title}
      actions={
        hasPasskeys() && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <Table label={text.title} columns={[text.name, text.addedAt, text.usedAt, text.actions]}>
          {passkeys.map((passkey) => (
            <tr key={passkey.passkeyId}>
              <th scope="row">{passkey.name}</th>
              <td>
                <Time at={passkey.addedAt} />
              </td>
              <td>{passkey.usedAt ? <Time at={passkey.usedAt} /> : never}</td>
              <td>
                <RowButton label={text.remove} row={passkey.name} onClick={() => setRemoved(passkey)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removed && (
        <Confirm
          title={fill(text.removal.title, { name: removed.name })}
          text={text.removal.text}
          action={text.removal.action}
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Block>
  );
}

function AddPasskey({ onClose }: { onClose(): void }) {
  const { texts, api, refresh } = useConsole();
  const { passkeyHint } = texts.people;
  const { addition, added } = texts.profile.passkeys;
  const { notify } = usePrompts();
  const passkeys = usePasskeys();
  const reload = useReload();
  const add = async ({ passkeyName }: NamedPasskey) => {
    const options = await dataOf(api.POST('/profile/passkey-options'));
    const passkey = await passkeys.create(options);
    const body = { ticket: options.ticket, passkey, passkeyName };
    await dataOf(api.POST('/profile/passkeys', { body }));
    await refresh();
    onClose();
    notify(fill(added, { name: passkeyName }));
    // The first second factor ends all other sign-ins.
    reload('/profile/sign-ins');
  };
  return (
    <Dialog title={addition.title} text={passkeyHint} onClose={onClose}>
      <PasskeyForm action={addition.action} onSubmit={add} />
    </Dialog>
  );
}
