import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Checks } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { useData } from '../../state/use-call';
import { type ApiKey, type CreatedWebhook, createdWith, nameOf, useKeys } from './key-data';

interface RevokeKeyProps {
  apiKey: ApiKey;
  /** All keys of the account. */
  keys: readonly ApiKey[];
  onRevoked(): void;
  onClose(): void;
}

/** Asks before a key is revoked, and offers to end what it created, which keeps working otherwise. */
export function RevokeKey(props: RevokeKeyProps) {
  const { webhooksPath } = useKeys();
  const webhooks = useData<readonly CreatedWebhook[]>(webhooksPath);
  return <Loaded of={webhooks}>{(data) => <Confirmation {...props} webhooks={data} />}</Loaded>;
}

interface ConfirmationProps extends RevokeKeyProps {
  /** All webhook endpoints of the account. */
  webhooks: readonly CreatedWebhook[];
}

function Confirmation({ apiKey, keys, webhooks, onRevoked, onClose }: ConfirmationProps) {
  const { words, api, path, webhooksPath } = useKeys();
  const { title, text, action, created: createdText } = words.keys.revocation;
  const { keyIds, webhookIds } = createdWith(apiKey.keyId, keys, webhooks);
  const [chosen, setChosen] = useState(['created']);
  const counts = { keys: String(keyIds.length), webhooks: String(webhookIds.length) };
  /** A key may create others until it is revoked, so this looks again until nothing is left. */
  const endCreated = async (): Promise<void> => {
    const left = createdWith(
      apiKey.keyId,
      await api.call<readonly ApiKey[]>('GET', path),
      await api.call<readonly CreatedWebhook[]>('GET', webhooksPath),
    );
    if (left.keyIds.length + left.webhookIds.length === 0) return;
    for (const id of left.keyIds) await api.call('DELETE', `${path}/${id}`, {});
    for (const id of left.webhookIds) await api.call('DELETE', `${webhooksPath}/${id}`, {});
    await endCreated();
  };
  return (
    <Confirm
      title={fill(title, { name: nameOf(apiKey) })}
      text={text}
      action={action}
      name={nameOf(apiKey)}
      onConfirm={async () => {
        await api.call('DELETE', `${path}/${apiKey.keyId}`, {});
        try {
          if (chosen.length > 0) await endCreated();
        } finally {
          onRevoked();
        }
      }}
      onClose={onClose}
    >
      {keyIds.length + webhookIds.length > 0 && (
        <Checks
          name="created"
          label={createdText.label}
          options={[{ value: 'created', label: fill(createdText.option, counts) }]}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </Confirm>
  );
}
