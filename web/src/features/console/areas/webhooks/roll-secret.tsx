import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Choice, Form, type Values } from '../../parts/form';
import { useAction } from '../../state/use-call';
import { type Endpoint, useWebhooks } from './endpoint-data';
import { SecretDialog } from './secret-dialog';

/** How long the earlier secret still signs, in seconds. */
const graces = { day: 86_400, week: 604_800, none: 0 } as const;
type Grace = keyof typeof graces;

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
  const replace = useAction(async ({ grace }: Values) => {
    const path = `${webhooks}/${webhookId}/roll-secret`;
    const graceSeconds = graces[grace as Grace];
    const made = await api.call<{ secret: string }>('POST', path, { graceSeconds });
    setSecret(made.secret);
    onChange();
  });
  if (secret) return <SecretDialog title={roll.done} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={roll.title} text={roll.text} onClose={onClose}>
      <Form action={roll.action} on={replace}>
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
