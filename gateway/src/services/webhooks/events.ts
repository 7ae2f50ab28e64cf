/** Events of sessions on their way to the receivers, and what they carry. */
import type { SessionDetails, SessionOutcome } from '../liveness/session/session';
import type { SessionEventType } from '../liveness/session/states';

/** What a transition leaves in its account's outbox. */
export interface SessionEvent {
  readonly accountId: string;
  /** `evt_` and 22 characters of base62; receivers know it as webhook-id. */
  readonly eventId: string;
  readonly sessionId: string;
  readonly eventType: SessionEventType;
  /** Milliseconds since 1970: when it happened, on the store's clock. */
  readonly timestamp: number;
}

/** What an event says of its session, beside what happened to it. */
export interface EventDetails extends Partial<SessionOutcome> {
  /** As `consent-record.json`. */
  readonly consent?: { readonly at: string; readonly notice?: string };
  readonly metadata?: SessionDetails['metadata'];
}

export interface SessionReader {
  /**
   * The same as long as the session lives, but for the consent, which is settled once it has ended: retries must not
   * differ.
   * @returns undefined once the session's data is gone, by DELETE or after its 24 hours
   */
  readDetails(accountId: string, sessionId: string): Promise<EventDetails | undefined>;
}

/** Who has changed a session says so: its event goes out at once instead of with the next look at the outboxes. */
export interface EventListener {
  /** Never throws, never waits. */
  nudge(accountId: string): void;
}

/** What synchronous endpoints say of an event. */
export interface Decision {
  /** `redirect`, on final events, says where the user goes next and changes nothing else. */
  readonly decision: 'continue' | 'reject' | 'redirect';
  /** https; present with `redirect`. */
  readonly redirectUrl?: string;
}

export interface SyncWebhooks {
  /**
   * Asks the account's synchronous endpoints for that event, all at once, within 5 seconds over everything. To be
   * called once the event is in the outbox; an endpoint that answered well is not sent it again. An endpoint that does
   * not answer as it should counts as its `onFailure` says. Without such endpoints it is `continue` at once.
   * On session.started, `reject` means that the session is to be cancelled. On final events it is never `reject`.
   * @throws AppError SERVICE_UNAVAILABLE when the endpoints cannot be read
   */
  decide(event: SessionEvent): Promise<Decision>;
}
