import type { EventDetails, SessionEvent } from '../liveness/session/events';
import { isoTime } from '../timing/iso-time';
import { isOfSession, type WebhookEvent } from './events';

/** The body of an event as bytes. The same event and details give the same bytes. @param details as of `contentOf` */
export const bodyOf = (event: WebhookEvent, details?: EventDetails): Buffer =>
  Buffer.from(JSON.stringify(payloadOf(event, details)));

/** The body as an object. */
export const payloadOf = (event: WebhookEvent, details?: EventDetails) =>
  isOfSession(event) ? contentOf(event, details) : usageContentOf(event);

/** The content of an event of an account, as `account-events.json` shows it. */
export const usageContentOf = ({ eventType, timestamp, usage }: WebhookEvent) => ({
  eventType,
  timestamp: isoTime(timestamp),
  livemode: true,
  usage,
});

/**
 * The content of an event of a session, as `webhook-event.json` describes it.
 * @param details undefined once the session's data is gone; the event then says only what happened and when.
 */
export function contentOf(
  { eventType, sessionId, timestamp, mode }: SessionEvent,
  { result, match, failureReason, consent, metadata }: EventDetails = {},
) {
  const passed = eventType === 'session.completed';
  return {
    eventType,
    sessionId,
    timestamp: isoTime(timestamp),
    livemode: mode === 'live',
    ...(passed && result && { result }),
    ...(passed && match && { match }),
    ...(eventType === 'session.failed' && failureReason && { failureReason }),
    // The consent of a running session may still change, and retries of an event must not differ.
    ...(eventType !== 'session.started' && consent && { consent }),
    ...(metadata && { metadata }),
  };
}
