import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Checks } from '../../parts/form';
import { useData } from '../../state/use-call';
import { type ApiKey, type MadeWebhook, madeWith, nameOf, useKeys } from './key-data';

interface RevokeKeyProps {
  apiKey: ApiKey;
  /** All keys of the account. */
  keys: readonly ApiKey[];
  onRevoked(): void;
  onClose(): void;
}

/** Asks before a key is revoked, and offers to end what it created, which keeps working otherwise. */
export function RevokeKey({ apiKey, keys, onRevoked, onClose }: RevokeKeyProps) {
  const { words, api, path, webhooksPath } = useKeys();
  const { title, text, action, made: madeText } = words.keys.revocation;
  const webhooks = useData<readonly MadeWebhook[]>(webhooksPath);
  const made = madeWith(apiKey.keyId, keys, webhooks.data ?? []);
  const [chosen, setChosen] = useState(['made']);
  const counts = { keys: String(made.keyIds.length), webhooks: String(made.webhookIds.length) };
  const hasMade = made.keyIds.length + made.webhookIds.length > 0;
  /** A key may create others until it is revoked, so this looks again until nothing is left. */
  const endMade = async (): Promise<void> => {
    const left = madeWith(
      apiKey.keyId,
      await api.call<readonly ApiKey[]>('GET', path),
      await api.call<readonly MadeWebhook[]>('GET', webhooksPath),
    );
    if (left.keyIds.length + left.webhookIds.length === 0) return;
    for (const id of left.keyIds) await api.call('DELETE', `${path}/${id}`, {});
    for (const id of left.webhookIds) await api.call('DELETE', `${webhooksPath}/${id}`, {});
    await endMade();
  };
  return (
    <Confirm
      title={fill(title, { name: nameOf(apiKey) })}
      text={text}
      action={action}
      name={nameOf(apiKey)}
      onConfirm={async () => {
        await api.call('DELETE', `${path}/${apiKey.keyId}`, {});
        if (hasMade && chosen.length > 0) await endMade();
        onRevoked();
      }}
      onClose={onClose}
    >
      {hasMade && (
        <Checks
          name="made"
          label={madeText.label}
          options={[{ value: 'made', label: fill(madeText.option, counts) }]}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </Confirm>
  );
}
