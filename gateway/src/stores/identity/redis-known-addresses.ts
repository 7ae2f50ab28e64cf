import type { KnownAddressStore } from '../../services/identity/known-clients';
import { consoleKey } from '../console-key';
import { type RedisClient, unavailable } from '../redis';

/** Sorted set: hashes of the addresses that a user has signed in from, by the last time. */
const addressesKey = (userId: string) => consoleKey(`addresses:${userId}`);

export class RedisKnownAddresses implements KnownAddressStore {
  constructor(private readonly redis: RedisClient) {}

  async add(
    userId: string,
    hash: string,
    { now, lifetimeMs, most }: { now: number; lifetimeMs: number; most: number },
  ): Promise<void> {
    const key = addressesKey(userId);
    await this.redis
      .multi()
      .zadd(key, now, hash)
      .zremrangebyscore(key, '-inf', now - lifetimeMs)
      .zremrangebyrank(key, 0, -1 - most)
      .pexpire(key, lifetimeMs)
      .exec()
      .catch(unavailable);
  }

  async has(userId: string, hash: string, after: number): Promise<boolean> {
    const at = await this.redis.zscore(addressesKey(userId), hash).catch(unavailable);
    return at !== null && Number(at) > after;
  }

  async forget(userId: string): Promise<void> {
    await this.redis.del(addressesKey(userId)).catch(unavailable);
  }
}
