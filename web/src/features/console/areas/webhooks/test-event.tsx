import type { Endpoint, WebhookEventType, WebhookTest } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Choice, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useEventTypes } from '../../state/events';
import { useOutcome } from './outcome';
import { useWebhooks } from './use-webhooks';

/** Sends a sample of any event to the endpoint and says what the receiver responded. */
export function TestEvent({ endpoint: { webhookId }, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const { texts, api, account } = useWebhooks();
  const { test } = texts.webhooks;
  const { all } = useEventTypes();
  const outcome = useOutcome();
  const [tested, setTested] = useState<WebhookTest>();
  const send = async (body: { eventType: WebhookEventType }) => {
    setTested(undefined);
    const params = { path: { account, webhook: webhookId } };
    setTested(await dataOf(api.POST('/accounts/{account}/webhooks/{webhook}/test', { params, body })));
  };
  return (
    <Dialog title={test.title} text={test.text} onClose={onClose}>
      <Form action={test.action} onSubmit={send}>
        <Choice name="eventType" label={test.event} options={all.map((value) => ({ value, label: value }))} />
      </Form>
      <p role="status">
        {tested &&
          fill(tested.delivered ? test.delivered : test.failed, {
            outcome: outcome(tested),
            ms: tested.tookMs,
            eventId: tested.eventId,
          })}
      </p>
    </Dialog>
  );
}
