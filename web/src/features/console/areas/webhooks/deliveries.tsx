import type { Delivery, Endpoint, WebhookDeliveryState } from '@presenza/contract/console/types.d.ts';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { ExactTime } from '../../parts/exact-time';
import { entriesOf, Filter, Filters } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Block } from '../../parts/page';
import { formatMs } from '../../parts/quantities';
import { Table } from '../../parts/table';
import { useAddressQuery } from '../../state/address';
import { DeliveryDialog } from './delivery-dialog';
import { DeliveryStatus } from './delivery-status';
import { useOutcome } from './outcome';
import { ReplaySince } from './replay-since';
import { useWebhooks } from './use-webhooks';
import * as styles from './webhooks.module.css';

const pageSize = 20;

/** The parameters of the address. */
const stateParameter = 'state';
const deliveryParameter = 'delivery';

interface DeliveriesProps {
  endpoint: Endpoint;
  /** Sends a sample; absent for people who may not. */
  onTest: (() => void) | undefined;
}

/** The deliveries of the last days to an endpoint, newest first. */
export function Deliveries({ endpoint, onTest }: DeliveriesProps) {
  const { texts, account, may } = useWebhooks();
  const { deliveries: text, states, replay, anyState, test } = texts.webhooks;
  const [query, change] = useAddressQuery();
  const [isReplaying, setReplaying] = useState(false);
  const state = stateOf(query.get(stateParameter), states);
  const open = query.get(deliveryParameter) ?? undefined;
  const list = useList('/accounts/{account}/webhook-deliveries', {
    name: 'deliveries',
    params: { path: { account }, query: { webhook: endpoint.webhookId, state: state || undefined } },
    limit: pageSize,
  });
  const rows = useRef<HTMLDivElement>(null);
  useKeptFocus(rows, open);
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
          onChoose={(chosen) => change({ [stateParameter]: chosen })}
          options={[['', anyState], ...entriesOf(states)]}
        />
      </Filters>
      <div ref={rows} tabIndex={-1} className={styles.rows}>
        <ListPage
          list={list}
          none={
            state ? (
              <Message text={text.noneOfState} />
            ) : (
              <Message text={text.none} {...(onTest && { action: test.open, onAction: onTest })} />
            )
          }
        >
          {(deliveries) => (
            <DeliveryTable
              deliveries={deliveries}
              {...(may('webhooksDelivery') && {
                onOpen: (deliveryId: string) => change({ [deliveryParameter]: deliveryId }, 'push'),
              })}
            />
          )}
        </ListPage>
      </div>
      {open !== undefined && may('webhooksDelivery') && (
        <DeliveryDialog
          deliveryId={open}
          endpoint={endpoint}
          onClose={() => change({ [deliveryParameter]: undefined })}
        />
      )}
      {isReplaying && <ReplaySince endpoint={endpoint} onClose={() => setReplaying(false)} />}
    </Block>
  );
}

/** Addresses may have any text. */
const stateOf = (text: string | null, states: Readonly<Record<WebhookDeliveryState, string>>) =>
  text !== null && Object.hasOwn(states, text) ? (text as WebhookDeliveryState) : '';

/** A delivery that was sent again leaves a filtered list, with the button that had opened it. The list gets the focus. */
function useKeptFocus({ current: rows }: { current: HTMLElement | null }, open: string | undefined) {
  const before = useRef(open);
  useEffect(() => {
    const hasClosed = before.current !== undefined && open === undefined;
    before.current = open;
    if (!hasClosed) return;
    // After the dialog has given the focus back.
    const timer = setTimeout(() => document.activeElement === document.body && rows?.focus());
    return () => clearTimeout(timer);
  }, [open, rows]);
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
    <div className={styles.deliveries}>
      <Table
        label={text.title}
        columns={[table.event, table.state, table.response, table.duration, table.time, table.attempts]}
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
              <DeliveryStatus state={delivery.state} label={states[delivery.state]} />
            </td>
            <td>{outcome(delivery)}</td>
            <td className={styles.whole}>
              {delivery.tookMs === undefined ? text.noDuration : formatMs(delivery.tookMs)}
            </td>
            <td>
              <ExactTime at={delivery.timestamp} />
            </td>
            <td>{delivery.attempts}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
