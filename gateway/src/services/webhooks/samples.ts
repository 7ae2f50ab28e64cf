/** A sample of each event, from the examples of the contract. */
import cancelled from '@presenza/contract/examples/webhook-event--session-cancelled.json';
import completed from '@presenza/contract/examples/webhook-event--session-completed.json';
import expired from '@presenza/contract/examples/webhook-event--session-expired.json';
import failed from '@presenza/contract/examples/webhook-event--session-failed.json';
import started from '@presenza/contract/examples/webhook-event--session-started.json';
import type { SessionEventType } from '../liveness/session/states';

const samples: Readonly<Record<SessionEventType, object>> = {
  'session.cancelled': cancelled,
  'session.completed': completed,
  'session.expired': expired,
  'session.failed': failed,
  'session.started': started,
};

export const sampleOf = (eventType: SessionEventType): object => samples[eventType];
