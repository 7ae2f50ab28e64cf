import type { EventDetails, SessionEvent } from './events';

/**
 * The body of an event, as schemas/webhook-event.json has it: the same bytes for the same event and details.
 * @param details undefined when the session's data is gone: then the event says only what happened, and when.
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
      // Of a session that goes on it may yet change, and repetitions of an event must not differ.
      ...(eventType !== 'session.started' && consent && { consent }),
      ...(metadata && { metadata }),
    }),
  );
}
