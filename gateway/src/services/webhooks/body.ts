import type { EventDetails, SessionEvent } from '../liveness/session/events';

/**
 * The body of an event, as `webhook-event.json` describes it. The same event and details give the same bytes.
 * @param details undefined once the session's data is gone; the event then says only what happened and when.
 */
export function bodyOf(
  { eventType, sessionId, timestamp }: SessionEvent,
  { result, match, consent, metadata }: EventDetails = {},
): Buffer {
  const passed = eventType === 'session.completed';
  return Buffer.from(
    JSON.stringify({
      eventType,
      sessionId,
      timestamp: new Date(timestamp).toISOString(),
      ...(passed && result && { result }),
      ...(passed && match && { match }),
      // The consent of a running session may still change, and retries of an event must not differ.
      ...(eventType !== 'session.started' && consent && { consent }),
      ...(metadata && { metadata }),
    }),
  );
}
