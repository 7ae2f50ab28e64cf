/** Events of sessions, and the interfaces through which sessions announce them. Webhooks implement these. */
import type { KeyMode } from '../../keys/api-key';
import type { FailureReason } from './foremost-reason';
import type { SessionDetails, SessionOutcome } from './session';
import type { SessionEventType } from './states';

/** A transition writes one to the account's outbox. */
export interface SessionEvent {
  readonly accountId: string;
  /** `evt_` and 22 characters of base62. Receivers get it as `webhook-id`. */
  readonly eventId: string;
  readonly sessionId: string;
  readonly eventType: SessionEventType;
  /** When it happened, in milliseconds since 1970, on the store's clock. */
  readonly timestamp: number;
  /** The mode of its session. */
  readonly mode: KeyMode;
}

/** The rest of an event's body, next to the event itself. */
export interface EventDetails extends Partial<SessionOutcome> {
  /** The fields are those of `consent-record.json`. */
  readonly consent?: { readonly at: string; readonly notice?: string; readonly locale?: string };
  readonly failureReason?: FailureReason;
  readonly metadata?: SessionDetails['metadata'];
}

/** Announces that an account has a new event, so that it is sent at once and not at the next poll of the outboxes. */
export interface EventNotifier {
  /** Never throws and never waits. */
  notify(accountId: string): void;
}

/** The decision of the synchronous endpoints about an event. */
export interface Decision {
  /** `redirect`, on final events, names the user's next page and changes nothing else. */
  readonly decision: 'continue' | 'reject' | 'redirect';
  /** https; present with `redirect`. */
  readonly redirectUrl?: string;
}

/** Whether a call about the session waits for the decision of synchronous endpoints. Nobody waits for the other events. */
export const isDecided = (eventType: SessionEventType): boolean =>
  eventType !== 'session.expired' && eventType !== 'session.cancelled';

export interface SyncWebhooks {
  /**
   * Asks all synchronous endpoints of the account at once, within 5 seconds in total. Call it once the event is in the
   * outbox; endpoints that respond correctly do not receive the event again. An endpoint that fails counts as its
   * `onFailure` setting. Without synchronous endpoints the decision is `continue` at once.
   * On session.started, `reject` means that the caller cancels the session. On final events it is never `reject`.
   * @throws ApiError SERVICE_UNAVAILABLE if the endpoints cannot be read
   */
  decide(event: SessionEvent): Promise<Decision>;
}
