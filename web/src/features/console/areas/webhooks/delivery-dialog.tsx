import type { Delivery, Endpoint, ExplainedDelivery } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { useEffect, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Dialog } from '../../parts/dialog';
import { ExactTime } from '../../parts/exact-time';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { formatMs } from '../../parts/quantities';
import { Secret } from '../../parts/secret';
import { Table } from '../../parts/table';
import { dataOf } from '../../state/api';
import { useAction, useData, useReload } from '../../state/queries';
import { DeliveryStatus } from './delivery-status';
import { useDecision, useOutcome } from './outcome';
import { useWebhooks } from './use-webhooks';

const pollMs = 1_000;

interface DeliveryDialogProps {
  deliveryId: string;
  endpoint: Endpoint;
  onClose(): void;
}

/** One delivery: its request, its attempts, and a button that sends it again. */
export function DeliveryDialog({ deliveryId, endpoint, onClose }: DeliveryDialogProps) {
  const { texts, account, may } = useWebhooks();
  const { delivery: text, replay } = texts.webhooks;
  const delivery = useData('/accounts/{account}/webhook-deliveries/{delivery}', {
    path: { account, delivery: deliveryId },
  });
  const event = delivery.data?.eventType ?? text.anyEvent;
  return (
    <Dialog title={fill(text.title, { event })} onClose={onClose}>
      <Loaded query={delivery}>
        {(loaded) => (
          <>
            <Summary delivery={loaded} endpoint={endpoint} />
            {may('webhooksReplay') &&
              // A disabled endpoint gets no replays.
              (endpoint.disabledAt === undefined ? (
                <Resend delivery={loaded} onOutcome={() => void delivery.refetch()} />
              ) : (
                <p>{replay.disabled}</p>
              ))}
            <Attempts delivery={loaded} />
            <Payload delivery={loaded} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

interface DeliveryProps {
  delivery: ExplainedDelivery;
}

function Summary({ delivery, endpoint }: DeliveryProps & Pick<DeliveryDialogProps, 'endpoint'>) {
  const { sessions, webhooks } = useWebhooks().texts;
  const { delivery: text, states, fields } = webhooks;
  const describe = useDecision();
  const { nextAttemptAt, decision, sessionId, livemode } = delivery;
  return (
    <Facts
      facts={[
        [fields.state, <DeliveryStatus key="state" state={delivery.state} label={states[delivery.state]} />],
        [text.url, endpoint.url],
        decision !== undefined && [text.decision, describe(decision)],
        nextAttemptAt !== undefined && [text.nextAttempt, <ExactTime key="next" at={nextAttemptAt} zone />],
        [text.created, <ExactTime key="created" at={delivery.timestamp} zone />],
        livemode !== undefined && [text.mode, sessions.modes[livemode ? 'live' : 'test']],
        sessionId !== undefined && [
          text.session,
          <Link key="session" to={`/console/sessions/${sessionId}`}>
            <code>{sessionId}</code>
          </Link>,
        ],
        [text.eventId, <CopiedId key="event" id={delivery.eventId} />],
      ]}
    />
  );
}

/** Another schedule of attempts begins without one. */
const hasAttempt = (delivery: Delivery | undefined): delivery is Delivery =>
  delivery?.lastAttemptAt !== undefined;

/** Sends the delivery again, and says how that attempt ended. */
function Resend({ delivery, onOutcome }: DeliveryProps & { onOutcome(): void }) {
  const { texts, api, account } = useWebhooks();
  const { replay, states } = texts.webhooks;
  const reload = useReload();
  const outcome = useOutcome();
  const [isSent, setSent] = useState(false);
  const { deliveryId, eventId, webhookId } = delivery;
  const path = { account };
  const again = useAction(async () => {
    setSent(false);
    const body = { delivery: deliveryId };
    await dataOf(api.POST('/accounts/{account}/webhook-replays', { params: { path }, body }));
    setSent(true);
    reload('/accounts/{account}/webhook-deliveries');
  });
  // The list, because the audit log records each look at a delivery.
  const { data } = useData(
    '/accounts/{account}/webhook-deliveries',
    { path, query: { event: eventId, webhook: webhookId, limit: 1 } },
    {
      enabled: isSent,
      refetchInterval: ({ state }) => (hasAttempt(state.data?.deliveries[0]) ? false : pollMs),
    },
  );
  const current = isSent ? data?.deliveries[0] : undefined;
  const hasOutcome = hasAttempt(current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each outcome
  useEffect(() => {
    if (!hasOutcome) return;
    onOutcome();
    reload('/accounts/{account}/webhook-deliveries');
  }, [hasOutcome, current?.lastAttemptAt]);
  return (
    <div>
      <Failure error={again.error} />
      <Button aria-busy={again.isPending || undefined} onClick={() => again.run()}>
        {replay.one}
      </Button>
      <p role="status">
        {isSent &&
          (hasOutcome
            ? fill(replay.outcome, {
                state: states[current.state],
                outcome: outcome(current),
                duration: formatMs(current.tookMs ?? 0),
              })
            : replay.queued)}
      </p>
    </div>
  );
}

function Attempts({ delivery: { history } }: DeliveryProps) {
  const { delivery: text, table } = useWebhooks().texts.webhooks;
  const outcome = useOutcome();
  return (
    <>
      <h3>{text.attempts}</h3>
      {history.length === 0 ? (
        <p>{text.noAttempts}</p>
      ) : (
        <Table label={text.attempts} columns={[table.time, table.response, table.duration]}>
          {history.map((attempt) => (
            <tr key={attempt.at}>
              <th scope="row">
                <ExactTime at={attempt.at} />
              </th>
              <td>{outcome(attempt)}</td>
              <td>{formatMs(attempt.tookMs)}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function Payload({ delivery: { request } }: DeliveryProps) {
  const { delivery: text } = useWebhooks().texts.webhooks;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <h3>{text.headers}</h3>
      <Secret label={text.headers} text={headers.join('\n')} />
      <p>{text.signatures}</p>
      <h3>{text.payload}</h3>
      <Secret label={text.payload} text={JSON.stringify(request.payload, null, 2)} />
    </>
  );
}
