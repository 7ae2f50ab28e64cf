/** The events of sessions in Redis, which the scripts of `gateway/lua/liveness` write. */
import limits from '@presenza/contract/limits.json';
import type { KeyMode } from '../../services/keys/api-key';
import type { SessionEvent } from '../../services/liveness/session/events';
import type { SessionEventType } from '../../services/liveness/session/states';
import type { Page, PageOf } from '../../services/pages';
import type { EventFilter, EventStore } from '../../services/webhooks/event-history';
import { newestFirst } from '../newest-first';
import { type RedisClient, unavailable } from '../redis';
import { eventOrderKey, eventsKey } from './keys';

const retentionMs = 1_000 * limits.events.retentionSeconds;

export class RedisEventStore implements EventStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {}

  list(
    accountId: string,
    { mode, eventType, from = 0, ...page }: PageOf & EventFilter,
  ): Promise<Page<SessionEvent>> {
    const range = { ...page, from: Math.max(from, this.now() - retentionMs) };
    return newestFirst(this.redis, eventOrderKey(accountId), range, async (ids) => {
      const texts = await this.redis.hmget(eventsKey(accountId), ...ids).catch(unavailable);
      return ids.map((id, at) => {
        const event = eventOf(accountId, id, texts[at]);
        const matches = event?.mode === mode && (eventType ?? event.eventType) === event.eventType;
        return matches ? event : undefined;
      });
    });
  }

  async find(accountId: string, eventId: string): Promise<SessionEvent | undefined> {
    const text = await this.redis.hget(eventsKey(accountId), eventId).catch(unavailable);
    const event = eventOf(accountId, eventId, text);
    return event && event.timestamp >= this.now() - retentionMs ? event : undefined;
  }
}

/** @param text as the script `liveness/session` writes it. */
function eventOf(accountId: string, eventId: string, text: string | null | undefined) {
  if (!text) return undefined;
  const [at, mode, eventType, sessionId] = text.split(' ') as [string, KeyMode, SessionEventType, string];
  return { accountId, eventId, sessionId, eventType, timestamp: Number(at), mode };
}
