/** Failed liveness checks in Redis: by account and source, gone with their window; locks, gone with the lock-out. */
import type { CountedFailure, LockoutStore } from '../../services/liveness/capture/lockout';
import { accountKey } from '../account-key';
import { type RedisClient, unavailable } from '../redis';

const failuresKey = (accountId: string, source: string) =>
  accountKey(accountId, `lockout:${source}:failures`);
/** When it ends. */
const lockKey = (accountId: string, source: string) => accountKey(accountId, `lockout:${source}`);

/**
 * A sliding window: the times of failures, of which there are never more than the limit.
 * ARGV: id, time, limit, window in ms, ms of the lock-out.
 */
const addFailure = `
local id, at, limit, window, lockout = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local ends = redis.call('GET', KEYS[2])
if ends and tonumber(ends) > at then return end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', at - window)
redis.call('ZADD', KEYS[1], 'NX', at, id)
redis.call('PEXPIRE', KEYS[1], window)
if redis.call('ZCARD', KEYS[1]) < limit then return end
redis.call('SET', KEYS[2], string.format('%.0f', at + lockout), 'PX', lockout)
redis.call('DEL', KEYS[1])`;

export class RedisLockoutStore implements LockoutStore {
  constructor(private readonly redis: RedisClient) {}

  async lockedUntil(accountId: string, sources: readonly string[]): Promise<number | undefined> {
    const ends = await this.redis
      .mget(...sources.map((source) => lockKey(accountId, source)))
      .catch(unavailable);
    const known = ends.flatMap((end) => (end === null ? [] : Number(end)));
    return known.length > 0 ? Math.max(...known) : undefined;
  }

  async addFailure(
    accountId: string,
    source: string,
    { id, at, limit, windowMs, lockoutMs }: CountedFailure,
  ): Promise<void> {
    const keys = [failuresKey(accountId, source), lockKey(accountId, source)];
    await this.redis
      .eval(addFailure, keys.length, ...keys, id, at, limit, windowMs, lockoutMs)
      .catch(unavailable);
  }
}
