import type { Endpoint } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Field, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useReload } from '../../state/queries';
import { useWebhooks } from './use-webhooks';

interface ReplaySinceProps {
  endpoint: Endpoint;
  onClose(): void;
}

/** Sends all events again that the endpoint did not accept since a time. */
export function ReplaySince({ endpoint, onClose }: ReplaySinceProps) {
  const { texts, api, account } = useWebhooks();
  const reload = useReload();
  const { replay } = texts.webhooks;
  const [count, setCount] = useState<number>();
  const send = async ({ since }: { since: string }) => {
    const body = { webhook: endpoint.webhookId, since: new Date(since).toISOString() };
    const params = { path: { account } };
    const { replayed } = await dataOf(api.POST('/accounts/{account}/webhook-replays', { params, body }));
    setCount(replayed);
    reload('/accounts/{account}/webhook-deliveries');
  };
  return (
    <Dialog title={replay.title} text={replay.text} onClose={onClose}>
      <Form action={replay.action} onSubmit={send}>
        <Field name="since" type="datetime-local" label={replay.since} required />
      </Form>
      <p role="status">{count !== undefined && fill(replay.done, { count })}</p>
    </Dialog>
  );
}
