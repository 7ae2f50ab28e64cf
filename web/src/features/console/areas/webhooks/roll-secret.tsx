import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Choice, Form, type Values } from '../../parts/form';
import { useAction } from '../../use-call';
import { type Endpoint, useWebhooks } from './endpoint-data';
import { SecretDialog } from './secret-dialog';

interface RollSecretProps {
  endpoint: Endpoint;
  onChange(): void;
  onClose(): void;
}

/** Replaces the signing secret. The earlier one signs as well, until the grace period ends. */
export function RollSecret({ endpoint: { webhookId }, onChange, onClose }: RollSecretProps) {
  const { words, api, webhooks } = useWebhooks();
  const { roll } = words.webhooks;
  const [secret, setSecret] = useState<string>();
  const replace = useAction(async ({ graceSeconds }: Values) => {
    const path = `${webhooks}/${webhookId}/roll-secret`;
    const made = await api.call<{ secret: string }>('POST', path, { graceSeconds: Number(graceSeconds) });
    setSecret(made.secret);
    onChange();
  });
  if (secret) return <SecretDialog title={roll.done} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={roll.title} text={roll.text} onClose={onClose}>
      <Form action={roll.action} on={replace}>
        <Choice name="graceSeconds" label={roll.grace} defaultValue="86400" options={roll.graces} />
      </Form>
    </Dialog>
  );
}
