/**
 * The events that endpoints can subscribe to: those of liveness sessions, which are part of the public API, and those of
 * accounts, which an endpoint gets only if the console or an operator adds them.
 */
import accountEvents from '@presenza/contract/account-events.json';
import events from '@presenza/contract/events.json';
import type { SessionEvent } from '../liveness/session/events';
import type { ProductGroup } from '../plans/terms';

export const eventIds: readonly string[] = events.map(({ id }) => id);
export const accountEventIds: readonly string[] = accountEvents.map(({ id }) => id);

/** The usage of a product group when it reached a threshold. */
export interface UsageReached {
  /** `2026-11` */
  readonly month: string;
  readonly productGroup: ProductGroup;
  /** Percentage of the quota. */
  readonly threshold: number;
  readonly used: number;
  readonly quota: number;
}

/** An event as webhooks deliver it: one of a session, or one of an account. */
export interface WebhookEvent extends Omit<SessionEvent, 'sessionId' | 'eventType'> {
  readonly eventType: SessionEvent['eventType'] | 'usage.threshold';
  readonly sessionId?: string;
  /** The usage that was reached; only for `usage.threshold`. */
  readonly usage?: UsageReached;
}

export const isOfSession = (event: WebhookEvent): event is WebhookEvent & SessionEvent =>
  event.sessionId !== undefined;
