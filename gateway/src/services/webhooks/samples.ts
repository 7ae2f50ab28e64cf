/** A sample of each event, from the examples of the contract. */
import accountEvents from '@presenza/contract/account-events.json';
import cancelled from '@presenza/contract/examples/webhook-event--session-cancelled.json';
import completed from '@presenza/contract/examples/webhook-event--session-completed.json';
import expired from '@presenza/contract/examples/webhook-event--session-expired.json';
import failed from '@presenza/contract/examples/webhook-event--session-failed.json';
import started from '@presenza/contract/examples/webhook-event--session-started.json';
import type { WebhookEvent } from './events';

type EventType = WebhookEvent['eventType'];

const ofAccounts = Object.fromEntries(accountEvents.map(({ id, example }) => [id, example]));
const samples = {
  'session.cancelled': cancelled,
  'session.completed': completed,
  'session.expired': expired,
  'session.failed': failed,
  'session.started': started,
  ...(ofAccounts as Record<Exclude<EventType, `session.${string}`>, object>),
} satisfies Record<EventType, object>;

export const sampleOf = (eventType: EventType): object => samples[eventType];
