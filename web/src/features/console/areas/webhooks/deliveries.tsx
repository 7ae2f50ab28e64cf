import type { Delivery, Endpoint, WebhookDeliveryState } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { entriesOf, Filter, Filters } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Block } from '../../parts/page';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { DeliveryDialog } from './delivery-dialog';
import { useOutcome } from './outcome';
import { ReplaySince } from './replay-since';
import { useWebhooks } from './use-webhooks';
import * as styles from './webhooks.module.css';

const pageSize = 20;

/** The deliveries of the last days to an endpoint, newest first. */
export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const { texts, account, may } = useWebhooks();
  const { deliveries: text, states, replay, anyState } = texts.webhooks;
  const [state, setState] = useState<WebhookDeliveryState | ''>('');
  const [open, setOpen] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const list = useList('/accounts/{account}/webhook-deliveries', {
    name: 'deliveries',
    params: { path: { account }, query: { webhook: endpoint.webhookId, state: state || undefined } },
    limit: pageSize,
  });
  return (
    <Block
      title={text.title}
      actions={
        <>
          <Button variant="secondary" onClick={() => void list.refetch()}>
            {text.reload}
          </Button>
          {may('webhooksReplay') && (
            <Button variant="secondary" onClick={() => setReplaying(true)}>
              {replay.open}
            </Button>
          )}
        </>
      }
    >
      <Filters>
        <Filter
          name="state"
          label={text.filter}
          value={state}
          onChoose={setState}
          options={[['', anyState], ...entriesOf(states)]}
        />
      </Filters>
      <ListPage list={list} none={<Message text={state ? text.noneOfState : text.none} />}>
        {(deliveries) => (
          <DeliveryTable deliveries={deliveries} {...(may('webhooksDelivery') && { onOpen: setOpen })} />
        )}
      </ListPage>
      {open !== undefined && (
        <DeliveryDialog
          deliveryId={open}
          isEnabled={endpoint.disabledAt === undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
      {isReplaying && <ReplaySince endpoint={endpoint} onClose={() => setReplaying(false)} />}
    </Block>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  /** Without it, the person may not see payloads. */
  onOpen?: (deliveryId: string) => void;
}

function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const { deliveries: text, states, table } = useWebhooks().texts.webhooks;
  const outcome = useOutcome();
  return (
    <Table
      label={text.title}
      columns={[table.event, table.time, table.state, table.response, table.attempts]}
    >
      {deliveries.map((delivery) => (
        <tr key={delivery.deliveryId}>
          <th scope="row">
            {onOpen ? (
              <button type="button" className={styles.open} onClick={() => onOpen(delivery.deliveryId)}>
                {delivery.eventType}
              </button>
            ) : (
              delivery.eventType
            )}
          </th>
          <td>
            <Time at={delivery.timestamp} />
          </td>
          <td>
            <DeliveryStatus state={delivery.state} label={states[delivery.state]} />
          </td>
          <td className={styles.whole}>
            {delivery.tookMs === undefined
              ? outcome(delivery)
              : fill(text.outcomeIn, { outcome: outcome(delivery), ms: delivery.tookMs })}
          </td>
          <td>{delivery.attempts}</td>
        </tr>
      ))}
    </Table>
  );
}

const looks = { pending: 'unmeasured', delivered: 'reached', dead: 'missed', dropped: 'none' };

export const DeliveryStatus = ({ state, label }: { state: WebhookDeliveryState; label: string }) => (
  <Status status={looks[state]} label={label} />
);
