import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Choice, Form, type Values } from '../../parts/form';
import { Time } from '../../parts/time';
import { useAction } from '../../use-call';
import { type ApiKey, type MadeKey, nameOf, useKeys } from './key-data';
import { MadeKeyDialog } from './made-key';

const hour = 3_600;
/** How long the old key may still work, in seconds, in the order of their words. */
const graces = { now: 0, hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour } as const;
type Grace = keyof typeof graces;

interface RollKeyProps {
  apiKey: ApiKey;
  onMade(): void;
  onClose(): void;
}

/** Makes a new key with the same scope. The old one works for a while more. */
export function RollKey({ apiKey, onMade, onClose }: RollKeyProps) {
  const { api, path, words } = useKeys();
  const { roll } = words.keys;
  const [made, setMade] = useState<MadeKey & { readonly oldKeyExpiresAt: string }>();
  const save = useAction(async ({ grace }: Values) => {
    const body = { graceSeconds: graces[grace as Grace] };
    setMade(await api.call('POST', `${path}/${apiKey.keyId}/roll`, body));
    onMade();
  });
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
      <Form action={roll.action} on={save}>
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
