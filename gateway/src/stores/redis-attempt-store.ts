import brand from '@presenza/contract/brand.json';
import type { AttemptCount, AttemptStore } from '../services/keys/failed-attempts';
import { type RedisClient, unavailable } from './redis';

/**
 * A window begins with its first attempt. Beyond the bound nothing is written, but for a window that has longer to go than
 * it may last: the clock was put back since it began.
 */
const count = `
if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then return { count + 1, redis.call('PTTL', KEYS[1]) } end
count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

/** Failed authentication in Redis: one counter per source, gone with its window. */
export class RedisAttemptStore implements AttemptStore {
  constructor(private readonly redis: RedisClient) {}

  async countAttempt(source: string, { most, ms }: { most: number; ms: number }): Promise<AttemptCount> {
    const key = `${brand.slug}:failures:${source}`;
    const [attempts, leftMs] = (await this.redis.eval(count, 1, key, most, ms).catch(unavailable)) as [
      number,
      number,
    ];
    return { count: attempts, leftMs };
  }
}
