import type { ExplainedDelivery } from '@presenza/contract/console/types.d.ts';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Secret } from '../../parts/secret';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useAction, useData, useReload } from '../../state/queries';
import { useDecision, useOutcome } from './outcome';
import { useWebhooks } from './use-webhooks';

interface DeliveryDialogProps {
  deliveryId: string;
  /** A disabled endpoint gets no replays. */
  isEnabled: boolean;
  onClose(): void;
}

/** One delivery: its request, its attempts, and a button that sends it again. */
export function DeliveryDialog({ deliveryId, isEnabled, onClose }: DeliveryDialogProps) {
  const { texts, api, account } = useWebhooks();
  const reload = useReload();
  const { delivery: text, replay } = texts.webhooks;
  const delivery = useData('/accounts/{account}/webhook-deliveries/{delivery}', {
    path: { account, delivery: deliveryId },
  });
  const again = useAction(async () => {
    const params = { path: { account } };
    await dataOf(api.POST('/accounts/{account}/webhook-replays', { params, body: { delivery: deliveryId } }));
    reload('/accounts/{account}/webhook-deliveries');
    onClose();
  });
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Loaded query={delivery}>
        {(loaded) => (
          <>
            <Explained delivery={loaded} />
            <Failure error={again.error} />
            {isEnabled ? (
              <div>
                <Button aria-busy={again.isPending || undefined} onClick={() => again.run()}>
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
  const { delivery: text, deliveries, states, table, fields } = useWebhooks().texts.webhooks;
  const outcome = useOutcome();
  const describe = useDecision();
  const { request, history, nextAttemptAt, decision } = delivery;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Facts
        facts={[
          [fields.state, states[delivery.state]],
          decision !== undefined && [text.decision, describe(decision)],
          [text.eventId, <CopiedId key="event" id={delivery.eventId} />],
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
              <td>{fill(deliveries.tookMs, { ms: attempt.tookMs })}</td>
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
