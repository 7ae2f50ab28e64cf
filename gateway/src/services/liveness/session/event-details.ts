import type { EventDetails } from './events';
import type { SealedParts } from './sealed-parts';
import type { SessionStore } from './session-store';
import { detailsOf } from './views';

/**
 * Reads what the body of an event says about its session. The result stays the same while the session lives, except for
 * the consent, which is final once the session has ended.
 */
export class EventDetailsReader {
  constructor(
    private readonly store: Pick<SessionStore, 'find'>,
    private readonly seals: Pick<SealedParts, 'open'>,
  ) {}

  /** @returns undefined once the session's data is deleted or expired. */
  async readDetails(accountId: string, sessionId: string): Promise<EventDetails | undefined> {
    const record = await this.store.find({ accountId, sessionId });
    return record && detailsOf(this.seals.open(record));
  }
}
