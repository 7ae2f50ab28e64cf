import type { Endpoint, Key } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Checks } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { dataOf } from '../../state/api';
import { usePrompts } from '../../state/prompts';
import { useData, useReload } from '../../state/queries';
import { createdWith, nameOf, useKeys } from './key-data';

interface RevokeKeyProps {
  apiKey: Key;
  /** All keys of the account. */
  keys: readonly Key[];
  onClose(): void;
}

/** Asks before a key is revoked, and offers to end what it created, which keeps working otherwise. */
export function RevokeKey(props: RevokeKeyProps) {
  const { account } = useKeys();
  const webhooks = useData('/accounts/{account}/webhooks', { path: { account } });
  return <Loaded query={webhooks}>{(data) => <Confirmation {...props} webhooks={data} />}</Loaded>;
}

interface ConfirmationProps extends RevokeKeyProps {
  /** All webhook endpoints of the account. */
  webhooks: readonly Endpoint[];
}

function Confirmation({ apiKey, keys, webhooks, onClose }: ConfirmationProps) {
  const { texts, api, account } = useKeys();
  const reload = useReload();
  const { title, text, action, done, created: createdText } = texts.keys.revocation;
  const { notify } = usePrompts();
  const { keyIds, webhookIds } = createdWith(apiKey.keyId, keys, webhooks);
  const [chosen, setChosen] = useState<readonly 'created'[]>(['created']);
  const counts = { keys: String(keyIds.length), webhooks: String(webhookIds.length) };
  const revoke = (key: string) =>
    dataOf(api.DELETE('/accounts/{account}/keys/{key}', { params: { path: { account, key } } }));
  const removeWebhook = (webhook: string) =>
    dataOf(api.DELETE('/accounts/{account}/webhooks/{webhook}', { params: { path: { account, webhook } } }));
  /** A key may create others until it is revoked, so this looks again until nothing is left. */
  const endCreated = async (): Promise<void> => {
    const params = { path: { account } };
    const left = createdWith(
      apiKey.keyId,
      await dataOf(api.GET('/accounts/{account}/keys', { params })),
      await dataOf(api.GET('/accounts/{account}/webhooks', { params })),
    );
    if (left.keyIds.length + left.webhookIds.length === 0) return;
    for (const id of left.keyIds) await revoke(id);
    for (const id of left.webhookIds) await removeWebhook(id);
    await endCreated();
  };
  return (
    <Confirm
      title={fill(title, { name: nameOf(apiKey) })}
      text={text}
      action={action}
      name={nameOf(apiKey)}
      onConfirm={async () => {
        await revoke(apiKey.keyId);
        notify(fill(done, { name: nameOf(apiKey) }));
        try {
          if (chosen.length > 0) await endCreated();
        } finally {
          reload('/accounts/{account}/keys', '/accounts/{account}/webhooks');
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
