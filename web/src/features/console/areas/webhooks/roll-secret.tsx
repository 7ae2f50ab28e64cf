import type { Endpoint } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Choice, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useReload } from '../../state/queries';
import { SecretDialog } from './secret-dialog';
import { useWebhooks } from './use-webhooks';

/** How long the earlier secret still signs, in seconds. */
const graces = { day: 86_400, week: 604_800, none: 0 } as const;
type Grace = keyof typeof graces;

interface RollSecretProps {
  endpoint: Endpoint;
  onClose(): void;
}

/** Replaces the signing secret. The earlier one signs as well, until the grace period ends. */
export function RollSecret({ endpoint: { webhookId }, onClose }: RollSecretProps) {
  const { texts, api, account } = useWebhooks();
  const reload = useReload();
  const { roll } = texts.webhooks;
  const [secret, setSecret] = useState<string>();
  const replace = async ({ grace }: { grace: Grace }) => {
    const params = { path: { account, webhook: webhookId } };
    const body = { graceSeconds: graces[grace] };
    const call = api.POST('/accounts/{account}/webhooks/{webhook}/roll-secret', { params, body });
    const rolled = await dataOf(call);
    setSecret(rolled.secret);
    reload('/accounts/{account}/webhooks');
  };
  if (secret) return <SecretDialog title={roll.done} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={roll.title} text={roll.text} onClose={onClose}>
      <Form action={roll.action} onSubmit={replace}>
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
