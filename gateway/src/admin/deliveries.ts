import { OperatorError } from '../errors';
import { namedPage } from '../services/pages';
import type { DeliveryFilter, DeliveryState } from '../services/webhooks/delivery-log';
import { isAccepted } from '../services/webhooks/dispatcher';
import { accountEventIds, eventIds, type WebhookEvent } from '../services/webhooks/events';
import { deliveryView, explainedDelivery } from '../services/webhooks/views';
import {
  account,
  type Operation,
  operation,
  type PageInput,
  type Property,
  page,
  time,
  webhook,
} from './operation';

const id = (description: string): Property => ({ type: 'string', pattern: '^[\\w-]{1,64}$', description });

const only: Property = { ...webhook, description: 'Only to this webhook endpoint' };

const filters: Readonly<Record<string, Property>> = {
  state: {
    type: 'string',
    enum: ['pending', 'delivered', 'dead', 'dropped'] satisfies DeliveryState[],
    description: 'Only deliveries in this state',
  },
  event: id('Only of this event'),
};

interface Listing extends PageInput {
  readonly account: string;
  readonly webhook?: string;
  readonly state?: DeliveryState;
  readonly event?: string;
}

const listing = (
  operationId: string,
  summary: string,
  path: string,
  more: Readonly<Record<string, Property>>,
  filter: DeliveryFilter,
) =>
  operation<Listing>({
    id: operationId,
    summary,
    http: ['GET', `/accounts/:account/${path}`],
    properties: { account, webhook: only, ...more, ...page },
    required: ['account'],
    changes: false,
    run: async ({ deliveries }, { account, webhook, event, ...wanted }) => {
      const chosen = {
        ...wanted,
        ...filter,
        ...(webhook !== undefined && { webhookId: webhook }),
        ...(event !== undefined && { eventId: event }),
      };
      return namedPage('deliveries', await deliveries.list(account, chosen), deliveryView);
    },
  });

interface Replay {
  readonly account: string;
  readonly delivery?: string;
  readonly event?: string;
  readonly since?: string;
  readonly webhook?: string;
}

export const deliveryOperations: readonly Operation[] = [
  listing(
    'webhooks deliveries',
    'Lists deliveries of the last 7 days, newest first: what was sent where, and how it ended',
    'webhook-deliveries',
    filters,
    {},
  ),
  listing(
    'webhooks dead-letters',
    'Lists deliveries that have no attempts left, newest first; they can be replayed',
    'webhook-dead-letters',
    {},
    { dead: true },
  ),
  operation<{ account: string; delivery: string }>({
    id: 'webhooks delivery',
    summary: 'Shows one delivery: the event as it is sent, and the outcome and duration of each attempt',
    http: ['GET', '/accounts/:account/webhook-deliveries/:delivery'],
    properties: { account, delivery: id('Id of the delivery') },
    required: ['account', 'delivery'],
    changes: false,
    discloses: true,
    shows: 'delivery',
    run: async ({ deliveries }, { account, delivery }) =>
      explainedDelivery(await deliveries.explain(account, delivery)),
  }),
  operation<Replay>({
    id: 'webhooks replay',
    summary:
      'Sends events again, with the ids that they had: one delivery, one event, or dead letters since a time',
    http: ['POST', '/accounts/:account/webhook-replays'],
    properties: {
      account,
      delivery: id('Id of one delivery'),
      event: id('Id of an event, for all endpoints that it was meant for'),
      since: time('Dead letters of events since then'),
      webhook: only,
    },
    required: ['account'],
    changes: true,
    run: async ({ deliveries }, { account, delivery, event, since, webhook }) => {
      if ([delivery, event, since].filter((option) => option !== undefined).length !== 1) {
        throw new OperatorError('Give one of delivery, event and since');
      }
      const replayed = await deliveries.replay(account, {
        ...(delivery !== undefined && { deliveryId: delivery }),
        ...(event !== undefined && { eventId: event }),
        ...(since !== undefined && { since: Date.parse(since) }),
        ...(webhook !== undefined && { webhookId: webhook }),
      });
      return { replayed };
    },
  }),
  operation<{ account: string; webhook: string; eventType: WebhookEvent['eventType'] }>({
    id: 'webhooks test',
    summary: 'Sends a signed sample of an event to a webhook endpoint, once, and reports the outcome',
    isAlarm: (result) => !(result as { delivered: boolean }).delivered,
    http: ['POST', '/accounts/:account/webhooks/:webhook/test'],
    properties: {
      account,
      webhook,
      eventType: {
        type: 'string',
        enum: [...eventIds, ...accountEventIds],
        default: 'session.completed',
        description: 'The event, also one that the endpoint does not get otherwise',
      },
    },
    required: ['account', 'webhook'],
    changes: false,
    run: async ({ deliveries }, { account, webhook, eventType }) => {
      const result = await deliveries.test(account, webhook, eventType);
      const { eventId, status, failure, tookMs } = result;
      return {
        delivered: isAccepted(result),
        eventId,
        ...(status !== undefined && { status }),
        ...(failure && { failure }),
        tookMs,
      };
    },
  }),
];
