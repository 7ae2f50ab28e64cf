import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Secret } from '../../parts/secret';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useAction, useData } from '../../state/use-call';
import { type ExplainedDelivery, useWebhooks } from './endpoint-data';
import { useOutcome } from './outcome';

interface DeliveryDialogProps {
  deliveryId: string;
  /** A disabled endpoint gets no replays. */
  isEnabled: boolean;
  onReplayed(): void;
  onClose(): void;
}

/** One delivery: its request, its attempts, and a button that sends it again. */
export function DeliveryDialog({ deliveryId, isEnabled, onReplayed, onClose }: DeliveryDialogProps) {
  const { words, api, path } = useWebhooks();
  const { delivery: text, replay } = words.webhooks;
  const delivery = useData<ExplainedDelivery>(`${path}/webhook-deliveries/${deliveryId}`);
  const again = useAction(async () => {
    await api.call('POST', `${path}/webhook-replays`, { delivery: deliveryId });
    onReplayed();
    onClose();
  });
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Loaded of={delivery}>
        {(found) => (
          <>
            <Explained delivery={found} />
            <Failure error={again.error} />
            {isEnabled ? (
              <div>
                <Button aria-busy={again.isBusy || undefined} onClick={() => void again.run()}>
                  {replay.one}
                </Button>
              </div>
            ) : (
              <p>{replay.disabled}</p>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Explained({ delivery }: { delivery: ExplainedDelivery }) {
  const { delivery: text, deliveries, states, table, fields } = useWebhooks().words.webhooks;
  const outcome = useOutcome();
  const { request, history, nextAttemptAt } = delivery;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Facts
        facts={[
          [fields.state, states[delivery.state]],
          [text.eventId, <code key="event">{delivery.eventId}</code>],
          nextAttemptAt !== undefined && [text.nextAttempt, <Time key="next" at={nextAttemptAt} />],
        ]}
      />
      <h3>{text.attempts}</h3>
      {history.length === 0 ? (
        <p>{text.noAttempts}</p>
      ) : (
        <Table label={text.attempts} columns={[table.time, table.response, table.duration]}>
          {history.map((attempt) => (
            <tr key={attempt.at}>
              <th scope="row">
                <Time at={attempt.at} />
              </th>
              <td>{outcome(attempt)}</td>
              <td>{fill(deliveries.tookMs, { ms: attempt.tookMs ?? 0 })}</td>
            </tr>
          ))}
        </Table>
      )}
      <h3>{text.headers}</h3>
      <Secret label={text.headers} text={headers.join('\n')} />
      <p>{text.signatures}</p>
      <h3>{text.payload}</h3>
      <Secret label={text.payload} text={JSON.stringify(request.payload, null, 2)} />
    </>
  );
}
