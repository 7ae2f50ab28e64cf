import type { Key, RolledKey } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Choice, Form } from '../../parts/form';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useReload } from '../../state/queries';
import { nameOf, useKeys } from './key-data';
import { MadeKeyDialog } from './made-key';

const hour = 3_600;
/** How long the old key may still work, in seconds, in the order of the choices. */
const graces = { now: 0, hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour } as const;
type Grace = keyof typeof graces;

interface RollKeyProps {
  apiKey: Key;
  onClose(): void;
}

/** Makes a new key with the same scope. The old one works for a while more. */
export function RollKey({ apiKey, onClose }: RollKeyProps) {
  const { api, account, texts } = useKeys();
  const reload = useReload();
  const { roll } = texts.keys;
  const [made, setMade] = useState<RolledKey>();
  const save = async ({ grace }: { readonly grace: Grace }) => {
    const params = { path: { account, key: apiKey.keyId } };
    const body = { graceSeconds: graces[grace] };
    setMade(await dataOf(api.POST('/accounts/{account}/keys/{key}/roll', { params, body })));
    reload('/accounts/{account}/keys');
  };
  if (made) {
    return (
      <MadeKeyDialog apiKey={made.apiKey} onClose={onClose}>
        <p>
          {roll.oldUntil} <Time at={made.oldKeyExpiresAt} />
        </p>
      </MadeKeyDialog>
    );
  }
  return (
    <Dialog title={fill(roll.title, { name: nameOf(apiKey) })} text={roll.text} onClose={onClose}>
      <Form action={roll.action} onSubmit={save}>
        <Choice
          name="grace"
          label={roll.grace}
          defaultValue="day"
          options={(Object.keys(graces) as Grace[]).map((value) => ({ value, label: roll.graces[value] }))}
        />
      </Form>
    </Dialog>
  );
}
