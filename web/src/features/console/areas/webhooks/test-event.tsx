import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Choice, Form, type Values } from '../../parts/form';
import { useEventTypes } from '../../state/events';
import { useAction } from '../../state/use-call';
import { type Attempt, type Endpoint, useWebhooks } from './endpoint-data';
import { useOutcome } from './outcome';

interface Tested extends Attempt {
  readonly delivered: boolean;
  readonly eventId: string;
}

/** Sends a sample of any event to the endpoint and says what the receiver responded. */
export function TestEvent({ endpoint: { webhookId }, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const { words, api, webhooks } = useWebhooks();
  const { test } = words.webhooks;
  const { all } = useEventTypes();
  const outcome = useOutcome();
  const [tested, setTested] = useState<Tested>();
  const send = useAction(async ({ eventType }: Values) => {
    setTested(undefined);
    setTested(await api.call<Tested>('POST', `${webhooks}/${webhookId}/test`, { eventType }));
  });
  return (
    <Dialog title={test.title} text={test.text} onClose={onClose}>
      <Form action={test.action} on={send}>
        <Choice name="eventType" label={test.event} options={all.map((value) => ({ value, label: value }))} />
      </Form>
      <p role="status">
        {tested &&
          fill(tested.delivered ? test.delivered : test.failed, {
            outcome: outcome(tested),
            ms: tested.tookMs ?? 0,
            eventId: tested.eventId,
          })}
      </p>
    </Dialog>
  );
}
