/** Failed liveness checks in Redis, by account and source. They expire with their window, and lockouts when they end. */
import type { CountedAttempt, LockoutStore } from '../../services/liveness/capture/lockout';
import { accountKey } from '../account-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

/** Sorted set: failed and running attempts by the time from which they count. */
const failuresKey = (accountId: string, source: string) =>
  accountKey(accountId, `lockout:${source}:failures`);
/** When the lockout ends. */
const lockoutKey = (accountId: string, source: string) => accountKey(accountId, `lockout:${source}`);

const countScript = LuaScript.load<
  'failures' | 'lockout',
  'id' | 'at' | 'from' | 'limit' | 'most' | 'window' | 'duration' | 'pending'
>('liveness/count-failure');

export class RedisLockoutStore implements LockoutStore {
  constructor(private readonly redis: RedisClient) {}

  async lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined> {
    const ends = await this.redis
      .mget(...sources.map((source) => lockoutKey(accountId, source)))
      .catch(unavailable);
    const known = ends.flatMap((end) => (end === null ? [] : Number(end)));
    return known.length > 0 ? Math.max(...known) : undefined;
  }

  addFailure = (accountId: string, source: string, failure: CountedAttempt): Promise<boolean> =>
    this.add(accountId, source, failure, 0);

  addRunning = (accountId: string, source: string, attempt: CountedAttempt): Promise<boolean> =>
    this.add(accountId, source, attempt, 1);

  async removeAttempt(accountId: string, sources: readonly string[], id: string): Promise<void> {
    await Promise.all(sources.map((source) => this.redis.zrem(failuresKey(accountId, source), id))).catch(
      unavailable,
    );
  }

  private async add(
    accountId: string,
    source: string,
    { windowMs, lockoutMs, id = '', at, from = at, limit, most }: CountedAttempt,
    pending: 0 | 1,
  ): Promise<boolean> {
    const keys = { failures: failuresKey(accountId, source), lockout: lockoutKey(accountId, source) };
    const args = { id, at, from, limit, most, window: windowMs, duration: lockoutMs, pending };
    return (await countScript.run(this.redis, keys, args).catch(unavailable)) === 1;
  }
}
