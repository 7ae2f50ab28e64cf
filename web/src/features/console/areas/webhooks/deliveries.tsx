import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Filters } from '../../parts/filters';
import { Choice } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Block } from '../../parts/page';
import { Pages, usePlace } from '../../parts/pages';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useData } from '../../state/use-call';
import { DeliveryDialog } from './delivery-dialog';
import { type Delivery, type DeliveryState, type Endpoint, useWebhooks } from './endpoint-data';
import { optionsOf } from './endpoint-form';
import { useOutcome } from './outcome';
import { ReplaySince } from './replay-since';
import * as styles from './webhooks.module.css';

const pageSize = 20;

/** The deliveries of the last days to an endpoint, newest first. */
export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const { words, path, mayChange } = useWebhooks();
  const { deliveries: text, states, replay, anyState } = words.webhooks;
  const [state, setState] = useState('');
  const [open, setOpen] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const place = usePlace();
  const query = new URLSearchParams({
    ...{ webhook: endpoint.webhookId, limit: String(pageSize) },
    ...(state && { state }),
    ...(place.after !== undefined && { after: place.after }),
  });
  const page = useData<{ deliveries: readonly Delivery[]; next?: string }>(
    `${path}/webhook-deliveries?${query}`,
  );
  const choose = (value: string) => {
    place.first();
    setState(value);
  };
  return (
    <Block
      title={text.title}
      actions={
        <>
          <Button look="secondary" onClick={page.reload}>
            {text.reload}
          </Button>
          {mayChange && (
            <Button look="secondary" onClick={() => setReplaying(true)}>
              {replay.open}
            </Button>
          )}
        </>
      }
    >
      <Filters>
        <Choice
          name="state"
          label={text.filter}
          value={state}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          options={[{ value: '', label: anyState }, ...optionsOf(states)]}
        />
      </Filters>
      <Loaded of={page}>
        {({ deliveries, next }) => (
          <>
            {deliveries.length === 0 ? (
              <Message text={state ? text.noneOfState : text.none} />
            ) : (
              <DeliveryTable deliveries={deliveries} {...(mayChange && { onOpen: setOpen })} />
            )}
            <Pages place={place} next={next} />
          </>
        )}
      </Loaded>
      {open !== undefined && (
        <DeliveryDialog
          deliveryId={open}
          isEnabled={endpoint.disabledAt === undefined}
          onReplayed={page.reload}
          onClose={() => setOpen(undefined)}
        />
      )}
      {isReplaying && (
        <ReplaySince endpoint={endpoint} onReplayed={page.reload} onClose={() => setReplaying(false)} />
      )}
    </Block>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  /** Without it, the person may not see payloads. */
  onOpen?: (deliveryId: string) => void;
}

function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const { deliveries: text, states, table } = useWebhooks().words.webhooks;
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

export const DeliveryStatus = ({ state, label }: { state: DeliveryState; label: string }) => (
  <Status status={looks[state]} label={label} />
);
