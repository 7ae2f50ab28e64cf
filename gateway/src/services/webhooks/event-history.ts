/** The events of an account's sessions in the last days, as webhooks deliver them, for receivers that missed some. */
import { ApiError } from '../../errors';
import type { KeyMode } from '../keys/api-key';
import type { SessionEvent } from '../liveness/session/events';
import type { SessionEventType } from '../liveness/session/states';
import type { Page, PageOf, TimeRange } from '../pages';
import { contentOf } from './body';
import type { SessionReader } from './dispatcher';

export interface EventFilter extends TimeRange {
  readonly mode: KeyMode;
  readonly eventType?: SessionEventType;
}

/** The script of a transition adds its event. */
export interface EventStore {
  /** Newest first. A page may be shorter than its limit and still have a next one. */
  list(accountId: string, page: PageOf & EventFilter): Promise<Page<SessionEvent>>;
  find(accountId: string, eventId: string): Promise<SessionEvent | undefined>;
}

export type EventView = ReturnType<typeof contentOf> & { readonly eventId: string };

export class EventHistory {
  constructor(
    private readonly store: EventStore,
    private readonly sessions: SessionReader,
  ) {}

  /** Newest first. @throws ApiError SERVICE_UNAVAILABLE */
  async list(accountId: string, page: PageOf & EventFilter): Promise<Page<EventView>> {
    const { items, ...rest } = await this.store.list(accountId, page);
    return { items: await Promise.all(items.map((event) => this.view(event))), ...rest };
  }

  /** @throws ApiError NOT_FOUND, also for an event of the other mode, or SERVICE_UNAVAILABLE */
  async find(accountId: string, mode: KeyMode, eventId: string): Promise<EventView> {
    const event = await this.store.find(accountId, eventId);
    if (event?.mode !== mode) throw new ApiError('NOT_FOUND', { reason: 'event' });
    return this.view(event);
  }

  /** Reads the details from the session, so that they are gone once it is erased. */
  private async view(event: SessionEvent): Promise<EventView> {
    const details = await this.sessions.readDetails(event.accountId, event.sessionId);
    return { eventId: event.eventId, ...contentOf(event, details) };
  }
}
