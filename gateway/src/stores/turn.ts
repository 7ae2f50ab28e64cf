/** Turns at a round of work that gateways share: whoever takes one does the round, the others pass until it is over. */
import { freeing } from './memory';
import type { RedisClient } from './redis';

/**
 * KEYS: the turn. ARGV: how long it lasts in ms. A turn that has longer to go than it may last was taken before the clock
 * was put back; left alone, nobody would do the work until the clock is there again.
 */
const take = freeing(`
if redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'NX') then return 1 end
if redis.call('PTTL', KEYS[1]) <= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return 1`);

/** @returns whether it is the caller's, for so many milliseconds. */
export async function takeTurn(redis: RedisClient, key: string, ms: number): Promise<boolean> {
  return (await redis.eval(take, 1, key, Math.ceil(ms))) === 1;
}
