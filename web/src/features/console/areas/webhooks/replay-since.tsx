import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Field, Form, type Values } from '../../parts/form';
import { useAction } from '../../use-call';
import { type Endpoint, useWebhooks } from './endpoint-data';

interface ReplaySinceProps {
  endpoint: Endpoint;
  onReplayed(): void;
  onClose(): void;
}

/** Sends all events again that the endpoint did not accept since a time. */
export function ReplaySince({ endpoint, onReplayed, onClose }: ReplaySinceProps) {
  const { words, api, path } = useWebhooks();
  const { replay } = words.webhooks;
  const [count, setCount] = useState<number>();
  const send = useAction(async ({ since = '' }: Values) => {
    const body = { webhook: endpoint.webhookId, since: new Date(since).toISOString() };
    const { replayed } = await api.call<{ replayed: number }>('POST', `${path}/webhook-replays`, body);
    setCount(replayed);
    onReplayed();
  });
  return (
    <Dialog title={replay.title} text={replay.text} onClose={onClose}>
      <Form action={replay.action} on={send}>
        <Field name="since" type="datetime-local" label={replay.since} required />
      </Form>
      <p role="status">{count !== undefined && fill(replay.done, { count })}</p>
    </Dialog>
  );
}
