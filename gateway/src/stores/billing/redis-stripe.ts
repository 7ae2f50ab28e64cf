import brand from '@presenza/contract/brand.json';
import type { StripeEventStore } from '../../services/billing/stripe-events';
import { takeLease } from '../lease';
import { type RedisClient, unavailable } from '../redis';

const eventKey = (id: string) => `${brand.slug}:stripe:event:${id}`;
const leaseKey = `${brand.slug}:stripe:lease`;
/** Stripe lets operators send an event again for 30 days. */
const eventsMs = 31 * 24 * 60 * 60_000;

export class RedisStripe implements StripeEventStore {
  constructor(private readonly redis: RedisClient) {}

  async claimEvent(eventId: string): Promise<boolean> {
    const claimed = await this.redis.set(eventKey(eventId), '1', 'PX', eventsMs, 'NX').catch(unavailable);
    return claimed !== null;
  }

  async releaseEvent(eventId: string): Promise<void> {
    await this.redis.del(eventKey(eventId)).catch(unavailable);
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, leaseKey, ms / 2).catch(unavailable);
  }
}
