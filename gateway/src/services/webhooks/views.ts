/** Webhook endpoints and deliveries as operators and callers with an API key see them. */
import { isoTime } from '../timing/iso-time';
import type { DeliveryRecord } from './delivery-log';
import type { ExplainedDelivery } from './delivery-service';
import type { WebhookEndpoint, WithSecret } from './endpoints';
import { eventIds } from './events';
import { fixedHeaders } from './sender';

/** `webhook-endpoint.json`, and with events of accounts for operators. */
export const endpointView = ({ id, url, events, type, onFailure, createdAt, ...rest }: WebhookEndpoint) => {
  const { disabled, earlierSecrets, mode = 'both', createdByKey } = rest;
  return {
    webhookId: id,
    url,
    events,
    mode,
    type,
    ...(type === 'sync' && { onFailure: onFailure ?? 'continue' }),
    createdAt: isoTime(createdAt),
    ...(createdByKey !== undefined && { createdByKey }),
    ...(earlierSecrets && { earlierSecretsSignUntil: earlierSecrets.map(({ until }) => isoTime(until)) }),
    ...(disabled && { disabledAt: isoTime(disabled.at), disabledBecause: disabled.because }),
  };
};

/** `webhook-endpoint.json`, which knows only the events of sessions. */
export const publicEndpointView = (endpoint: WebhookEndpoint) =>
  endpointView({ ...endpoint, events: endpoint.events.filter((event) => eventIds.includes(event)) });

export const withSecret = ({ endpoint, secret }: WithSecret) => ({ ...endpointView(endpoint), secret });

/** `webhook-delivery.json`. Without the history, which only one delivery shows. */
export const deliveryView = ({
  id,
  timestamp,
  mode,
  lastAttemptAt,
  nextAttemptAt,
  history: _,
  ...rest
}: DeliveryRecord) => ({
  deliveryId: id,
  ...rest,
  timestamp: isoTime(timestamp),
  ...(mode && { livemode: mode === 'live' }),
  ...(lastAttemptAt !== undefined && { lastAttemptAt: isoTime(lastAttemptAt) }),
  ...(nextAttemptAt !== undefined && { nextAttemptAt: isoTime(nextAttemptAt) }),
});

/** One delivery with its request and each attempt. The request's signatures differ by attempt, and nothing keeps them. */
export const explainedDelivery = ({ record, payload }: ExplainedDelivery) => ({
  ...deliveryView(record),
  request: { headers: { ...fixedHeaders, 'webhook-id': record.eventId }, payload },
  history: (record.history ?? []).map(({ at, ...attempt }) => ({ at: isoTime(at), ...attempt })),
});
